import Records
import SQLite

/// Plans the tables of a store that keeps them as plain SQLite tables.
struct PlainTables {
  let rules: ColumnRules
  /// The tables that are bookkeeping; names in lower case.
  let leavesOut: @Sendable (String) -> Bool

  /// The tables of the app, in the order of their creation.
  ///
  /// A computed column whose expression fails, or would call what is not trusted, is left out; it
  /// holds nothing of its own.
  func plan(
    _ tables: [SchemaTable], _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PlannedTable] {
    var planned: [PlannedTable] = []
    for table in tables where !leavesOut(asciiLowercased(table.name)) {
      planned.append(try plan(table, connection))
    }
    return planned
  }

  private func plan(
    _ table: SchemaTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> PlannedTable {
    let key = try TableKey(of: table, connection)
    var stored: [SchemaColumn] = []
    for column in table.columns {
      if column.isGenerated {
        guard try canCompute(column.name, of: table.name, connection) else { continue }
      }
      stored.append(column)
    }
    let unclear = stored.filter { rules.form(ofDeclared: $0.declaredType) == nil }.map(\.name)
    let census = try ContentCensus.count(unclear, of: table.name, connection)
    var columns = stored.enumerated().map { position, column in
      plan(column, at: position, census[column.name])
    }
    rules.adapt(&columns)
    return PlannedTable(
      name: table.name, sourceName: table.name, sourceTable: table.name, columns: columns,
      entity: nil, condition: nil,
      // An index may leave rows out where a file is damaged; the table itself is the evidence.
      origin: quoted(table.name) + " NOT INDEXED", key: key.expression, order: key.order)
  }

  /// Whether a computed column has a value in every row.
  private func canCompute(
    _ column: String, of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    do {
      _ = try connection.integer(
        "SELECT count(\(quoted(column))) FROM \(quoted(table)) NOT INDEXED")
      return true
    } catch {
      guard error.code.primary != .interrupt, error.code.primary != .corrupt else { throw error }
      return false
    }
  }

  private func plan(
    _ column: SchemaColumn, at position: Int, _ census: ContentCensus?
  ) -> PlannedColumn {
    let isBytes = asciiLowercased(column.declaredType).contains("blob")
    let form =
      rules.form(ofDeclared: column.declaredType)
      ?? (census ?? ContentCensus()).form(whenEmpty: isBytes ? .binary : .text)
    return PlannedColumn(
      column: Column(name: column.name, type: form.type), position: position,
      expression: quoted(column.name), decoding: form.decoding)
  }
}
