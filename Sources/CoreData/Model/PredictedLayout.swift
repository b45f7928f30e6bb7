/// Lays out the tables of root entities.
struct PredictedLayout {
  let model: ManagedObjectModel
  let numbering: EntityNumbering
  let graph: RelationshipGraph

  /// The tables by number of their root entity.
  func tables() -> [PredictedTable] {
    let byNumber = numbering.order
    var drafts: [Int: PredictedLayout.TableDraft] = [:]
    for entity in byNumber {
      let root = model.forest.roots[entity]
      // Whatever their names, an entity's attributes stand before its relationships: in the
      // samples `Book.pagesCount` comes before `Book.author`, both integers.
      addAttributes(of: entity, to: &drafts[root, default: PredictedLayout.TableDraft()])
      addToOneRelationships(of: entity, to: &drafts[root, default: PredictedLayout.TableDraft()])
    }
    for entity in byNumber { addOwners(from: entity, to: &drafts) }
    var names: Set<String> = []
    return byNumber.filter { model.forest.parents[$0] == nil }.map { root in
      let name = unused(StoredName.table(model.entities[root].name), &names)
      return (drafts[root] ?? PredictedLayout.TableDraft()).table(name: name, root: root)
    }
  }

  private func addAttributes(of entity: Int, to draft: inout PredictedLayout.TableDraft) {
    for (place, attribute) in model.entities[entity].attributes.enumerated()
    where !attribute.isTransient {
      add(attribute, path: [place], name: attribute.name, of: entity, to: &draft)
    }
  }

  /// Elements follow their composite; the model bounds how deep that goes.
  private func add(
    _ attribute: ModelAttribute, path: [Int], name: String, of entity: Int,
    to draft: inout PredictedLayout.TableDraft
  ) {
    if attribute.type == .composite {
      let keys = attribute.elements.map { CaselessName($0.name) }
      for place in keys.indices.sorted(by: { keys[$0] < keys[$1] }) {
        let element = attribute.elements[place]
        add(
          element, path: path + [place], name: "\(name)_\(element.name)", of: entity, to: &draft)
      }
    } else if attribute.type.hasColumn {
      draft.add(
        PredictedLayout.ColumnDraft(
          base: StoredName.column(attribute.name), type: attribute.type.declaredType,
          role: .attribute(AttributePlace(entity: entity, path: path)), holder: entity,
          property: PropertyName(entity: model.entities[entity].name, property: name)),
        to: attribute.type.columnGroup)
    }
  }

  private func addToOneRelationships(of entity: Int, to draft: inout PredictedLayout.TableDraft) {
    for (index, relationship) in model.entities[entity].relationships.enumerated()
    where !relationship.isTransient && !relationship.isToMany {
      let place = RelationshipPlace(entity: entity, relationship: index)
      let edge = graph[place]
      let name = relationship.name
      draft.add(column(StoredName.column(name), .key(place), entity, place), to: .integers)
      if let destination = edge.destination, model.hasSubentities(destination) {
        let base = StoredName.entityColumn(name, destination: numbering.numbers[destination])
        draft.add(column(base, .entity(place), entity, place), to: .integers)
      }
      if let inverse = edge.inverse.map({ model[$0] }), inverse.isToMany, inverse.isOrdered {
        let base = StoredName.positionColumn(name)
        draft.add(column(base, .position(place), entity, place), to: .positions)
      }
    }
  }

  /// A to-many relationship without inverse puts its owner's key into the destination's table.
  private func addOwners(from entity: Int, to drafts: inout [Int: PredictedLayout.TableDraft]) {
    let number = numbering.numbers[entity]
    for (index, relationship) in model.entities[entity].relationships.enumerated()
    where !relationship.isTransient && relationship.isToMany {
      let place = RelationshipPlace(entity: entity, relationship: index)
      guard let destination = graph[place].destination, graph[place].inverse == nil else {
        continue
      }
      let root = model.forest.roots[destination]
      let key = StoredName.ownerColumn(relationship.name, owner: number)
      drafts[root, default: PredictedLayout.TableDraft()].add(
        column(key, .ownerKey(place), destination, place), to: .integers)
      guard relationship.isOrdered else { continue }
      let position = StoredName.positionColumn(relationship.name, number: number)
      drafts[root, default: PredictedLayout.TableDraft()].add(
        column(position, .ownerPosition(place), destination, place), to: .positions)
    }
  }

  private func column(
    _ base: String, _ role: PredictedRole, _ holder: Int, _ place: RelationshipPlace
  ) -> PredictedLayout.ColumnDraft {
    PredictedLayout.ColumnDraft(
      base: base, type: .integer, role: role, holder: holder, property: model.name(of: place))
  }

  /// Two root entities whose names differ only in case must not share a table.
  private func unused(_ base: String, _ names: inout Set<String>) -> String {
    var name = base
    var suffix = 0
    while !names.insert(name).inserted {
      suffix += 1
      name = base + String(suffix)
    }
    return name
  }

  /// A column that has no final name yet.
  struct ColumnDraft {
    /// The name it wants.
    let base: String
    let type: DeclaredType?
    let role: PredictedRole
    /// The entity whose rows use it.
    let holder: Int
    let property: PropertyName
  }

  /// Collects the columns of a table, then decides who gets which name.
  struct TableDraft {
    private var groups: [ColumnGroup: [PredictedLayout.ColumnDraft]] = [:]

    /// Adds a column behind those that its group has already.
    mutating func add(_ column: PredictedLayout.ColumnDraft, to group: ColumnGroup) {
      groups[group, default: []].append(column)
    }

    /// The finished table: the first user of a name keeps it, later ones get digits.
    func table(name: String, root: Int) -> PredictedTable {
      let drafts = groups.keys.sorted().flatMap { groups[$0] ?? [] }
      let ambiguous = Self.ambiguousBases(among: drafts)
      var used: Set<String> = []
      var nextSuffix: [String: Int] = [:]
      var columns: [PredictedColumn] = []
      var differences: [SchemaDifference] = []
      var holders: [Int: [Int]] = [:]
      for draft in drafts {
        let final = Self.freeName(draft.base, used: &used, next: &nextSuffix)
        if ambiguous.contains(draft.base) {
          differences.append(.ambiguousColumn(draft.property, table: name, column: final))
        }
        holders[draft.holder, default: []].append(columns.count)
        columns.append(
          PredictedColumn(
            name: final, base: draft.base, type: draft.type, role: draft.role,
            holder: draft.holder, property: draft.property))
      }
      return PredictedTable(
        name: name, root: root, columns: columns, differences: differences,
        columnsByHolder: holders)
    }

    /// Names that several columns want while another column's own name looks like their suffixed form.
    ///
    /// Which of them gets which digit is not known from any store.
    private static func ambiguousBases(among drafts: [PredictedLayout.ColumnDraft]) -> Set<String> {
      let users = Dictionary(drafts.map { ($0.base, 1) }, uniquingKeysWith: +)
      var ambiguous: Set<String> = []
      for base in users.keys {
        var shorter = base[...]
        while let last = shorter.last, last.isASCII, last.isNumber {
          shorter = shorter.dropLast()
          guard users[String(shorter), default: 0] > 1 else { continue }
          ambiguous.formUnion([base, String(shorter)])
        }
      }
      return ambiguous
    }

    private static func freeName(
      _ base: String, used: inout Set<String>, next: inout [String: Int]
    ) -> String {
      var name = base
      while !used.insert(name).inserted {
        let suffix = next[base, default: 1]
        name = base + String(suffix)
        next[base] = suffix + 1
      }
      return name
    }
  }
}
