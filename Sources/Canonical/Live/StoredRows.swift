import Bytes
package import Records
import SQLite

/// Single rows of a store's tables, read by key while the store is open.
package final class StoredRows {
  private let store: any OpenStore
  private let tables: [ExactText: Table]
  private var statements: [ExactText: KeptStatement] = [:]
  private var idStatements: [ExactText: KeptStatement] = [:]
  private var keyStatements: [ExactText: KeptStatement] = [:]
  private var itemStatements: [ExactText: KeptStatement] = [:]

  /// Prepares to read rows of a store with this catalogue.
  package init(of store: any OpenStore, catalogue: Catalogue) {
    self.store = store
    tables = catalogue.tablesByName
  }

  /// The values of the row with this `_pk` in catalogue order, nil for NULL; nil when it is gone.
  package func values(
    ofRow key: Int64, inTable name: String
  ) throws(StoreError) -> [RawValue?]? {
    guard let table = tables[ExactText(name)] else { return nil }
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      let kept = try statement(of: table)
      try kept.statement.bind(key, at: 1)
      defer { kept.statement.reset() }
      guard try kept.statement.step() else { return nil }
      return kept.statement.values(table.columns.indices)
    }
  }

  /// Whether there is a row with this `_pk`.
  package func hasRow(_ key: Int64, inTable name: String) throws(StoreError) -> Bool {
    guard let table = tables[ExactText(name)] else { return false }
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      let known = keyStatements[ExactText(name)]
      let kept = if let known { known } else { try prepare(table, []) }
      keyStatements[ExactText(name)] = kept
      try kept.statement.bind(key, at: 1)
      defer { kept.statement.reset() }
      return try kept.statement.step()
    }
  }

  /// Whether a row has this id, in any table whose rows are of one source.
  package func hasItem(_ id: String) throws(StoreError) -> Bool {
    for table in tables.values where table.sourcePlace == nil {
      guard let place = table.index(of: .id) else { continue }
      let isThere = try storeErrors(path: store.path) { () throws(SQLiteError) in
        let known = itemStatements[ExactText(table.name)]
        let kept = if let known { known } else { try prepare(table, whereID: place) }
        itemStatements[ExactText(table.name)] = kept
        try kept.statement.bind(id, at: 1)
        defer { kept.statement.reset() }
        return try kept.statement.step()
      }
      if isThere { return true }
    }
    return false
  }

  private func prepare(_ table: Table, whereID place: Int) throws(SQLiteError) -> KeptStatement {
    let column = quoted(table.columns[place].name)
    let sql = "SELECT 1 FROM \(quoted(table.name)) WHERE \(column) = ?"
    return KeptStatement(
      try store.lend { (connection) throws(SQLiteError) in try connection.prepare(sql) })
  }

  /// The id of the item in the row with this `_pk`; nil when there is none.
  package func id(ofRow key: Int64, inTable name: String) throws(StoreError) -> String? {
    guard let table = tables[ExactText(name)], let place = table.index(of: .id) else { return nil }
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      let known = idStatements[ExactText(name)]
      let kept = if let known { known } else { try prepare(table, [table.columns[place]]) }
      idStatements[ExactText(name)] = kept
      try kept.statement.bind(key, at: 1)
      defer { kept.statement.reset() }
      return try kept.statement.step() ? kept.statement.text(at: 0) : nil
    }
  }

  private func statement(of table: Table) throws(SQLiteError) -> KeptStatement {
    if let kept = statements[ExactText(table.name)] { return kept }
    let kept = try prepare(table, table.columns)
    statements[ExactText(table.name)] = kept
    return kept
  }

  private func prepare(
    _ table: Table, _ columns: [Column]
  ) throws(SQLiteError) -> KeptStatement {
    let names = (columns.map { quoted($0.name) } + ["_pk"]).joined(separator: ", ")
    let sql = "SELECT \(names) FROM \(quoted(table.name)) WHERE _pk = ?"
    return KeptStatement(
      try store.lend { (connection) throws(SQLiteError) in try connection.prepare(sql) })
  }
}

extension Statement {
  /// The values of some columns of the current row, nil for NULL.
  func values(_ columns: Range<Int>) -> [RawValue?] {
    columns.map { column in
      switch storageClass(at: column) {
      case .null: nil
      case .integer: .integer(integer(at: column))
      case .real: .real(real(at: column))
      case .text: .text(bytes(at: column))
      case .blob: .binary(bytes(at: column))
      }
    }
  }
}
