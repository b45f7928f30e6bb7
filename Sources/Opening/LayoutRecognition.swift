import Records
import SQLite
import SyncSDKs
import Tables

/// Which reader a database is for.
enum LayoutRecognition {
  /// Our own format.
  case rehome
  /// A Core Data store with the tables of the SDK for iOS.
  case azureMobileIOS
  /// Any other Core Data store.
  case coreData
  /// Objects of Parse, as documents in one table.
  case parseLocalDatastore
  /// Documents of Couchbase Lite 1.x, as trees of revisions.
  case couchbaseLite
  /// Plain tables, with what an SDK adds to them.
  case plain(PlainLayout)

  /// The mark of a canonical store in the header.
  private static let canonicalMark: Int64 = 0x5248_4D31

  /// Tells the layout of an open database from its tables; of the rows only settings are read.
  init(of connection: borrowing Connection) throws(SQLiteError) {
    let tables = SystemTables(try connection.tables())
    let hasMark = try connection.integer("PRAGMA application_id") == Self.canonicalMark
    if hasMark && tables.has("rehome_table") {
      self = .rehome
    } else if Self.isCoreData(tables) {
      self = tables.has(IOSNames.operationsTable) ? .azureMobileIOS : .coreData
    } else if ParseLocalDatastore.isStore(tables) {
      self = .parseLocalDatastore
    } else if CouchbaseLite.isStore(tables) {
      self = .couchbaseLite
    } else if let sibling = try Self.sibling(tables, connection) {
      self = .plain(sibling)
    } else {
      self = .plain(PlainSQLite.layout(tables, hasMark: hasMark))
    }
  }

  private static func isCoreData(_ tables: SystemTables) -> Bool {
    tables.has("Z_METADATA", ["Z_VERSION", "Z_UUID", "Z_PLIST"])
      && tables.has("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER"])
  }

  /// The order is that of the formats' description: the surest signs first.
  private static func sibling(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> PlainLayout? {
    if let layout = DatasyncToolkit.recognise(tables) { return layout }
    if let layout = AzureMobileCordova.recognise(tables) { return layout }
    if let layout = try AmplifyDataStore.recognise(tables, connection) { return layout }
    if let layout = AzureMobileAndroid.recognise(tables) { return layout }
    if let layout = try AzureMobileDotnet.recognise(tables, connection) { return layout }
    if let layout = DatasyncDotnet.recognise(tables) { return layout }
    if let layout = try WatermelonDB.recognise(tables, connection) { return layout }
    return try PowerSync.recognise(tables, connection)
  }
}
