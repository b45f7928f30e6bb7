import SQLite
import Tables

extension DotnetTraits {
  /// Looks at the tables and at the keys of the configuration.
  init(_ tables: SystemTables, _ connection: borrowing Connection) throws(SQLiteError) {
    hasNewDate = tables.has(DotnetNames.operations, ["createdAt"])
    hasOldDate = tables.has(DotnetNames.operations, ["__createdAt"])
    hasState =
      tables.has(DotnetNames.operations, ["state"])
      || tables.has(DotnetNames.operations, ["version"])
    hasTableKind = tables.has(DotnetNames.operations, ["tableKind"])
    hasOperationID = tables.has(DotnetNames.errors, ["operationId"])
    guard
      var statement = try tables.select(["id"], from: DotnetNames.configuration, connection)
    else { return }
    while try statement.step(), !(hasPipeKeys && hasOldKeys) {
      guard let key = statement.strictText(at: 0) else { continue }
      if key.hasPrefix("deltaToken|") || key.hasPrefix("systemProperties|") {
        hasPipeKeys = true
      } else if key.hasSuffix("_systemProperties") || DotnetTokenKey(key) != nil {
        hasOldKeys = true
      }
    }
  }
}
