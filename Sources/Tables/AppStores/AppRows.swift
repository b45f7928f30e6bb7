import Bytes
package import Records
package import SQLite

/// A table of an app's store, with what goes into it.
package protocol AppTable: Sendable {
  /// The table as the source's catalogue describes it.
  var source: Table { get }
  var name: String { get }
  /// The name under which the row's key is written; nil where there is none.
  var key: String? { get }
  /// What is added to the keys of the source's rows.
  var keyOffset: Int64 { get }
  /// The keys that the app itself may give to rows.
  var possibleKeys: ClosedRange<Int64> { get }
  /// The columns that are written, each with its place among the cells of a row, if it has one.
  var targets: [(name: String, place: Int?)] { get }
  /// The places of the source's columns for which the app has no property, and their names.
  var leftOut: [(place: Int, name: String)] { get }
  /// How the table is filled page by page; nil where only the engine knows its rules.
  var pageForm: PageForm? { get }
  /// The place among the targets of one that is the row's number itself, if any is: the engine would
  /// make a number up for none.
  var rowNumberPlace: Int? { get }
  /// What the app has for nothing, as SQL, by the places of targets.
  var fallbacks: [Int: String] { get }
  /// The places among the targets of what a row is nothing without.
  ///
  /// Where one of them is to be nothing although the source has something, the row itself is left out.
  var endPlaces: [Int] { get }

  /// The value of a cell of a row as a column stores it, its bytes added to `bytes`; nil when it is
  /// not of the column's type.
  func value(
    of cell: Cell, in row: ArraySlice<Cell>, forColumn column: Int, arena: Span<UInt8>,
    into bytes: inout [UInt8], _ losses: inout Losses
  ) -> BoundValue?

  /// What a column holds for a cell that was rejected: what the app has for nothing would be a value
  /// of nobody's.
  func valueOfRejected(forColumn column: Int) -> BoundValue
}

extension AppTable {
  package func valueOfRejected(forColumn column: Int) -> BoundValue { .null }
  package var pageForm: PageForm? { nil }
  package var rowNumberPlace: Int? { nil }
  package var fallbacks: [Int: String] { [:] }
  package var endPlaces: [Int] { [] }

  package var possibleKeys: ClosedRange<Int64> { .min ... .max }

  /// The places of the source's columns that the app has, too.
  package var filledPlaces: Set<Int> { Set(targets.compactMap(\.place)) }

  /// Those of them of which the server has the values: references between rows no SDK has ever sent.
  package var pulledPlaces: Set<Int> {
    filledPlaces.filter { !source.columns[$0].role.isOfLinks }
  }

  /// Those of which the app sends values.
  package var sentPlaces: Set<Int> {
    let style = SDKStyle()
    return filledPlaces.filter { style.sends(source.columns[$0]) }
  }
}

/// Puts the rows of one table into an app's store, and keeps its books.
struct AppRows<Table: AppTable>: ~Copyable {
  private(set) var balance: TableBalance
  /// Whether some rows lack a value that the server has.
  private(set) var lacksValues = false
  private let table: Table
  private let targets: [(name: String, place: Int?)]
  /// The places of the source's columns of which the server has the values.
  private let pulled: Set<Int>
  private let possibleKeys: ClosedRange<Int64>
  /// The places of the source's columns of which the app sends values.
  private let sent: Set<Int>
  /// Where the rows go page by page, and how the engine takes others.
  private var pages: RowsInPages?
  private var insertion: BulkInsert?
  /// The places among the targets of what a row is nothing without.
  private let ends: [Int]
  private var values: [BoundValue] = []
  /// Whether the row of the values is left out, since something that it is nothing without is.
  private var isLeftOut = false
  private var bytes: [UInt8] = []

  init(_ table: Table, _ file: AppStoreFile) throws(StoreError) {
    self.table = table
    targets = table.targets
    pulled = table.pulledPlaces
    possibleKeys = table.possibleKeys
    sent = table.sentPlaces
    ends = table.endPlaces
    balance = TableBalance(name: table.source.name)
    if let form = table.pageForm {
      pages = try file.withFile { (file) throws(StoreError) in
        try RowsInPages(into: table.name, form, &file)
      }
    } else {
      try useEngine(file)
    }
  }

  /// The name of the table in the app's store.
  var name: String { table.name }

  private mutating func useEngine(_ file: AppStoreFile) throws(StoreError) {
    let table = table
    insertion = try file.prepare { (connection) throws(SQLiteError) in
      try BulkInsert(
        into: table.name, key: table.key, columns: table.targets.map(\.name),
        fallbacks: table.fallbacks, of: connection)
    }
  }

  /// What a store did not take of a batch.
  struct Refused {
    /// The values that no column of the app could take.
    var cells: [CellReject] = []
    /// The rows that it did not let in; what goes page by page is let in or not at the end.
    var rows: [RowRefusal] = []
  }

  /// Inserts the rows of a batch; those that the store refuses are counted.
  mutating func insert(
    _ batch: borrowing RecordBatch, into file: AppStoreFile, _ losses: inout Losses,
    _ gaps: inout RowsWithGaps
  ) throws(StoreError) -> Refused {
    var refused = Refused()
    balance.read += batch.rowCount
    for reject in batch.rejects {
      noteGap(inRow: batch.keys[reject.row], at: reject.column, &gaps)
    }
    let rejected = Set(batch.rejects.map { $0.row * batch.columnCount + $0.column })
    for row in 0..<batch.rowCount {
      prepare(row, of: batch, rejected, &refused.cells, &losses, &gaps)
      if isLeftOut {
        balance.filtered += 1
      } else if let reason = try insert(row, of: batch, into: file, &losses) {
        refuse(reason, &losses)
        refused.rows.append(RowRefusal(row: row, reason: reason))
      }
    }
    let rejects = batch.rejects + refused.cells
    lacksValues = lacksValues || rejects.contains { pulled.contains($0.column) }
    balance.count(rejects)
    return refused
  }

  /// Inserts the row of the values, which is the one of a batch at a place; returns why it cannot.
  private mutating func insert(
    _ row: Int, of batch: borrowing RecordBatch, into file: AppStoreFile, _ losses: inout Losses
  ) throws(StoreError) -> String? {
    let (key, isTooLarge) = batch.keys[row].addingReportingOverflow(table.keyOffset)
    if isTooLarge || key > possibleKeys.upperBound {
      let isOwn = batch.keys[row] > possibleKeys.upperBound
      return isOwn ? "the app's keys end at \(possibleKeys.upperBound)" : "no key is left"
    }
    if key < possibleKeys.lowerBound { return "the app's keys begin at \(possibleKeys.lowerBound)" }
    return try insert(key: key, into: file, &losses)
  }

  private mutating func insert(
    key: Int64, into file: AppStoreFile, _ losses: inout Losses
  ) throws(StoreError) -> String? {
    let (values, bytes) = (values, bytes)
    if let place = ends.first(where: { if case .null = values[$0] { true } else { false } }) {
      return reason(ofNullIn: place)
    }
    if let place = table.rowNumberPlace, case .null = values[place] {
      return reason(ofNullIn: place)
    }
    switch pages?.place(of: values, key: key) {
    case .behind:
      pages?.append(values, bytes.span, key: key)
      balance.written += 1
      guard pages?.isFull == true else { return nil }
      try file.withFile { (file) throws(StoreError) in try pages?.flush(&file) }
      return nil
    case .nowhere(let column): return reason(ofNullIn: column)
    case .unknown: try endPages(file, &losses)
    case nil: break
    }
    do {
      try insertion?.insert(key: key, arena: bytes.span) { values[$0] }
      balance.written += 1
      return nil
    } catch {
      guard error.code.primary == .constraint else {
        throw StoreError(error, path: file.destination)
      }
      return error.message
    }
  }

  private func reason(ofNullIn column: Int) -> String {
    "NOT NULL constraint failed: \(table.name).\(targets[column].name)"
  }

  private mutating func refuse(_ reason: String, count: Int = 1, _ losses: inout Losses) {
    balance.rejected += count
    losses.addRefusedRows(table: balance.name, reason, count: count)
  }

  /// Ends what goes page by page; the engine decides about rows of one key, and goes on.
  mutating func endPages(
    _ file: AppStoreFile, _ losses: inout Losses
  ) throws(StoreError) {
    guard var pages = pages.take() else { return }
    let rows = try file.withFile { (file) throws(StoreError) in try pages.finish(&file) }
    try useEngine(file)
    if rows?.isEmpty == true { return }
    let refusals = try file.withDatabase { (connection) throws(SQLiteError) in
      try connection.insertAgain(rows, of: table)
    }
    for (reason, count) in refusals {
      balance.written -= count
      refuse(reason, count: count, &losses)
    }
  }

  /// Makes the rows a part of the store.
  mutating func finish(_ file: AppStoreFile, _ losses: inout Losses) throws(StoreError) {
    try endPages(file, &losses)
  }

  /// Takes rows into account that the source could not give, or that gave way to others.
  mutating func end(counted count: Int, lost: Int, merged: Int) throws(StoreError) {
    try balance.end(counted: count, lost: lost, merged: merged)
  }

  private func noteGap(inRow key: Int64, at place: Int, _ gaps: inout RowsWithGaps) {
    let isOfVersion = table.source.columns[place].role == .version
    guard isOfVersion || sent.contains(place) else { return }
    gaps.add(key, ofTable: balance.name, isOfVersion: isOfVersion)
  }

  /// Makes the values of a row; `rejected` are the places of cells that the source has rejected.
  private mutating func prepare(
    _ row: Int, of batch: borrowing RecordBatch, _ rejected: Set<Int>,
    _ refused: inout [CellReject], _ losses: inout Losses, _ gaps: inout RowsWithGaps
  ) {
    values.removeAll(keepingCapacity: true)
    isLeftOut = false
    bytes.removeAll(keepingCapacity: true)
    let cells = batch.cells(ofRow: row)
    let arena = batch.arena
    for (column, target) in targets.enumerated() {
      if !rejected.isEmpty, let place = target.place,
        rejected.contains(row * batch.columnCount + place)
      {
        values.append(table.valueOfRejected(forColumn: column))
        continue
      }
      let cell = target.place.map { cells[cells.startIndex + $0] } ?? .null
      let value = table.value(
        of: cell, in: cells, forColumn: column, arena: arena.span, into: &bytes, &losses)
      if cell.kind != .null, case .null? = value, ends.contains(column) { isLeftOut = true }
      // What the source has no column for, the app's store takes.
      if value == nil, let place = target.place {
        refused.append(
          CellReject(
            row: row, column: place, code: .valueOfWrongType, raw: RawValue(cell, in: arena.span)))
        losses.add(
          .warning, table: balance.name,
          "values of \(balance.name).\(table.source.columns[place].name) that the app's column does not "
            + "hold, which became NULL")
        noteGap(inRow: batch.keys[row], at: place, &gaps)
      }
      values.append(value ?? table.valueOfRejected(forColumn: column))
    }
    for (place, name) in table.leftOut {
      let cell = cells[cells.startIndex + place]
      guard cell.kind != .null else { continue }
      if table.source.columns[place].role != .deleted {
        losses.add(
          .warning, table: balance.name,
          "values of \(balance.name).\(name), for which the app has no property")
      } else if cell != .integer(0) {
        // An app's SDK takes such rows out; a mark that says no is nothing lost.
        losses.add(
          .warning, table: balance.name,
          "rows of \(balance.name) that are marked as deleted, which are there as all others, since the "
            + "app has no property for the mark")
      }
    }
  }
}
