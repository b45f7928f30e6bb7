import Bytes
import CommandLineKit
import Exports
import Records

/// What is to be told of a source that was loaded, but for the books of the tables in the store.
struct LoadedSource: Sendable {
  var source: SourceDescription
  var queue = QueueCounts()
  /// What a person should know about it.
  var findings = Findings()
  /// Its rows that gave way to those of other sources.
  var gaveWay = RowsThatGaveWay()
  /// For each of its tables the books where it was left out; nil where the store has them.
  private(set) var leftOut: [TableBalance?] = []
  /// The columns of plain files that rows lack or have as null, by table.
  private(set) var absences: [ExactText: ReportJSON] = [:]
  /// What is to be said of those that rows lack.
  private(set) var missing: [ExactText: [String]] = [:]

  init(_ source: SourceDescription) {
    self.source = source
  }

  /// Counts what the tables have that were left out, and what the others lack; after all was read.
  mutating func countTables(
    of reader: any StoreReader, _ chosen: Set<Int>
  ) throws(StoreError) {
    for (index, table) in reader.catalogue.tables.enumerated() {
      guard !chosen.contains(index) else {
        leftOut.append(nil)
        addAbsences(in: reader, index)
        continue
      }
      var balance = TableBalance(name: table.name)
      balance.read = try reader.countRows(inTable: index)
      balance.filtered = balance.read
      leftOut.append(balance)
    }
  }

  private mutating func addAbsences(in reader: any StoreReader, _ index: Int) {
    guard let plain = reader.plainFiles else { return }
    let table = reader.catalogue.tables[index]
    var columns: [ReportJSON] = []
    for (place, column) in table.columns.enumerated() {
      let (nulls, missing) = plain.absence(ofColumn: place, inTable: index)
      guard nulls + missing > 0 else { continue }
      columns.append(
        [
          "name": .string(column.name), "nulls": ReportJSON(count: nulls),
          "missing": ReportJSON(count: missing),
        ])
      guard missing > 0 else { continue }
      let rows = missing.counted("row", "rows")
      self.missing[ExactText(table.name), default: []].append(
        "\(column.name) is missing in \(rows) and null in \(nulls.grouped)")
    }
    if !columns.isEmpty { absences[ExactText(table.name)] = .array(columns) }
  }

  /// The books of all its tables in their order, given those that the store has.
  func balances(_ stored: [TableBalance]) -> [TableBalance] {
    var rest = stored[...]
    return leftOut.compactMap { balance in
      guard balance == nil else { return balance }
      var own = rest.popFirst()
      if let name = own?.name, let rejects = gaveWay.rejects(ofTable: name) {
        own?.count(rejectsOfMergedRows: rejects.codes, rows: rejects.rows)
      }
      return own
    }
  }
}

/// Rows of sources that gave way to those of others; of each table only the first are listed.
struct RowsThatGaveWay: Sendable {
  private var counts: [ExactText?: Int] = [:]
  /// The codes of their values that no column could take, and how many rows have such, by table.
  private var rejects: [ExactText: (codes: [String], rows: Int)] = [:]
  private(set) var listed: [Finding] = []

  mutating func add(_ rows: [MergedRow]) {
    for row in rows {
      for (table, ofTable) in Dictionary(grouping: row.rejects, by: { ExactText($0.table) }) {
        rejects[table, default: ([], 0)].codes += ofTable.map(\.code)
        rejects[table, default: ([], 0)].rows += 1
      }
      add(row.finding)
    }
  }

  /// Takes those of one more source.
  ///
  /// - Returns: those that are listed now.
  mutating func add(_ other: RowsThatGaveWay) -> [Finding] {
    let before = listed.count
    for finding in other.listed { add(finding) }
    for (table, count) in other.counts where count > MergedRow.mostListed {
      counts[table, default: 0] += count - MergedRow.mostListed
    }
    return Array(listed[before...])
  }

  private mutating func add(_ finding: Finding) {
    let table = finding.table.map { ExactText($0) }
    counts[table, default: 0] += 1
    if counts[table, default: 0] <= MergedRow.mostListed { listed.append(finding) }
  }

  func rejects(ofTable name: String) -> (codes: [String], rows: Int)? { rejects[ExactText(name)] }

  /// What tells of those that are not listed.
  var rest: [Finding] {
    counts.filter { $0.value > MergedRow.mostListed }
      .sorted { ($0.key ?? "") < ($1.key ?? "") }
      .map { MergedRow.rest($0.value - MergedRow.mostListed, ofTable: $0.key?.wrappedValue) }
  }
}
