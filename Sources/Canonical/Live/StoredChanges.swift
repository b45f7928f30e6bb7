import Bytes
package import Records
import SQLite

/// What the operations of a store hold as their SDK stored it, looked up while the store is open.
package final class StoredChanges {
  /// A payload, and what the SDK calls the operation.
  package struct Change: Sendable {
    /// The payload as stored; nil where there is none, or it is no text.
    package let raw: [UInt8]?
    /// The SDK's own id.
    package let originalID: String?
  }

  private let store: any OpenStore
  private let statement: KeptStatement
  private var rows: [ExactText: KeptStatement] = [:]

  /// Prepares to look into a store.
  package init(of store: any OpenStore) throws(StoreError) {
    self.store = store
    statement = try storeErrors(path: store.path) { () throws(SQLiteError) in
      try store.lend { (connection) throws(SQLiteError) in
        KeptStatement(
          try connection.prepare(
            "SELECT raw, originalId FROM rehome_operation WHERE sequence = ?"))
      }
    }
  }

  /// What an operation holds; nil when there is none of that number.
  package func change(of sequence: Int64) throws(StoreError) -> Change? {
    try storeErrors(path: store.path) { () throws(SQLiteError) in
      try statement.statement.bind(sequence, at: 1)
      defer { statement.statement.reset() }
      guard try statement.statement.step() else { return nil }
      let isText = [.text, .blob].contains(statement.statement.storageClass(at: 0))
      return Change(
        raw: isText ? statement.statement.bytes(at: 0) : nil,
        originalID: statement.statement.text(at: 1))
    }
  }

  /// The id of the item in a row, and when the server changed it last; nil when the row is gone.
  package func state(
    ofRow key: Int64, in table: Table
  ) throws(StoreError) -> (id: String?, updatedAt: String?)? {
    try storeErrors(path: store.path) { () throws(SQLiteError) in
      let known = rows[ExactText(table.name)]
      let kept = if let known { known } else { try prepare(table) }
      rows[ExactText(table.name)] = kept
      try kept.statement.bind(key, at: 1)
      defer { kept.statement.reset() }
      guard try kept.statement.step() else { return nil }
      return (kept.statement.text(at: 0), kept.statement.text(at: 1))
    }
  }

  private func prepare(_ table: Table) throws(SQLiteError) -> KeptStatement {
    let names = [ColumnRole.id, .updatedAt].map { role in
      table.index(of: role).map { quoted(table.columns[$0].name) } ?? "NULL"
    }
    let sql =
      "SELECT \(names.joined(separator: ", ")) FROM \(quoted(table.name)) WHERE _pk = ?"
    return KeptStatement(
      try store.lend { (connection) throws(SQLiteError) in try connection.prepare(sql) })
  }

  /// Lends the id of each item of a table that has one, with what its device calls it.
  package func forEachName(
    in table: Table, column: String, _ body: (_ name: String, _ id: String) -> Void
  ) throws(StoreError) {
    guard let id = table.index(of: .id).map({ table.columns[$0].name }),
      let name = table.columns.first(where: { hasSameBytes($0.sourceName, column) })?.name
    else { return }
    try storeErrors(path: store.path) { () throws(SQLiteError) in
      try store.lend { (connection) throws(SQLiteError) in
        var statement = try connection.prepare(
          "SELECT \(quoted(name)), \(quoted(id)) FROM \(quoted(table.name)) "
            + "WHERE \(quoted(name)) IS NOT NULL AND \(quoted(id)) IS NOT NULL")
        while try statement.step() {
          guard let name = statement.text(at: 0), let id = statement.text(at: 1) else { continue }
          body(name, id)
        }
      }
    }
  }
}
