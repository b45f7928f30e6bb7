import Bytes
import Records
import SQLite
import Tables

/// Plans one table of the catalogue for each concrete entity and each many-to-many relationship.
struct EntityTables {
  let resolution: SchemaResolution
  /// How many rows carry each entity number, by physical table.
  let counts: [ExactText: EntityRows]
  /// Whether transformables get a second column with what their archives say.
  let decodesTransformables: Bool
  /// Names by entity number, for references that may point to several entities.
  private let entityNames: [Int64: String]
  /// How many entities share each physical table.
  private let treeSizes: [String: Int]

  init(
    _ resolution: SchemaResolution, counts: [ExactText: EntityRows], decodesTransformables: Bool
  ) {
    self.resolution = resolution
    self.decodesTransformables = decodesTransformables
    self.counts = counts
    entityNames = Dictionary(keepingFirst: resolution.entities.map { ($0.number, $0.name) })
    treeSizes = resolution.entities.reduce(into: [:]) { sizes, entity in
      if let table = entity.table { sizes[table, default: 0] += 1 }
    }
  }

  /// The tables of all entities of a kind that have rows of their own, in the order of their numbers.
  func plan(where isWanted: (ResolvedEntity) -> Bool) -> [PlannedTable] {
    resolution.entities.compactMap { entity in
      guard let table = entity.table, isWanted(entity) else { return nil }
      let rows = counts[ExactText(table)]?.ofEntity[entity.number] ?? 0
      // An abstract entity has no rows; should a store hold some all the same, they are kept.
      guard !entity.isAbstract || rows > 0 else { return nil }
      return plan(entity, table: table, isAlone: treeSizes[table] == 1)
    }
  }

  private func plan(_ entity: ResolvedEntity, table: String, isAlone: Bool) -> PlannedTable {
    var columns = entity.properties.flatMap { property in
      switch property {
      case .attribute(let attribute): plan(attribute)
      case .reference(let reference):
        plan(reference, owner: table, entity: isAlone ? nil : entity.number)
      }
    }
    // Swift's sort keeps the order of equals, so a composite's parts stay together.
    columns.sort { $0.position < $1.position }
    return PlannedTable(
      name: entity.name, sourceName: entity.name, sourceTable: table, columns: columns,
      entity: entity.number,
      condition: isAlone ? nil : PlannedTable.condition(ofEntity: entity.number),
      // An index that lacks rows must not decide which are counted or read.
      origin: quoted(table) + " NOT INDEXED", key: "Z_PK", order: "Z_PK")
  }

  private func plan(_ resolved: ResolvedAttribute) -> [PlannedColumn] {
    guard let column = resolved.column else { return [] }
    let known = resolved.attribute.storedForm
    let form = known ?? UntypedColumns.form(ofDeclared: column.declaredType)
    var own = PlannedColumn(
      column: Column(
        name: resolved.name, sourceColumn: column.name, type: form.type,
        isNullable: resolved.attribute.isOptional),
      position: column.position, expression: quoted(column.name), decoding: form.decoding)
    own.column.isUndecided = known == nil
    guard decodesTransformables, resolved.attribute.type == .transformable else { return [own] }
    var decoded = own
    decoded.column.name += "_decoded"
    decoded.column.type = .json
    decoded.column.isNullable = true
    decoded.decoding = .archivedJSON(isTagged: form.decoding == .taggedBinary)
    return [own, decoded]
  }

  /// Plans the columns of a reference; `entity` tells whose rows of a shared table it is planned for.
  private func plan(
    _ reference: ResolvedReference, owner table: String, entity number: Int64?
  ) -> [PlannedColumn] {
    guard let key = reference.keyColumn else { return [] }
    let target = reference.target
    // Without a model, the entities below the target need not be listed.
    let isPolymorphic = target?.isPolymorphic == true || reference.entityColumn != nil
    var columns = [
      PlannedColumn(
        column: .key(
          reference.name, from: key.name, isNullable: reference.relationship?.isOptional ?? true,
          to: isPolymorphic ? nil : target?.entity),
        position: key.position, expression: quoted(key.name),
        decoding: .reference(otherSide: [:]), targetTable: target?.table,
        targetEntity: isPolymorphic
          ? reference.entityColumn.map { quoted($0.name) } : target.flatMap(entityBesideOthers),
        otherSide: reference.otherSide(of: table, entity: number, giving: "Z_PK"))
    ]
    columns[0].typeSource = reference.typeSource
    if isPolymorphic, var entity = planEntity(of: reference, key: key, owner: table) {
      entity.otherSide = reference.otherSide(of: table, entity: number, giving: "Z_ENT")
      columns.append(entity)
    }
    if let position = reference.positionColumn {
      columns.append(Self.plan(position, reference.name + "_position"))
    }
    return columns
  }

  /// The column that tells which entity a polymorphic reference points to: its own, or the
  /// target's row.
  private func planEntity(
    of reference: ResolvedReference, key: ActualColumn, owner: String
  ) -> PlannedColumn? {
    let expression: String
    if let own = reference.entityColumn {
      expression = quoted(own.name)
    } else if let table = reference.target?.table {
      expression = Self.entity(of: key, from: owner, in: table)
    } else {
      return nil
    }
    return PlannedColumn(
      column: .entity(of: reference.name, from: reference.entityColumn?.name ?? "Z_ENT"),
      position: reference.entityColumn?.position ?? key.position, expression: expression,
      decoding: .entityName(entityNames))
  }

  /// The number of an entity without others below it, where those of its table are of several.
  private func entityBesideOthers(_ end: ResolvedEnd) -> String? {
    guard let table = end.table, treeSizes[table, default: 1] > 1 else { return nil }
    return String(end.number)
  }

  /// A place among the targets of a relationship.
  private static func plan(_ position: ActualColumn, _ name: String) -> PlannedColumn {
    PlannedColumn(
      column: .position(name, from: position.name), position: position.position,
      expression: quoted(position.name), decoding: .integer)
  }

  /// The entity number of the row that has a key, looked up by its row id.
  ///
  /// The key's table is named, because the one that is looked up may have such a column, too, or be
  /// the same.
  private static func entity(
    of key: ActualColumn, from owner: String, in table: String
  ) -> String {
    """
    (SELECT target.Z_ENT FROM \(quoted(table)) AS target \
    WHERE target.Z_PK = \(quoted(owner)).\(quoted(key.name)))
    """
  }
}

extension EntityTables {
  func planPairs() -> [PlannedTable] { resolution.joinTables.compactMap(plan) }

  private func plan(_ join: ResolvedJoinTable) -> PlannedTable? {
    guard let table = join.table, let owner = join.ownerColumn, let target = join.targetColumn
    else { return nil }
    let isUndirected = join.isReflexive && join.positionColumn == nil
    let pairs =
      isUndirected
      ? Self.undirected(table, owner, target) : quoted(table) + " NOT INDEXED"
    var columns =
      plan("owner", end: join.owner, column: owner, of: table)
      + plan("target", end: join.target, column: target, of: table)
    for (name, position) in [
      ("position", join.positionColumn), ("owner_position", join.reversePositionColumn),
    ] {
      guard let position else { continue }
      columns.append(Self.plan(position, name))
    }
    return PlannedTable(
      name: join.name, sourceName: join.name, sourceTable: table, columns: columns,
      origin: pairs, key: nil, order: "\(quoted(owner.name)), \(quoted(target.name))")
  }

  /// Each pair once, the smaller key first, or the only one: stores hold one direction or both.
  private static func undirected(
    _ table: String, _ owner: ActualColumn, _ target: ActualColumn
  ) -> String {
    let (left, right) = (quoted(owner.name), quoted(target.name))
    return """
      (SELECT DISTINCT ifnull(min(\(left), \(right)), ifnull(\(left), \(right))) AS \(left), \
      max(\(left), \(right)) AS \(right) \
      FROM \(quoted(table)) NOT INDEXED) AS \(quoted(table))
      """
  }

  private func plan(
    _ name: String, end: ResolvedEnd, column: ActualColumn, of pairs: String
  ) -> [PlannedColumn] {
    var columns = [
      PlannedColumn(
        column: .key(
          name, from: column.name, isNullable: false, to: end.isPolymorphic ? nil : end.entity),
        position: column.position, expression: quoted(column.name),
        decoding: .reference(otherSide: [:]), targetTable: end.table,
        targetEntity: end.isPolymorphic ? nil : entityBesideOthers(end))
    ]
    if end.isPolymorphic, let table = end.table {
      columns.append(
        PlannedColumn(
          column: .entity(of: name, from: "Z_ENT"), position: column.position,
          expression: Self.entity(of: column, from: pairs, in: table),
          decoding: .entityName(entityNames)))
    }
    return columns
  }
}

extension ResolvedReference {
  /// What tells that it is one: without a model, that may be less than a number of an entity.
  fileprivate var typeSource: PlannedColumn.TypeSource {
    guard relationship == nil, kind == .toOne, entityColumn == nil else { return .store }
    return target == nil ? .keyLike : .keyName
  }

  /// Pairs of a row whose own column is NULL and the row whose column points to it, as a query; with
  /// an entity only the pairs of its rows.
  func otherSide(of table: String, entity: Int64?, giving result: String) -> String? {
    guard let keyColumn, let counterpart, let other = counterpart.table,
      let column = counterpart.keyColumn
    else { return nil }
    let isMine = entity.map { " AND mine." + PlannedTable.condition(ofEntity: $0) } ?? ""
    // The rows of this side are looked up by row id, so no index is needed.
    return """
      SELECT mine.Z_PK, other.\(result) FROM \(quoted(other)) AS other
      CROSS JOIN \(quoted(table)) AS mine ON mine.Z_PK = other.\(quoted(column.name))
      WHERE mine.\(quoted(keyColumn.name)) IS NULL\(isMine) ORDER BY other.Z_PK
      """
  }
}

extension Column {
  /// The key of another row.
  static func key(
    _ name: String, from source: String? = nil, isNullable: Bool, to target: String?
  ) -> Column {
    Column(
      name: name, sourceColumn: source ?? name, type: .reference, role: .reference,
      isNullable: isNullable, target: target)
  }

  /// Which entity a reference points to, where that may be one of several.
  static func entity(of reference: String, from source: String) -> Column {
    Column(
      name: reference + entityEnding, sourceColumn: source, type: .text, role: .referenceEntity)
  }

  /// A place among the targets of a relationship.
  static func position(_ name: String, from source: String) -> Column {
    Column(name: name, sourceColumn: source, type: .integer, role: .position)
  }
}

extension ModelAttribute {
  /// The logical type and the decoding of the attribute's column; nil when nothing is stored.
  var storedForm: (type: LogicalType, decoding: CellDecoding)? {
    switch type {
    case .integer16, .integer32, .integer64: (.integer, .integer)
    case .boolean: (.boolean, .boolean)
    case .decimal: (.decimal, .decimal)
    case .double, .float: (.real, .real)
    case .string: (.text, .text)
    case .uri: (.uri, .text)
    case .date: (.timestamp, .secondsSince2001)
    case .uuid: (.uuid, .uuidBytes)
    case .binary, .transformable:
      (.binary, allowsExternalStorage ? .taggedBinary : .binary)
    case .undefined, .objectID, .composite, .other: nil
    }
  }
}
