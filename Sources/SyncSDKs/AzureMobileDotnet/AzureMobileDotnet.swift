import Records
import SQLite
import Tables

extension Layout {
  static let azureMobileDotnet = Layout(named: "azure-mobile-dotnet")
}

extension SDK {
  /// The managed SDKs of Mobile Services (a0 to a3) and Mobile Apps (b).
  static let azureMobileDotnet = SDK(layout: .azureMobileDotnet) { generation in
    let isOld = generation?.hasPrefix("a") == true
    var traits = SDKTraits()
    traits.dialect = isOld ? .v1 : .v2
    traits.style = SDKStyle(
      fraction: .asNeeded, marksWholeReals: true,
      reservedPrefixes: isOld ? [AzureMobileDotnet.oldPrefix] : [])
    traits.tellsCaseTwinsApart = true
    traits.hasTokensFinerThanRows = true
    let declaresNumbersOnly = [AzureMobileDotnet.Generation.a0, .a1].map(\.rawValue).contains(
      generation)
    traits.numbers = declaresNumbersOnly ? .seconds : nil
    traits.systemPrefixes =
      isOld ? [AzureMobileDotnet.oldPrefix] : ["", AzureMobileDotnet.oldPrefix]
    return traits
  } recognise: { tables, connection throws(SQLiteError) in
    try AzureMobileDotnet.recognise(tables, connection)
  }
}

/// What the managed SDKs keep in a store; Datasync took their tables over.
package enum AzureMobileDotnet {
  package static let operations = "__operations"
  package static let errors = "__errors"
  static let configuration = "__config"
  static let systemTables: Set<String> = [operations, errors, configuration]
  /// The columns without which operations and settings cannot be an SDK's.
  static let operationColumns = ["id", "kind", "tableName", "itemId", "item", "sequence"]
  static let configurationColumns = ["id", "value"]
  /// The prefix of system columns up to 2.0.0-beta2.
  static let oldPrefix = "__"

  /// The shapes that the SDKs gave their stores.
  enum Generation: String {
    /// Up to 1.3.0-alpha4.
    case a0
    /// 1.3.0-beta and beta2.
    case a1
    /// 1.3.0-beta3.
    case a2
    /// 1.3.0 to 2.0.0-beta2.
    case a3
    /// The Mobile Apps client, 2.0.0 to 4.2.
    case b
  }

  /// Recognises a store by its three tables and the columns of its errors.
  static func recognise(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> SDK.Recognition? {
    guard tables.has(operations, operationColumns),
      tables.has(configuration, configurationColumns),
      tables.has(errors, ["httpStatus", "operationKind"]), !tables.has(errors, ["status"])
    else { return nil }
    let traits = try DotnetTraits(tables, connection)
    let generation = traits.generation
    var layout = RecognisedTables(
      layout: .azureMobileDotnet, generation: generation.rawValue,
      evidence: [
        "tables \(operations), \(errors) and \(configuration)",
        "errors have httpStatus and operationKind",
      ] + traits.evidence,
      systemTables: systemTables, columns: columns(of: generation), queue: queue(of: generation))
    if traits.hasNewDate, traits.hasOldDate {
      layout.findings = [.twoGenerations("operations have createdAt and __createdAt")]
    }
    return .tables(layout)
  }

  /// Times are seconds since 1970; a string that the app declared may hold the server's text.
  private static func columns(of generation: Generation) -> ColumnRules {
    let time = StoredTime(unit: .seconds, spelling: .iso)
    return ColumnRules(
      declared: declaredTypes(time: .seconds), system: SystemColumn.all(time: time),
      prefixes: SDK.azureMobileDotnet.traits(generation.rawValue).systemPrefixes, time: time)
  }

  /// What the declared types of generation a2 and later mean; earlier ones use fewer of them.
  static func declaredTypes(time unit: StoredTime.Unit) -> [String: ColumnForm] {
    [
      "text": .text, "integer": .integer, "int": .integer, "real": .real, "float": .real,
      "boolean": .boolean, "json": .json, "timespan": .text,
      "datetime": .time(StoredTime(unit: unit)),
      "blob": ColumnForm(.binary, .base64),
      // Affinity makes numbers of texts that look like some; those are rejected, not guessed.
      "guid": ColumnForm(.uuid, .uuid), "uri": ColumnForm(.uri, .text),
    ]
  }

  private static func queue(of generation: Generation) -> QueueTables {
    var queue = queueTables(
      kinds: [0: .insert, 1: .update, 2: .delete],
      states: [0: .pending, 1: .attempted, 2: .failed],
      errorColumns: ("operationKind", "httpStatus", "operationVersion"),
      tokens: QueueTables.Tokens(table: configuration, key: "id", value: "value", time: .iso) {
        key, _, names in
        guard let (table, query) = key.flatMap(DotnetTokenKey.init)?.parts(names) else {
          return nil
        }
        return QueueTables.Target(table: names.canonical(table), query: query)
      })
    if generation != .b { queue.operations.versionKeys = VersionKeys.old }
    return queue
  }

  /// The queue that all managed SDKs keep in the same three tables, with codes of their own.
  static func queueTables(
    kinds: [Int64: OperationKind], states: [Int64: OperationState],
    errorColumns: (kind: String, status: String, changes: String), tokens: QueueTables.Tokens
  ) -> QueueTables {
    QueueTables(
      operations: QueueTables.Operations(
        table: operations, id: "id", kind: "kind", state: "state", tableName: "tableName",
        itemID: "itemId", payload: "item", tableKind: "tableKind", order: ["sequence"],
        kinds: .numbers(kinds), states: states, payloads: .itemOfDeletes),
      errors: QueueTables.Errors(
        table: errors, id: "id", tableName: "tableName", kind: errorColumns.kind,
        status: errorColumns.status, item: "item", answer: "rawResult",
        changes: (ofError: errorColumns.changes, ofOperation: "version")),
      tokens: tokens)
  }
}
