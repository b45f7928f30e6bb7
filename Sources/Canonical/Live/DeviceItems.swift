package import Records
import SQLite

/// What the devices of a store of several sources would send, looked up operation by operation.
package final class DeviceItems {
  private let store: any OpenStore
  private let whole: KeptStatement?
  private let rows: KeptStatement?

  /// Prepares to look into a store; most have nothing of the kind.
  package init(of store: any OpenStore) throws(StoreError) {
    self.store = store
    (whole, rows) = try storeErrors(path: store.path) { () throws(SQLiteError) in
      try store.lend { (connection) throws(SQLiteError) in
        guard try connection.tables().contains(where: { $0.name == Self.table }) else {
          return (nil, nil)
        }
        let place = "FROM \(Self.table) WHERE operation = ?"
        return (
          KeptStatement(
            try connection.prepare("SELECT body, updatedAt \(place) AND body IS NOT NULL")),
          KeptStatement(try connection.prepare("SELECT item \(place) AND item IS NOT NULL"))
        )
      }
    }
  }

  private static let table = "rehome_device_item"

  /// What is sent for an operation, and the `updatedAt` of its row; nil where the row as it is now
  /// is sent.
  package func sent(
    for operation: Int64
  ) throws(StoreError) -> (body: [UInt8], updatedAt: String?)? {
    guard let whole else { return nil }
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      try whole.statement.bind(operation, at: 1)
      defer { whole.statement.reset() }
      guard try whole.statement.step() else { return nil }
      return (whole.statement.bytes(at: 0), whole.statement.text(at: 1))
    }
  }

  /// The row that is sent for an operation, as an export of the device's store would show it.
  package func row(for operation: Int64) throws(StoreError) -> [UInt8]? {
    guard let rows else { return nil }
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      try rows.statement.bind(operation, at: 1)
      defer { rows.statement.reset() }
      return try rows.statement.step() ? rows.statement.bytes(at: 0) : nil
    }
  }

  /// The operations for which a device sends a row of its own, and what devices call the tables of
  /// their operations where the store spells them otherwise.
  package func overview() throws(StoreError) -> (rows: KeySet, tables: [Int64: String]) {
    guard whole != nil else { return ([], [:]) }
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      try store.lend { (connection) throws(SQLiteError) in
        var rows: KeySet = []
        var tables: [Int64: String] = [:]
        var statement = try connection.prepare(
          "SELECT operation, body IS NOT NULL, \"table\" FROM \(Self.table)")
        while try statement.step() {
          if statement.integer(at: 1) != 0 { rows.insert(statement.integer(at: 0)) }
          if let table = statement.text(at: 2) { tables[statement.integer(at: 0)] = table }
        }
        return (rows, tables)
      }
    }
  }
}
