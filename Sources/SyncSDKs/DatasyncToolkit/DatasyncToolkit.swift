import Bytes
import Records
import Tables

extension Layout {
  static let datasyncToolkit = Layout(named: "datasync-toolkit")
}

extension SDK {
  /// The Community Toolkit's client, whose store is an Entity Framework database.
  static let datasyncToolkit = SDK(layout: .datasyncToolkit) { _ in
    var traits = SDKTraits()
    traits.dialect = .toolkit
    traits.tellsCaseTwinsApart = true
    traits.deletesByOperation = true
    traits.keepsDeletedItems = false
    traits.keepsAllItems = true
    traits.leavesOutDefaults = true
    return traits
  } recognise: { tables, _ in
    DatasyncToolkit.recognise(tables)
  }
}

/// What the Community Toolkit keeps in a store; each operation holds a snapshot of its item.
package enum DatasyncToolkit {
  package static let operations = "DatasyncOperationsQueue"
  package static let tokens = "DatasyncDeltaTokens"

  /// Recognises a store by both tables and the columns that the queue cannot do without.
  static func recognise(_ tables: SystemTables) -> SDK.Recognition? {
    let columns = ["Id", "Kind", "State", "EntityType", "ItemId", "Item"]
    guard tables.has(operations, columns), tables.has(tokens, ["Id", "Value"]) else { return nil }
    var evidence = ["tables \(operations) and \(tokens)"]
    if tables.has("__EFMigrationsHistory") {
      evidence.append("table __EFMigrationsHistory: the app uses migrations")
    }
    // Texts, unless the app converts its times, as the toolkit advises: to milliseconds since 1970.
    // What a smaller number counts only the app knows; its framework takes it for a Julian day.
    let time = StoredTime(unit: .largeMilliseconds, spelling: .lenient)
    let system = SystemColumn.all(time: time, version: ColumnForm(.text, .versionText))
    return .tables(
      RecognisedTables(
        layout: .datasyncToolkit, evidence: evidence,
        systemTables: [asciiLowercased(operations), asciiLowercased(tokens)],
        columns: ColumnRules(
          declared: ["blob": .binary], system: system.filter { $0.role != .createdAt },
          marks: ["id", "updatedat", "version"], time: time),
        queue: queue))
  }

  /// Rows are pushed as SQLite gives them, so `Sequence` says nothing about the order; a failed
  /// operation is all that tells of an error.
  private static let queue = QueueTables(
    operations: QueueTables.Operations(
      table: operations, id: "Id", kind: "Kind", state: "State", tableName: "EntityType",
      namesTypes: true, itemID: "ItemId", payload: "Item", version: "EntityVersion",
      status: "HttpStatusCode", kinds: .numbers([0: .insert, 1: .delete, 2: .update]),
      states: [0: .pending, 1: .completed, 2: .failed], payloads: .item),
    tokens: QueueTables.Tokens(
      table: tokens, key: "Id", value: "Value", time: .milliseconds,
      target: { key, _, names in
        let (type, query) = parts(of: key ?? "")
        return QueueTables.Target(table: names.canonical(entityType: type), query: query)
      }, type: { parts(of: $0).type }),
    takesVersionsFromRows: false)

  /// `q-<type>-<query>`, or the type alone where everything is pulled.
  private static func parts(of key: String) -> (type: String, query: String?) {
    guard let rest = key.removing(prefix: "q-") else { return (key, nil) }
    let parts = rest.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
  }
}
