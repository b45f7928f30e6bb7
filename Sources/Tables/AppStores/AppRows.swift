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
  /// The columns that are written, each with its place among the cells of a row, if it has one.
  var targets: [(name: String, place: Int?)] { get }
  /// The places of the source's columns for which the app has no property, and their names.
  var leftOut: [(place: Int, name: String)] { get }

  /// The value of a cell as a column stores it, its bytes added to `bytes`; nil when it is not of
  /// the column's type.
  func value(
    of cell: Cell, forColumn column: Int, arena: Span<UInt8>, into bytes: inout [UInt8],
    _ losses: inout Losses
  ) -> BoundValue?
}

/// Puts the rows of one table into an app's store, and keeps its books.
struct AppRows<Table: AppTable>: ~Copyable {
  private(set) var balance: TableBalance
  private let table: Table
  private let targets: [(name: String, place: Int?)]
  private var insertion: BulkInsert
  private var values: [BoundValue] = []
  private var bytes: [UInt8] = []

  init(_ table: Table, _ connection: borrowing Connection) throws(SQLiteError) {
    self.table = table
    targets = table.targets
    balance = TableBalance(name: table.source.name)
    insertion = try BulkInsert(
      into: table.name, key: table.key, columns: table.targets.map(\.name), of: connection)
  }

  /// Inserts the rows of a batch; those that the store refuses are counted.
  mutating func insert(
    _ batch: borrowing RecordBatch, _ losses: inout Losses
  ) throws(SQLiteError) {
    balance.read += batch.rowCount
    balance.count(batch.rejects)
    for row in 0..<batch.rowCount {
      prepare(row, of: batch, &losses)
      let (key, isTooLarge) = batch.keys[row].addingReportingOverflow(table.keyOffset)
      guard !isTooLarge else {
        balance.rejected += 1
        losses.addRefusedRow(table: balance.name, "no key is left")
        continue
      }
      do {
        let (values, bytes) = (values, bytes)
        try insertion.insert(key: key, arena: bytes.span) { values[$0] }
        balance.written += 1
      } catch {
        guard error.code.primary == .constraint else { throw error }
        balance.rejected += 1
        losses.addRefusedRow(table: balance.name, error.message)
      }
    }
  }

  /// Takes rows into account that the source could not give, or that gave way to others.
  mutating func end(counted count: Int, lost: Int, merged: Int) throws(StoreError) {
    balance.read += merged
    balance.merged += merged
    balance.filtered += merged
    guard balance.isBalanced, balance.read == count else {
      throw StoreError(balance, counted: count)
    }
    balance.read += lost
    balance.rejected += lost
  }

  private mutating func prepare(
    _ row: Int, of batch: borrowing RecordBatch, _ losses: inout Losses
  ) {
    values.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    let cells = batch.cells(ofRow: row)
    let arena = batch.arena
    for (column, target) in targets.enumerated() {
      let cell = target.place.map { cells[cells.startIndex + $0] } ?? .null
      let value = table.value(
        of: cell, forColumn: column, arena: arena.span, into: &bytes, &losses)
      if value == nil {
        let reject = CellReject(
          row: row, column: target.place ?? 0, code: .valueOfWrongType, raw: .binary([]))
        balance.count([reject])
      }
      values.append(value ?? .null)
    }
    for (place, name) in table.leftOut where cells[cells.startIndex + place].kind != .null {
      losses.add(
        .warning, table: balance.name,
        "values of \(balance.name).\(name), for which the app has no property")
    }
  }
}

/// What became of a value on its way into a column.
package enum ColumnValue {
  case taken(BoundValue)
  /// The column has no room for all of it.
  case changed(BoundValue)
  /// It is not of the column's type.
  case rejected
}
