import Records
import SQLite

/// Tells the layout of a database from its tables, without reading rows.
enum LayoutRecognition {
  /// The mark of a canonical store in the header.
  private static let canonicalMark = 0x5248_4D31

  /// The layout of an open database.
  static func layout(of connection: borrowing Connection) throws(SQLiteError) -> Layout {
    let tables = Set(try connection.tables().map { $0.name.uppercased() })
    let isMarked = try connection.integer("PRAGMA application_id") == Int64(canonicalMark)
    if isMarked && tables.contains("REHOME_TABLE") { return .rehome }
    if tables.contains("Z_METADATA") && tables.contains("Z_PRIMARYKEY") {
      return tables.contains(IOSNames.operationsTable) ? .azureMobileIOS : .coreData
    }
    return .sqlite
  }
}
