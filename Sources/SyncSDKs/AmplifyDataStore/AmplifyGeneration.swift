import SQLite
import Tables

/// The highest generation of the SDK whose mark is in a store: upgrades happen in place.
struct AmplifyGeneration {
  let name: String
  let evidence: [String]

  /// Looks for the marks of a variant.
  init(
    _ variant: AmplifyDataStore.Variant, _ tables: SystemTables, _ metadata: AmplifyMetadata,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    switch variant {
    case .js: (name, evidence) = ("js", [])
    case .ios: (name, evidence) = try Self.ios(tables, metadata, connection)
    case .android: (name, evidence) = try Self.android(tables, metadata, connection)
    }
  }

  private static func ios(
    _ tables: SystemTables, _ metadata: AmplifyMetadata, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (String, [String]) {
    if tables.hasExactly(AmplifyNames.iosTokens, ["syncPredicate"]) {
      return ("ios-3", ["\(AmplifyNames.iosTokens) has syncPredicate"])
    }
    if let ids = metadata.sight { return (metadata.isBare ? "ios-1" : "ios-2", [ids]) }
    let sql = try connection.declaration(of: .table, named: AmplifyNames.events) ?? ""
    let isOld = sql.hasPrefix("CREATE TABLE \(AmplifyNames.events)")
    return (
      isOld ? "ios-1" : "ios-2",
      ["\(AmplifyNames.events) was declared \(isOld ? "without" : "with") quotes"]
    )
  }

  private static func android(
    _ tables: SystemTables, _ metadata: AmplifyMetadata, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (String, [String]) {
    if tables.hasExactly(AmplifyNames.flags, []) {
      return ("android-5", ["table \(AmplifyNames.flags)"])
    }
    if tables.hasExactly(AmplifyNames.androidTokens, ["syncExpression"]) {
      return ("android-4", ["\(AmplifyNames.androidTokens) has syncExpression"])
    }
    if tables.hasExactly(AmplifyNames.metadata, ["__typename"]) {
      return ("android-3", ["\(AmplifyNames.metadata) has __typename"])
    }
    for (table, _) in AmplifyDataStore.Variant.android.signs
    where try connection.declaration(of: .table, named: table)?.contains("PRIMARY KEY ( 'id')")
      == true
    {
      return ("android-3", ["the key of \(table) is declared behind its columns"])
    }
    if let ids = metadata.sight { return (metadata.isBare ? "android-1" : "android-2", [ids]) }
    let isOld = try looksOldest(connection)
    return (
      isOld ? "android-1" : "android-2",
      [isOld ? "quotes or payloads of the first releases" : "keys are declared on their columns"]
    )
  }

  /// Whether a store without metadata is told to be of the first releases by its names or payloads.
  private static func looksOldest(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    let sql = try connection.declaration(of: .table, named: AmplifyNames.records) ?? ""
    if !sql.contains("`\(AmplifyNames.records)`") { return true }
    var statement = try connection.prepare(
      "SELECT serializedMutationData FROM \(AmplifyNames.records) NOT INDEXED ORDER BY rowid LIMIT 1"
    )
    guard try statement.step() else { return false }
    return AmplifyRecord(statement.optionalRaw(at: 0))?.isOfFirstReleases ?? false
  }
}
