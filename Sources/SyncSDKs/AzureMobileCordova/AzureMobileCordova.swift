import Records
package import Tables

/// The layout of the SDK for Cordova.
package enum AzureMobileCordova {
  package static let operations = "__operations"
  package static let tokens = "__pulltime"

  /// Recognises a store by the action and metadata of its operations.
  package static func recognise(_ tables: SystemTables) -> PlainLayout? {
    guard tables.has(operations, ["id", "tableName", "action", "itemId", "metadata"]),
      tables.has(tokens),
      !tables.has(DotnetNames.errors), !tables.has(DotnetNames.configuration)
    else { return nil }
    let time = StoredTime(unit: .milliseconds, spelling: .perhapsQuoted)
    return PlainLayout(
      layout: .azureMobileCordova,
      evidence: [
        "tables \(operations) and \(tokens), none of errors or settings",
        "operations have action and metadata",
      ],
      systemTables: [operations, tokens],
      columns: ColumnRules(
        declared: declaredTypes, system: SystemColumn.all(time: time), time: time),
      queue: CordovaQueue())
  }

  /// What declared types mean: SQL's for the first columns of a table, the SDK's for later ones.
  private static let declaredTypes: [String: ColumnForm] = [
    "text": .text, "string": .text, "integer": .integer, "int": .integer, "real": .real,
    "float": .real, "boolean": .boolean, "bool": .boolean, "object": .json, "array": .json,
    "date": .time(StoredTime(unit: .milliseconds)),
  ]
}
