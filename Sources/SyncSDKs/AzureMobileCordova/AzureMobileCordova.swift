package import Records
import Tables

extension Layout {
  package static let azureMobileCordova = Layout(named: "azure-mobile-cordova")
}

extension SDK {
  static let azureMobileCordova = SDK(layout: .azureMobileCordova) { _ in
    var traits = SDKTraits()
    traits.dialect = .v2
    traits.keepsDeletedItems = false
    traits.keepsSeveralOperations = true
    traits.numbers = .milliseconds
    return traits
  } recognise: { tables, _ in
    AzureMobileCordova.recognise(tables)
  }
}

/// What the SDK for Cordova keeps in a store; there are no states and no errors.
enum AzureMobileCordova {
  static let operations = "__operations"
  static let tokens = "__pulltime"

  /// Recognises a store by the action and metadata of its operations.
  static func recognise(_ tables: SystemTables) -> SDK.Recognition? {
    guard tables.has(operations, ["id", "tableName", "action", "itemId", "metadata"]),
      tables.has(tokens), !tables.has(AzureMobileDotnet.errors),
      !tables.has(AzureMobileDotnet.configuration)
    else { return nil }
    let time = StoredTime(unit: .milliseconds, spelling: .perhapsQuoted)
    return .tables(
      RecognisedTables(
        layout: .azureMobileCordova,
        evidence: [
          "tables \(operations) and \(tokens), none of errors or settings",
          "operations have action and metadata",
        ],
        systemTables: [operations, tokens],
        columns: ColumnRules(
          declared: declaredTypes, system: SystemColumn.all(time: time), time: time),
        queue: queue))
  }

  /// What declared types mean: SQL's for the first columns of a table, the SDK's for later ones.
  private static let declaredTypes: [String: ColumnForm] = [
    "text": .text, "string": .text, "integer": .integer, "int": .integer, "real": .real,
    "float": .real, "boolean": .boolean, "bool": .boolean, "object": .json, "array": .json,
    "date": .time(StoredTime(unit: .milliseconds)),
  ]

  /// The queue, whose items the SDK looks up with `COLLATE NOCASE`.
  ///
  /// The key of a token is the query alone.
  private static let queue = QueueTables(
    operations: QueueTables.Operations(
      table: operations, id: "id", kind: "action", tableName: "tableName", itemID: "itemId",
      payload: "metadata", order: ["id"], kinds: .words, payloads: .versionOfDeletes),
    tokens: QueueTables.Tokens(
      table: tokens, key: "id", tableName: "tableName", value: "value", time: .milliseconds
    ) { query, table, names in
      QueueTables.Target(table: names.canonical(table), query: query)
    },
    itemIDs: .ignoringASCIICase)
}
