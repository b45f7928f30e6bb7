/// Finds predicted tables among those that a store really has, each at most once.
struct TableMatch {
  /// What is not as predicted.
  private(set) var differences: [SchemaDifference] = []
  private let tables: [ActualTable]
  private let byName: [String: Int]
  private let byFolded: [String: Int]
  private var taken: Set<Int> = []

  /// Prepares a match with the tables of a store.
  init(_ tables: [ActualTable]) {
    self.tables = tables
    let indexes = tables.indices.filter { !StoreTableKind(table: tables[$0].name).isSystem }
    byName = Dictionary(
      indexes.map { (tables[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    byFolded = Dictionary(
      indexes.map { (StoredName.folded(tables[$0].name), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Whether a table is there that nobody has taken yet.
  func hasTable(named name: String) -> Bool {
    byName[name].map { !taken.contains($0) } ?? false
  }

  /// Takes the table of a root entity; notes when it is missing.
  mutating func takeTable(named name: String, of entity: String) -> ActualTable? {
    guard let index = byName[name] ?? byFolded[StoredName.folded(name)] else {
      differences.append(.missingTable(entity: entity, table: name))
      return nil
    }
    return take(index, predicted: name, for: entity)
  }

  /// Takes the table of a relationship pair, the one whose columns fit if both names exist.
  mutating func takeJoinTable(
    _ predicted: PredictedJoinTable, _ name: PropertyName, inverse: PropertyName
  ) -> ActualTable? {
    let exact = predicted.candidates.compactMap { byName[$0] }.filter { !taken.contains($0) }
    let folded = predicted.candidates.compactMap { byFolded[StoredName.folded($0)] }
    let existing = exact.isEmpty ? folded : exact
    let fitting = existing.filter { JoinColumns(predicted, in: tables[$0]).hasBothKeys }
    guard let chosen = fitting.first ?? existing.first else {
      differences.append(
        .missingJoinTable(name, inverse: inverse, candidates: predicted.candidates))
      return nil
    }
    if let other = fitting.dropFirst().first, other != chosen {
      differences.append(
        .severalJoinTables(name, chosen: tables[chosen].name, other: tables[other].name))
    }
    let predictedName =
      exact.isEmpty ? predicted.candidates.first ?? "" : tables[chosen].name
    return take(chosen, predicted: predictedName, for: name.description)
  }

  /// Notes the tables that nobody took, unless they are the system's own.
  mutating func noteLeftovers() {
    for index in byName.values.sorted() where !taken.contains(index) {
      differences.append(.extraTable(table: tables[index].name))
    }
  }

  private mutating func take(
    _ index: Int, predicted: String, for wanting: String
  ) -> ActualTable? {
    let table = tables[index]
    guard taken.insert(index).inserted else {
      differences.append(.tableTaken(wantedBy: wanting, table: table.name))
      return nil
    }
    if table.name != predicted {
      differences.append(.tableSpelling(predicted: predicted, actual: table.name))
    }
    return table
  }
}
