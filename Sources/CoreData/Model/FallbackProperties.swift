import Bytes

/// Gives the columns that an entity uses their names and types, without a model.
struct FallbackProperties {
  private let lineage: [String]
  private let spelling: FallbackModel.Spelling
  private let end: (Int64) -> ResolvedEnd?

  /// Prepares for one entity; `end` describes an entity by its number.
  init(
    _ index: Int, entities: FallbackEntities, spelling: @escaping FallbackModel.Spelling,
    end: @escaping (Int64) -> ResolvedEnd?
  ) {
    lineage = entities.forest.lineage(of: index).map { entities.entities[$0].name }
    self.spelling = spelling
    self.end = end
  }

  /// What a column means for the entity; a known type makes an attribute of it.
  func property(in held: FallbackColumn) -> ResolvedProperty {
    let known = knownSpelling(of: held.column)
    if known?.type == nil, let reference = reference(in: held, known) {
      return .reference(reference)
    }
    let name = known?.name ?? String(held.column.name.dropFirst())
    let type = known?.type ?? AttributeType(guessedFrom: held.column.declaredType)
    return .attribute(
      ResolvedAttribute(
        name: name, definedBy: lineage.first ?? "",
        attribute: ModelAttribute(name: name, type: type), column: held.column))
  }

  private func reference(in held: FallbackColumn, _ known: KnownSpelling?) -> ResolvedReference? {
    switch held.use {
    case .attribute:
      return nil
    case .key(let target, let entityColumn, let position):
      return ResolvedReference(
        name: known?.name ?? String(held.column.name.dropFirst()),
        definedBy: lineage.first ?? "", kind: .toOne, target: target.flatMap { end($0) },
        keyColumn: held.column, entityColumn: entityColumn, positionColumn: position)
    case .owner(let number, let relationship, let position):
      guard let owner = end(number) else { return nil }
      return ResolvedReference(
        name: known?.name ?? "\(owner.entity)_\(relationship)", definedBy: owner.entity,
        kind: .owner, target: owner, keyColumn: held.column, positionColumn: position)
    }
  }

  private func knownSpelling(of column: ActualColumn) -> KnownSpelling? {
    for entity in lineage.reversed() {
      if let known = spelling(entity, column.name) { return known }
    }
    return nil
  }
}

extension AttributeType {
  /// The plainest type that a column with this declaration can have.
  init(guessedFrom declaration: String) {
    self =
      switch DeclaredType(declaration: declaration) {
      case .integer: .integer64
      case .timestamp: .date
      case .float: .double
      case .decimal: .decimal
      case .varchar: .string
      case .blob: .binary
      case nil: .undefined
      }
  }
}

/// What a column of a root entity's table seems to be when there is no model.
struct FallbackColumn {
  enum Use {
    case attribute
    /// The key of a row whose entity may be known by number.
    case key(target: Int64?, entity: ActualColumn?, position: ActualColumn?)
    /// The key of the row that owns this one by a to-many relationship.
    case owner(Int64, relationship: String, position: ActualColumn?)
  }

  let column: ActualColumn
  let use: Use
}

/// Reads the columns of a table by their names, declared types and indexes.
struct FallbackColumns {
  /// The columns that hold something, in their order.
  private(set) var columns: [FallbackColumn] = []
  /// Columns that no rule explains.
  private(set) var extra: [ActualColumn] = []
  private let byName: [String: ActualColumn]
  private let indexed: Set<String>
  private let isEntity: (Int64) -> Bool

  /// Reads a table; `isEntity` says which numbers belong to entities of the store.
  init(_ table: ActualTable, indexed: Set<String>, isEntity: @escaping (Int64) -> Bool) {
    byName = Dictionary(keepingFirst: table.columns.map { ($0.name, $0) })
    self.indexed = indexed
    self.isEntity = isEntity
    let companions = Dictionary(
      keepingFirst: table.columns.compactMap { column in
        companion(column).map { ($0.key, (column, $0.number)) }
      })
    for column in table.columns where !StoredName.leadingColumns.contains(column.name) {
      if companion(column) != nil || positionKey(column) != nil { continue }
      if let use = use(of: column, companion: companions[column.name]) {
        columns.append(FallbackColumn(column: column, use: use))
      } else {
        extra.append(column)
      }
    }
  }

  private func use(
    of column: ActualColumn, companion: (ActualColumn, Int64)?
  ) -> FallbackColumn.Use? {
    // A position stands beside its reference, which is not there.
    guard column.name.hasPrefix("Z"), !column.name.hasPrefix("Z_FOK_") else { return nil }
    let position = byName["Z_FOK_" + column.name.dropFirst()]
    guard DeclaredType(declaration: column.declaredType) == .integer else { return .attribute }
    if let owner = numbered(column) {
      return .owner(owner.number, relationship: owner.rest, position: position)
    }
    if companion != nil || position != nil || indexed.contains(column.name) {
      return .key(target: companion?.1, entity: companion?.0, position: position)
    }
    return .attribute
  }

  /// The key column that a column such as `Z4_AUTHOR` belongs to.
  private func companion(_ column: ActualColumn) -> (number: Int64, key: String)? {
    guard let (number, rest) = numbered(column), rest.hasPrefix("_") else { return nil }
    let key = "Z" + rest.dropFirst()
    return byName[key] == nil ? nil : (number, key)
  }

  private func numbered(_ column: ActualColumn) -> (number: Int64, rest: String)? {
    guard column.name.hasPrefix("Z"),
      let (number, rest) = StoredName.leadingNumber(column.name.dropFirst()),
      !rest.isEmpty, isEntity(number)
    else { return nil }
    return (number, rest)
  }

  /// The key column that a column such as `Z_FOK_AUTHOR` or `Z_FOK_4PAGES` belongs to.
  private func positionKey(_ column: ActualColumn) -> ActualColumn? {
    guard column.name.hasPrefix("Z_FOK_") else { return nil }
    return byName["Z" + column.name.dropFirst("Z_FOK_".count)]
  }
}
