import Bytes
import Records
package import SQLite

/// The bookkeeping tables of a store, read by the columns that they really have.
package struct SystemTables: Sendable {
  private var tables: [ExactText: SchemaTable] = [:]

  /// Tables by their names; ASCII case does not matter, as in SQL.
  package init(_ tables: [SchemaTable]) {
    for table in tables { self.tables[ExactText(sqlName: table.name)] = table }
  }

  /// Whether there is such a table and it has all these columns.
  package func has(_ table: String, _ columns: [String] = []) -> Bool {
    guard let table = tables[ExactText(sqlName: table)] else { return false }
    let names = Set(table.columns.map { ExactText(sqlName: $0.name) })
    return columns.allSatisfy { names.contains(ExactText(sqlName: $0)) }
  }

  /// Whether there is a table of this very spelling, with columns of these very spellings.
  package func hasExactly(_ table: String, _ columns: [String]) -> Bool {
    guard let found = exactly(table) else { return false }
    let names = Set(found.columns.map { ExactText($0.name) })
    return columns.allSatisfy { names.contains(ExactText($0)) }
  }

  /// All tables, by name.
  package var all: [SchemaTable] {
    tables.values.sorted { ExactText($0.name) < ExactText($1.name) }
  }

  /// The table of this very spelling, as an SDK tells its own tables; nil where there is none.
  package func exactly(_ table: String) -> SchemaTable? {
    tables[ExactText(sqlName: table)].flatMap { hasSameBytes($0.name, table) ? $0 : nil }
  }

  /// The declared type of a column, in lower case.
  package func declaredType(of column: String, in table: String) -> String? {
    let columns = tables[ExactText(sqlName: table)]?.columns ?? []
    let found = columns.first { ExactText(sqlName: $0.name) == ExactText(sqlName: column) }
    return found.map { asciiLowercased($0.declaredType) }
  }

  /// Selects known columns, or `rowid`; those that the table lacks, and those that are nil, read as
  /// NULL.
  ///
  /// Rows that are equal in all of `order` keep the order in which they were inserted. Nil when
  /// there is no table.
  package func select(
    _ columns: [String?], from name: String, order: [String] = [],
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Statement? {
    guard let table = tables[ExactText(sqlName: name)] else { return nil }
    var present: [ExactText: String] = [:]
    for column in table.columns {
      present[ExactText(sqlName: column.name)] = quoted(column.name)
    }
    let key = ExactText(sqlName: "rowid")
    if !table.isWithoutRowID, present[key] == nil { present[key] = "rowid" }
    let list = columns.map { name in
      name.flatMap { present[ExactText(sqlName: $0)] } ?? "NULL"
    }
    .joined(separator: ", ")
    var terms = order.compactMap { present[ExactText(sqlName: $0)] }
    if !table.isWithoutRowID {
      if let first = terms.first, try Self.grows(first, in: table, connection) { terms = [] }
      terms.append("rowid")
    }
    let clause = terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
    let index = table.isWithoutRowID ? try connection.keyIndex(ofTable: table.name) : nil
    let physical = PlannedTable.physical(table.name, sortedAs: index)
    return try connection.prepare("SELECT \(list) FROM \(physical)\(clause)")
  }

  /// The way to read known columns in the order of the row ids; nil where the table lacks one.
  package func planned(_ columns: [String], from name: String) -> PlannedTable? {
    guard let table = tables[ExactText(sqlName: name)] else { return nil }
    let planned = columns.enumerated().compactMap { position, name in
      table.columns.first { ExactText(sqlName: $0.name) == ExactText(sqlName: name) }.map {
        column in
        PlannedColumn(
          column: Column(name: name, type: .text), position: position,
          expression: quoted(column.name), decoding: .text)
      }
    }
    guard planned.count == columns.count else { return nil }
    return PlannedTable(
      name: name, sourceName: name, sourceTable: table.name, columns: planned,
      origin: quoted(table.name) + " NOT INDEXED", key: "rowid", order: "rowid")
  }

  /// Whether a column holds whole numbers that grow from row to row, as counters do.
  ///
  /// Then nothing need be sorted, for which the engine would hold all payloads once more.
  private static func grows(
    _ column: String, in table: SchemaTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    var statement = try connection.prepare(
      "SELECT \(column) FROM \(quoted(table.name)) NOT INDEXED ORDER BY rowid")
    var last: Int64?
    while try statement.step() {
      guard statement.storageClass(at: 0) == .integer else { return false }
      let number = statement.integer(at: 0)
      if let last, number <= last { return false }
      last = number
    }
    return true
  }
}
