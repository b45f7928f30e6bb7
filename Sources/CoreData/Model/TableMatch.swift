import Bytes

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
    byName = Dictionary(keepingFirst: indexes.map { (tables[$0].name, $0) })
    byFolded = Dictionary(keepingFirst: indexes.map { (StoredName.folded(tables[$0].name), $0) })
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

  /// Finds the predicted columns of a table among those it really has.
  ///
  /// Exact names come first; where several properties want one name the declared types decide.
  struct ColumnMatch {
    /// The column of each predicted one, by position.
    private(set) var found: [ActualColumn?]
    /// What is not as predicted.
    private(set) var differences: [SchemaDifference] = []
    private let predicted: [PredictedColumn]
    private let actual: ActualTable
    private let types: [DeclaredType?]
    private var open: Set<Int>
    private let byName: [String: Int]
    private let byBase: [String: [Int]]
    private let byFolded: [String: [Int]]

    init(_ predicted: [PredictedColumn], in actual: ActualTable) {
      self.predicted = predicted
      self.actual = actual
      found = [ActualColumn?](repeating: nil, count: predicted.count)
      types = actual.columns.map { DeclaredType(declaration: $0.declaredType) }
      let columns = actual.columns.indices.filter {
        !StoredName.leadingColumns.contains(actual.columns[$0].name)
      }
      let names = { (index: Int) in actual.columns[index].name }
      open = Set(columns)
      byName = Dictionary(keepingFirst: columns.map { (names($0), $0) })
      byBase = Self.byPossibleBase(columns, names)
      byFolded = Dictionary(grouping: columns) { StoredName.folded(names($0)) }
      match()
    }

    private mutating func match() {
      let clusters = self.clusters()
      let rest = clusters.filter { !claimExactly($0) }
      for cluster in rest { claimByType(cluster) }
      for cluster in rest { claimByName(cluster) }
      for cluster in rest { claimBySpelling(cluster) }
      for place in predicted.indices { noteDifference(at: place) }
      noteLeadingColumns()
      for index in open.sorted() where actual.columns[index].isReadable {
        differences.append(
          .extraColumn(table: actual.name, column: actual.columns[index].name))
      }
      // No other column is that of the property, which is left out.
      found = found.map { $0?.readable }
    }

    /// Predicted columns that want the same name, in order.
    private func clusters() -> [[Int]] {
      let users = Dictionary(grouping: predicted.indices) { predicted[$0].base }
      return users.values.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    }

    /// Takes the columns of a cluster if all are there, with the right types where it matters.
    private mutating func claimExactly(_ cluster: [Int]) -> Bool {
      let isAlone = cluster.count == 1
      let indexes = cluster.map { place -> Int? in
        guard let index = byName[predicted[place].name], open.contains(index) else { return nil }
        return isAlone || hasType(of: place, index) ? index : nil
      }
      guard indexes.allSatisfy({ $0 != nil }) else { return false }
      for (place, index) in zip(cluster, indexes) { claim(index, for: place) }
      return true
    }

    /// Gives the users of a name the columns of their own type, in order.
    ///
    /// That is certain only when there are as many columns as users; otherwise names must decide.
    private mutating func claimByType(_ cluster: [Int]) {
      guard cluster.count > 1 else { return }
      let candidates = self.candidates(for: cluster)
      let columns = Dictionary(grouping: candidates) { types[$0] }
      for (type, users) in Dictionary(grouping: cluster, by: { predicted[$0].type }) {
        guard let type, let fitting = columns[type], fitting.count == users.count else { continue }
        for (place, index) in zip(users, fitting) { claim(index, for: place) }
      }
    }

    private mutating func claimByName(_ cluster: [Int]) {
      for place in cluster where found[place] == nil {
        guard let index = byName[predicted[place].name], open.contains(index) else { continue }
        claim(index, for: place)
      }
    }

    /// Takes a column whose name differs in case or digits, if there is just one.
    private mutating func claimBySpelling(_ cluster: [Int]) {
      guard !open.isEmpty else { return }
      let suffixed = candidates(for: cluster)
      for place in cluster where found[place] == nil {
        let key = StoredName.folded(predicted[place].name)
        let folded = (byFolded[key] ?? []).filter { open.contains($0) }
        let fitting = suffixed.filter { open.contains($0) && hasType(of: place, $0) }
        let choice = folded.count == 1 ? folded : fitting
        if choice.count == 1 { claim(choice.first, for: place) }
      }
    }

    /// Columns not yet taken that are named after a cluster, the lowest suffix first.
    private func candidates(for cluster: [Int]) -> [Int] {
      guard let base = cluster.first.map({ predicted[$0].base }) else { return [] }
      let named = (byBase[base] ?? []).filter { open.contains($0) }
      return named.sorted { left, right in
        let (left, right) = (actual.columns[left].name, actual.columns[right].name)
        return (left.utf8.count, left) < (right.utf8.count, right)
      }
    }

    /// Columns by every name that theirs could be with digits added; no honest suffix is longer.
    private static func byPossibleBase(
      _ columns: [Int], _ name: (Int) -> String
    ) -> [String: [Int]] {
      var byBase: [String: [Int]] = [:]
      for index in columns {
        var base = name(index)[...]
        byBase[String(base), default: []].append(index)
        for _ in 0..<6 {
          guard let last = base.last, last.isASCII, last.isNumber else { break }
          base.removeLast()
          byBase[String(base), default: []].append(index)
        }
      }
      return byBase
    }

    private mutating func claim(_ index: Int?, for place: Int) {
      guard let index else { return }
      found[place] = actual.columns[index]
      open.remove(index)
    }

    private func hasType(of place: Int, _ index: Int) -> Bool {
      guard let type = predicted[place].type else { return true }
      return types[index] == type
    }

    private mutating func noteLeadingColumns() {
      let names = Set(actual.columns.map(\.name))
      for column in StoredName.leadingColumns.subtracting(names).sorted() {
        differences.append(.missingLeadingColumn(table: actual.name, column: column))
      }
    }

    private mutating func noteDifference(at place: Int) {
      let wanted = predicted[place]
      guard let column = found[place] else {
        differences.append(
          .missingColumn(wanted.property, table: actual.name, column: wanted.name))
        return
      }
      if column.name != wanted.name {
        differences.append(
          .columnSpelling(
            wanted.property, table: actual.name, predicted: wanted.name, actual: column.name))
      }
      if let type = wanted.type, !hasType(of: place, column.position) {
        differences.append(
          .columnType(
            wanted.property, table: actual.name, column: column.name, predicted: type.rawValue,
            actual: column.declaredType))
      }
    }
  }
}

/// A table as it stands in the store.
struct ActualTable: Sendable, Equatable {
  let name: String
  /// Its columns in their order.
  let columns: [ActualColumn]

  /// Describes a table by the names and declared types of its columns.
  init(name: String, columns: [(name: String, declaredType: String)]) {
    self.name = name
    self.columns = columns.enumerated().map {
      ActualColumn(name: $1.name, declaredType: $1.declaredType, position: $0)
    }
  }

  private init(name: String, columns: [ActualColumn]) {
    self.name = name
    self.columns = columns
  }

  /// The same table, in which only the columns at some places can be read.
  func reading(columnsAt places: Set<Int>) -> ActualTable {
    ActualTable(
      name: name,
      columns: columns.map { column in
        var column = column
        column.isReadable = places.contains(column.position)
        return column
      })
  }

  /// The same table as if it had no column that cannot be read.
  var readable: ActualTable {
    guard columns.contains(where: { !$0.isReadable }) else { return self }
    return ActualTable(
      name: name, columns: columns.filter(\.isReadable).map { ($0.name, $0.declaredType) })
  }
}

/// A column as it stands in the store.
package struct ActualColumn: Sendable, Hashable {
  /// Its name.
  package let name: String
  /// What it is declared with, as the schema spells it.
  let declaredType: String
  /// Its place in the table, from 0.
  package let position: Int
  /// Whether it has values; one that is computed may have none.
  var isReadable = true

  /// The column, if it can be read.
  var readable: ActualColumn? { isReadable ? self : nil }
}
