import Bytes
import CommandLineKit
import Exports
import Records

/// What a conversion or a seed has done.
struct LoadReport: Sendable {
  let output: String
  private(set) var sources: [SourceDescription] = []
  /// The first source with each list of hashes, for a comparison with all would take its square.
  private var placeOfHashes: [[String]: Int] = [:]
  private(set) var balances: [TableBalance] = []
  var queue = QueueCounts()
  private(set) var findings: [Finding] = []
  /// The places of the sources that the findings are about.
  private(set) var findingSources: [Int] = []
  /// Whether the sources share their tables.
  private(set) var isMerged = false
  /// How many rows of each table lost to rows of other sources.
  private var mergedRows: [ExactText?: Int] = [:]
  /// The codes of values of such rows that no column could take, by table.
  private var mergedRejects: [ExactText: [String]] = [:]
  var leftOut: [Finding] = []
  /// The files of rejected rows, where they were asked for.
  var rejectFiles: RejectReport?
  /// The columns of plain files that rows lack or have as null, by table.
  private(set) var absences: [ExactText: ReportJSON] = [:]
  /// What is to be said of those that rows lack.
  private(set) var missing: [ExactText: [String]] = [:]
  var loadedTables = 0

  init(output: String) {
    self.output = output
  }

  /// Takes the books of one source: `loaded` has those of the chosen tables, in order.
  mutating func add(
    _ loaded: ArraySlice<TableBalance>, of reader: any StoreReader, _ chosen: Set<Int>
  ) throws(StoreError) {
    var rest = loaded
    for (index, table) in reader.catalogue.tables.enumerated() {
      if chosen.contains(index), let balance = rest.popFirst() {
        balances.append(balance)
        addAbsences(in: reader, index)
      } else {
        var balance = TableBalance(name: table.name)
        balance.read = try reader.countRows(inTable: index)
        balance.filtered = balance.read
        balances.append(balance)
      }
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
      let rows = Quantity.count(missing, "row", "rows")
      self.missing[ExactText(table.name), default: []].append(
        "\(column.name) is missing in \(rows) and null in \(Quantity.count(nulls))")
    }
    if !columns.isEmpty { absences[ExactText(table.name)] = .array(columns) }
  }

  /// Takes a source that is loaded, and what a person should know about it.
  mutating func add(_ source: SourceDescription, _ told: [Finding]) {
    add(told)
    let hashes = source.files.map(\.sha256)
    if placeOfHashes[hashes] == nil { placeOfHashes[hashes] = sources.count }
    sources.append(source)
  }

  /// Takes rows that lost to those of other sources; only the first of a table are listed.
  mutating func addMerged(_ rows: [MergedRow]) {
    for row in rows {
      for reject in row.rejects {
        mergedRejects[ExactText(reject.table), default: []].append(reject.code)
      }
      let table = row.finding.table.map { ExactText($0) }
      mergedRows[table, default: 0] += 1
      if mergedRows[table, default: 0] <= MergedRow.mostListed { add([row.finding]) }
    }
  }

  /// Adds what no column could take of rows that lost to the books from a place on.
  mutating func countRejectsOfMergedRows(from first: Int) {
    for place in balances.indices.dropFirst(first) {
      let codes = mergedRejects.removeValue(forKey: ExactText(balances[place].name)) ?? []
      balances[place].count(rejectsOfMergedRows: codes)
    }
  }

  /// What tells of the rows that lost and are not listed.
  var unlistedMergedRows: [Finding] {
    mergedRows.filter { $0.value > MergedRow.mostListed }
      .sorted { ($0.key ?? "") < ($1.key ?? "") }
      .map { MergedRow.rest($0.value - MergedRow.mostListed, ofTable: $0.key?.wrappedValue) }
  }

  /// Makes one of the books that a table has for each source.
  mutating func uniteBalances() {
    var places: [ExactText: Int] = [:]
    var united: [TableBalance] = []
    for balance in balances {
      if let place = places[ExactText(balance.name)] {
        united[place].add(balance)
      } else {
        places[ExactText(balance.name)] = united.count
        united.append(balance)
      }
    }
    balances = united
    isMerged = true
  }

  /// Tells of a source that is the same as one before, byte for byte.
  func findingOfTwin(_ files: [SourceFile], _ reader: any StoreReader) -> [Finding] {
    guard let twin = placeOfHashes[files.map(\.sha256)].map({ sources[$0] }) else { return [] }
    return [
      Finding(
        "source-given-twice", .warning,
        message: "the store has the same bytes as \(twin.label); its operations and its rows "
          + "without an id are here twice")
    ]
  }

  /// Takes findings about the source that is being loaded.
  private mutating func add(_ told: [Finding]) {
    findings += told
    findingSources += told.map { _ in sources.count }
  }

  var rejects: Int { balances.reduce(0) { $0 + $1.rejected + $1.rejectedCells } }

  /// Reports to the person or the program.
  ///
  /// - Returns: the exit code of the run.
  func tell(_ session: Session) throws(StoreError) -> ExitCode {
    if session.wantsJSON {
      try session.print(json)
    } else {
      session.say(text(session.console.terminal.errorStyle))
    }
    return session.exitCode(findings: findings + leftOut, rejects: leftOut.count + rejects)
  }
}
