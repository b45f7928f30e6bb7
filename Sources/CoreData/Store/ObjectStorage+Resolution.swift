import Records
import SQLite
import Tables

extension ObjectStorage {
  init(_ schema: CoreDataSchema, _ planned: [PlannedTable], systemEntities: Set<String>) {
    self.init()
    let resolution = schema.resolution
    let roots = Roots(resolution)
    tables = planned.map { table in
      if let number = table.entity, let entity = resolution.entity(numbered: number) {
        return TableStorage(entity, table, roots, isFrom1970: !systemEntities.isEmpty)
      }
      let join = resolution.joinTables.first { $0.table == table.sourceTable }
      return TableStorage(join, table, roots)
    }
    for entity in resolution.entities {
      entities[entity.name] = entity.number
      if systemEntities.contains(entity.name) { systemTables[entity.name] = entity.table }
    }
    if schema.nameOrigin == .fallback {
      objections.append("it has no model that says what its columns are")
    }
    if schema.metadata.isMissing || schema.metadata.isUnreadable {
      objections.append("its metadata cannot be read, and an app cannot open such a store")
    }
    objections += resolution.differences.filter(\.forbidsWriting).map { "\($0)" }
  }
}

/// The numbers of the roots of all trees by the tables that these share.
private struct Roots {
  private var numbers: [String: Int64] = [:]

  init(_ resolution: SchemaResolution) {
    for entity in resolution.entities where entity.parent == nil {
      if let table = entity.table { numbers[table] = entity.number }
    }
  }

  func number(ofTable table: String?) -> Int64? { table.flatMap { numbers[$0] } }

  /// A link to the rows of a table that is there.
  func link(to end: ResolvedEnd?) -> ColumnStorage.Link? {
    guard let end, let table = end.table, let root = numbers[table] else { return nil }
    var link = ColumnStorage.Link(table: table, root: root)
    if !end.isPolymorphic { link.entity = end.number }
    return link
  }
}

extension TableStorage {
  fileprivate init(
    _ entity: ResolvedEntity, _ planned: PlannedTable, _ roots: Roots, isFrom1970: Bool
  ) {
    var known: [String: ColumnStorage] = [:]
    for property in entity.properties {
      switch property {
      case .attribute(let attribute):
        guard let name = attribute.column?.name else { continue }
        known[name] = ColumnStorage(attribute.attribute, isFrom1970: isFrom1970)
        if case .other = attribute.attribute.type {
          known[name]?.form = planned.form(ofUntyped: name)
        }
      case .reference(let reference): known.add(reference, roots)
      }
    }
    self.init(
      entity: entity.number, root: roots.number(ofTable: entity.table),
      columns: planned.columns.map { column in
        column.column.type == .json
          ? ColumnStorage(.nothing) : known[column.column.sourceColumn] ?? ColumnStorage(.nothing)
      })
  }

  fileprivate init(_ join: ResolvedJoinTable?, _ planned: PlannedTable, _ roots: Roots) {
    var known: [String: ColumnStorage] = [:]
    if let join {
      for (column, end, position) in [
        (join.ownerColumn, join.owner, join.positionColumn),
        (join.targetColumn, join.target, join.reversePositionColumn),
      ] {
        guard let column else { continue }
        var storage = ColumnStorage(.reference)
        storage.isOptional = false
        storage.link = roots.link(to: end)
        // The targets of one owner have an order, and the owners of one target.
        storage.link?.positionColumn = position?.name
        known[column.name] = storage
      }
      for position in [join.positionColumn, join.reversePositionColumn] {
        if let name = position?.name { known[name] = ColumnStorage(.position) }
      }
    }
    self.init(
      entity: nil, root: nil,
      columns: planned.columns.map { known[$0.column.sourceColumn] ?? ColumnStorage(.nothing) })
  }
}

extension PlannedTable {
  /// How values are stored in a column of a type that is not known: as those of its kind are.
  fileprivate func form(ofUntyped name: String) -> ColumnStorage.Form {
    switch columns.first(where: { $0.column.sourceColumn == name })?.column.type {
    case .text: .text
    case .integer: .integer(bits: 64)
    case .real: .real
    case .binary: .binary(isTagged: false)
    default: .nothing
    }
  }
}

extension [String: ColumnStorage] {
  /// Adds the columns of a reference, by their names.
  fileprivate mutating func add(_ reference: ResolvedReference, _ roots: Roots) {
    guard let key = reference.keyColumn else { return }
    var storage = ColumnStorage(.reference)
    storage.isOptional =
      reference.kind == .owner || (reference.relationship?.isOptional ?? true)
    storage.link = roots.link(to: reference.target)
    storage.link?.entityColumn = reference.entityColumn?.name
    storage.link?.positionColumn = reference.positionColumn?.name
    storage.link?.inverseColumn = reference.counterpart?.keyColumn?.name
    self[key.name] = storage
    if let entity = reference.entityColumn { self[entity.name] = ColumnStorage(.referenceEntity) }
    if let position = reference.positionColumn { self[position.name] = ColumnStorage(.position) }
  }
}

extension ColumnStorage {
  fileprivate init(_ attribute: ModelAttribute, isFrom1970: Bool) {
    self.init(Self.form(of: attribute, isFrom1970: isFrom1970))
    isOptional = attribute.isOptional
    isDerived = attribute.isDerived
    defaultValue = form.stored(attribute.defaultValue)
  }

  private static func form(of attribute: ModelAttribute, isFrom1970: Bool) -> Form {
    switch attribute.type {
    case .integer16: .integer(bits: 16)
    case .integer32: .integer(bits: 32)
    case .integer64: .integer(bits: 64)
    case .boolean: .boolean
    case .decimal: .decimal
    case .double: .real
    case .float: .float
    case .string, .uri: .text
    case .date: .date(isFrom1970: isFrom1970)
    case .uuid: .uuid
    case .binary, .transformable: .binary(isTagged: attribute.allowsExternalStorage)
    case .undefined, .objectID, .composite, .other: .nothing
    }
  }
}

extension ColumnStorage.Form {
  /// A default as a column of this form stores it; nil where it is none, or of another type.
  fileprivate func stored(_ value: ModelDefault) -> RawValue? {
    switch value {
    case .none, .object: nil
    case .integer(let number): stored(Cell.integer(number))
    case .real(let number): stored(Cell.real(number))
    case .boolean(let value): stored(Cell.integer(value ? 1 : 0))
    case .text(let text): stored(Cell.text(at: 0, size: text.utf8.count), Array(text.utf8))
    case .data(let bytes): stored(Cell.binary(at: 0, size: bytes.count), bytes)
    case .date(let seconds): if case .date = self { .real(seconds) } else { nil }
    }
  }

  private func stored(_ cell: Cell, _ arena: [UInt8] = []) -> RawValue? {
    var bytes: [UInt8] = []
    switch value(cell, arena: arena.span, into: &bytes) {
    case .taken(let value), .changed(let value): return RawValue(value, in: bytes)
    case .rejected: return nil
    }
  }
}

extension RawValue {
  /// A value whose bytes are among others; nil where it is NULL.
  fileprivate init?(_ value: BoundValue, in bytes: [UInt8]) {
    switch value {
    case .null: return nil
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let range): self = .text(Array(bytes[range]))
    case .blob(let range): self = .binary(Array(bytes[range]))
    }
  }
}

extension SchemaDifference {
  /// Whether rows could go where the app does not look for them.
  fileprivate var forbidsWriting: Bool {
    if case .columnType = self { return true }
    return severity > .note
  }
}

extension ModelSummary {
  /// The summary of a whole model, inherited properties included.
  init(_ model: ManagedObjectModel) {
    self.init(
      entities: model.entities.indices.map { index in
        let entity = model.entities[index]
        let lineage = model.forest.lineage(of: index).map { model.entities[$0] }
        return Entity(
          name: entity.name, parent: entity.parent, isAbstract: entity.isAbstract,
          attributes: lineage.flatMap(\.attributes).filter { !$0.isTransient }.map {
            Attribute(name: $0.name, type: $0.type.name, isOptional: $0.isOptional)
          },
          relationships: lineage.flatMap(\.relationships).filter { !$0.isTransient }
            .map(Relationship.init))
      })
  }
}

extension ModelSummary.Relationship {
  init(_ relationship: ModelRelationship) {
    self.init(
      name: relationship.name, destination: relationship.destination,
      isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
      inverse: relationship.inverseName)
  }
}

extension ModelSummary {
  init(_ tables: [XMLTable], _ relations: XMLRelations) {
    let byEntity = Dictionary(grouping: relations.list) { $0.name.entity }
    self.init(
      entities: tables.compactMap { table in
        guard case .objects = table.rows else { return nil }
        return Entity(
          name: table.name, parent: nil, isAbstract: false,
          attributes: table.columns.compactMap { planned in
            guard case .value(let form) = planned.content else { return nil }
            return Attribute(
              name: planned.column.name, type: form.type.rawValue, isOptional: true)
          },
          relationships: (byEntity[table.name] ?? []).map { relation in
            Relationship(
              name: relation.name.property, destination: relation.target,
              isToMany: relation.isToMany, isOrdered: false, inverse: nil)
          })
      })
  }
}
