package import Records
import SQLite

/// What the devices of a store of several sources would send, looked up operation by operation.
package final class DeviceItems {
  private let store: any OpenStore
  private let items: KeptStatement?

  /// Prepares to look into a store; most have nothing of the kind.
  package init(of store: any OpenStore) throws(StoreError) {
    self.store = store
    items = try storeErrors(path: store.path) { () throws(SQLiteError) in
      try store.lend { (connection) throws(SQLiteError) in
        guard try connection.tables().contains(where: { $0.name == Self.table }) else {
          return nil
        }
        return KeptStatement(
          try connection.prepare(
            """
            SELECT body, updatedAt, CASE WHEN instr(item, ',"\(RejectColumn.name)') THEN item END
            FROM \(Self.table) WHERE operation = ? AND body IS NOT NULL
            """))
      }
    }
  }

  private static let table = "rehome_device_item"

  /// What is sent for an operation, and the `updatedAt` of its row; nil where the row as it is now
  /// is sent.
  ///
  /// The row itself comes where it may name members of it that were lost.
  package func sent(
    for operation: Int64
  ) throws(StoreError) -> (body: [UInt8], updatedAt: String?, row: [UInt8]?)? {
    guard let items else { return nil }
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      try items.statement.bind(operation, at: 1)
      defer { items.statement.reset() }
      guard try items.statement.step() else { return nil }
      let hasRow = items.statement.storageClass(at: 2) != .null
      return (
        items.statement.bytes(at: 0), items.statement.text(at: 1),
        hasRow ? items.statement.bytes(at: 2) : nil
      )
    }
  }

  /// What there is of which operations.
  package struct Overview {
    /// The operations for which a device sends a row of its own.
    package var rows: KeySet = []
    /// Those of which it sends something of the payload.
    package var payloads: KeySet = []
    /// What devices call the tables of their operations where the store spells them otherwise.
    package var tables: [Int64: String] = [:]
  }

  package func overview() throws(StoreError) -> Overview {
    guard items != nil else { return Overview() }
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      try store.lend { (connection) throws(SQLiteError) in
        var overview = Overview()
        var statement = try connection.prepare(
          "SELECT operation, body IS NOT NULL, \"table\", item IS NULL FROM \(Self.table)")
        while try statement.step() {
          let operation = statement.integer(at: 0)
          if statement.integer(at: 1) != 0 {
            if statement.integer(at: 3) != 0 {
              overview.payloads.insert(operation)
            } else {
              overview.rows.insert(operation)
            }
          }
          if let table = statement.text(at: 2) { overview.tables[operation] = table }
        }
        return overview
      }
    }
  }
}
