package import Records
package import SQLite

/// How a layout keeps operations, errors and tokens.
package protocol QueueLayout: Sendable {
  /// How item ids of operations are compared with those of rows.
  var itemIDs: ItemIDComparison { get }
  /// Whether an update goes out under the version of its row, and not under one of its own.
  var takesVersionsFromRows: Bool { get }

  /// Reads everything in push order; rows are attached later.
  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue

  /// Adds what waits in the tables of the catalogue themselves, which stand beside the way to read
  /// them.
  func complete(
    _ queue: inout Queue, _ tables: [PlannedTable], _ catalogue: Catalogue,
    _ database: borrowing SourceDatabase
  ) throws(StoreError)

  /// What else the queue tells about the store.
  func facts(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SourceDescription.Fact]
}

extension QueueLayout {
  package func facts(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SourceDescription.Fact] { [] }

  package func complete(
    _ queue: inout Queue, _ tables: [PlannedTable], _ catalogue: Catalogue,
    _ database: borrowing SourceDatabase
  ) throws(StoreError) {}

  package var itemIDs: ItemIDComparison { .exact }
  package var takesVersionsFromRows: Bool { true }
}
