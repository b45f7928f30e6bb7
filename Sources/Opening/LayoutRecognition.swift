import SQLite
import SyncSDKs
import Tables

/// Which reader a database is for.
enum LayoutRecognition {
  /// Our own format.
  case rehome
  /// A Core Data store with the tables of the SDK for iOS.
  case azureMobileIOS
  case coreData
  /// A store of one of the other SDKs.
  case sdk(SDK.Recognition)

  /// The mark of a canonical store in the header.
  private static let canonicalMark: Int64 = 0x5248_4D31

  /// Tells the layout of an open database from its tables; of the rows only settings are read.
  init(of connection: borrowing Connection) throws(SQLiteError) {
    let tables = SystemTables(try connection.tables())
    let hasMark = try connection.integer("PRAGMA application_id") == Self.canonicalMark
    // Of a store that has lost one of them, another one tells what it is.
    if hasMark,
      ["rehome_table", "rehome_column", "rehome_operation"].contains(where: { tables.has($0) })
    {
      self = .rehome
    } else if Self.isCoreData(tables) {
      self = tables.has(IOSNames.operationsTable) ? .azureMobileIOS : .coreData
    } else if let found = try SDK.recognise(tables, connection) {
      self = .sdk(found)
    } else {
      self = .sdk(.tables(try PlainSQLite.layout(tables, hasMark: hasMark, connection)))
    }
  }

  private static func isCoreData(_ tables: SystemTables) -> Bool {
    tables.has("Z_METADATA", ["Z_VERSION", "Z_UUID", "Z_PLIST"])
      && tables.has("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER"])
  }
}
