import Bytes
import Records

/// A store of which only some tables are looked at, with what waits on them, as if it had no others.
final class ChosenTables: ReaderView {
  let base: any StoreReader
  let catalogue: Catalogue
  let kept: (any KeptRecords)?
  /// Where the source has the tables.
  private let places: [Int]
  private let queue: Queue
  private let scope: Scope

  /// Looks at the tables of a store that are chosen; `queue` is all that waits in it.
  init(_ tables: OperationTables, of base: any StoreReader, queue: Queue) {
    self.base = base
    let all = base.catalogue.tables
    places = all.indices.filter { tables.contain(all[$0].name) }
    var catalogue = base.catalogue
    catalogue.tables = places.map { all[$0] }
    self.catalogue = catalogue
    let scope = Scope(tables, leaving: queue.operations)
    self.scope = scope
    kept = base.kept.map { ChosenRecords($0, scope) }
    var queue = queue
    queue.operations = queue.operations.keeping { scope.has($0) }
    queue.errors = ErrorList(queue.errors.lazy.filter(scope.has(_:)))
    queue.tokens = TokenList(queue.tokens.lazy.filter { scope.has(table: $0.table) })
    queue.findings = scope.seen(of: queue.findings)
    self.queue = queue
  }

  var findings: Findings { scope.seen(of: base.findings) }

  func catalogueByValues() throws(StoreError) -> Catalogue {
    var catalogue = try base.catalogueByValues()
    catalogue.tables = places.map { catalogue.tables[$0] }
    return catalogue
  }

  func keepSpelling(ofColumn column: Int, inTable table: Int) {
    base.keepSpelling(ofColumn: column, inTable: places[table])
  }

  func examineRows() throws(StoreError) -> [Finding] {
    try base.examineRows().filter(scope.isSeen)
  }

  func countRows(inTable table: Int) throws(StoreError) -> Int {
    try base.countRows(inTable: places[table])
  }

  func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    try base.rows(ofTable: places[table], wanting: cells)
  }

  func forEachLostRow(
    besideTable table: Int, _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.forEachLostRow(besideTable: places[table], body)
  }

  func forEachMergedBatch(
    besideTable table: Int, _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.forEachMergedBatch(besideTable: places[table], body)
  }

  func readQueue() -> Queue { queue }
}

/// What belongs to chosen tables.
private struct Scope {
  private let tables: OperationTables
  /// The operations on other tables.
  private let others: KeySet

  init(_ tables: OperationTables, leaving operations: OperationList) {
    self.tables = tables
    others = KeySet(
      operations.lazy.filter { $0.table != nil && !tables.contain($0.table) }.map(\.sequence))
  }

  /// Whether an operation is on one of the tables; nobody knows that one without a table is not.
  func has(_ operation: PendingOperation) -> Bool { has(operation: operation.sequence) }

  func has(table: String?) -> Bool { tables.contain(table) }

  func has(operation: Int64) -> Bool { !others.contains(operation) }

  func has(_ error: OperationError) -> Bool {
    guard error.table == nil, let operation = error.operation else {
      return has(table: error.table)
    }
    return has(operation: operation)
  }

  /// Whether something was found of one of the tables, or of the store as a whole.
  func isSeen(_ finding: Finding) -> Bool {
    if let table = finding.table { return has(table: table) }
    return finding.operation.map(has(operation:)) ?? true
  }

  func seen(of findings: Findings) -> Findings { Findings(findings.lazy.filter(isSeen)) }
}

/// What earlier runs have kept of chosen tables.
private final class ChosenRecords: KeptRecords {
  private let base: any KeptRecords
  private let scope: Scope

  init(_ base: any KeptRecords, _ scope: Scope) { (self.base, self.scope) = (base, scope) }

  func forEachDeviceItem(_ body: (DeviceItem) throws(StoreError) -> Void) throws(StoreError) {
    try base.forEachDeviceItem { (item) throws(StoreError) in
      if scope.has(operation: item.operation) { try body(item) }
    }
  }

  func forEachJournalLine(_ body: (JournalLine) throws(StoreError) -> Void) throws(StoreError) {
    try base.forEachJournalLine(body)
  }

  func forEachStoredReject(_ body: (RejectedValue) throws(StoreError) -> Void) throws(StoreError) {
    try base.forEachStoredReject { (reject) throws(StoreError) in
      if scope.has(table: reject.table) { try body(reject) }
    }
  }

  func forEachStoredMergedBatch(
    _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try base.forEachStoredMergedBatch { (rows) throws(StoreError) in
      try body(rows.filter { scope.isSeen($0.finding) })
    }
  }
}
