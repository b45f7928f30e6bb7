import Bytes
import CommandLineKit
import Exports
import Merging
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
  private(set) var absences: [ExactText: [ColumnAbsence]] = [:]

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
    let merged = reader as? MergedReader
    guard let plain = (merged?.base ?? reader).plainFiles else { return }
    let table = reader.catalogue.tables[index]
    let own =
      merged?.ownPlaces(ofTable: index) ?? (table: index, columns: table.columns.indices.map { $0 })
    let columns = zip(table.columns, own.columns).compactMap { column, place in
      let isOfMerge = column.role == .source || column.role == .referenceEntity
      return place == nil && isOfMerge
        ? nil : ColumnAbsence(column.name, plain.absence(ofColumn: place, inTable: own.table))
    }
    if !columns.isEmpty { absences[ExactText(table.name)] = columns }
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

/// A column that rows of JSON lack, or have as null.
struct ColumnAbsence: Sendable {
  let name: String
  private(set) var nulls: Int
  private(set) var missing: Int

  /// Nil where no row lacks it, or has it as null.
  init?(_ name: String, _ found: (nulls: Int, missing: Int)) {
    guard found.nulls + found.missing > 0 else { return nil }
    self.name = name
    (nulls, missing) = found
  }

  /// Takes what the rows of one more source lack.
  mutating func add(_ other: ColumnAbsence) {
    nulls += other.nulls
    missing += other.missing
  }

  var json: ReportJSON {
    [
      "name": .string(name), "nulls": ReportJSON(count: nulls),
      "missing": ReportJSON(count: missing),
    ]
  }

  /// What is said of it; nil where no row lacks it.
  var words: String? {
    guard missing > 0 else { return nil }
    return "\(name) is missing in \(missing.counted("row", "rows")) and null in \(nulls.grouped)"
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
