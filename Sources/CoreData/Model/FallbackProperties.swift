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
      if let known = spelling(entity, column) { return known }
    }
    return nil
  }
}

extension AttributeType {
  /// The plainest type that a column with this declaration can have; undefined where Core Data
  /// declares none so.
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
