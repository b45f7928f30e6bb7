import Bytes
import Records
import SQLite
import Tables

extension Layout {
  static let watermelonDB = Layout(named: "watermelondb")
}

extension SDK {
  /// WatermelonDB's native adapters, with the sync that comes with it.
  static let watermelonDB = SDK(layout: .watermelonDB) { _ in
    var traits = SDKTraits()
    traits.dialect = .rows
    traits.service = "the app's own form of WatermelonDB's sync protocol"
    // Its created_at and updated_at are columns of the app's like any other.
    traits.style = SDKStyle(ownsTimes: true)
    traits.tellsCaseTwinsApart = true
    traits.deletesAcceptMissing = true
    traits.hasTokensOfStore = true
    traits.staysOnDevice = { $0 == WatermelonDB.settings }
    traits.details = .columns(key: WatermelonDB.changed)
    return traits
  } recognise: { tables, connection throws(SQLiteError) in
    try WatermelonDB.recognise(tables, connection)
  }
}

/// The layout of WatermelonDB's native adapters: every row carries its own state.
enum WatermelonDB {
  static let settings = "local_storage"
  static let changed = "_changed"
  static let status = "_status"
  static let lastPulled = "__watermelon_last_pulled_at"
  static let lastVersion = "__watermelon_last_pulled_schema_version"
  static let timestamps = ["created_at": "createdAt", "updated_at": "updatedAt"]
  /// A column that the first versions made in every table.
  static let lastModified = "last_modified"

  /// Recognises a store by its settings and by the columns that every model has.
  static func recognise(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> SDK.Recognition? {
    guard let settings = tables.exactly(Self.settings),
      Set(settings.columns.map(\.name)) == ["key", "value"]
    else { return nil }
    let models = try connection.tables().filter(isModel)
    guard let first = models.first else { return nil }
    let (generation, reason) = try generation(first, connection)
    let names = Set(models.map { ExactText($0.name) })
    let time = StoredTime(unit: .milliseconds)
    let own = ["id"] + (["w1", "w2"].contains(generation) ? [lastModified] : [])
    let version = try connection.integer("PRAGMA user_version")
    return .tables(
      RecognisedTables(
        layout: .watermelonDB, generation: generation,
        evidence: [
          "a table \(Self.settings) of keys and values",
          "tables with id, \(changed) and \(status): \(models.count)", reason,
          "the app's schema version is \(version)",
        ],
        columns: ColumnRules(goesByContent: true, numbersAreReals: true, time: time),
        tables: WatermelonTables(models: names, ownColumns: Set(own)),
        queue: WatermelonQueue(models: names)))
  }

  static func isModel(_ table: SchemaTable) -> Bool {
    Set(["id", changed, status]).isSubset(of: table.columns.map(\.name))
  }

  /// Which versions made the file, and how that shows.
  private static func generation(
    _ model: SchemaTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (String, String) {
    let sql = try connection.declaration(of: .table, named: settings) ?? ""
    if sql.contains("\"\(settings)\""), sql.contains("\"key\"") {
      return ("w4", "the names in the declaration of \(settings) are quoted")
    }
    let columns = model.columns.map(\.name)
    if columns.first == changed { return ("w1", "\(changed) is the first column of \(model.name)") }
    let after = columns.drop { $0 != status }.dropFirst().first
    return after == lastModified
      ? ("w2", "\(lastModified) follows \(status) in \(model.name)")
      : ("w3", "the names in the declaration of \(settings) are not quoted")
  }
}
