import Records
package import Tables

/// The layout of the Community Toolkit's client, an Entity Framework database.
package enum DatasyncToolkit {
  package static let operations = "DatasyncOperationsQueue"
  package static let tokens = "DatasyncDeltaTokens"

  /// Recognises a store by both tables and the columns that the queue cannot do without.
  package static func recognise(_ tables: SystemTables) -> PlainLayout? {
    let columns = ["Id", "Kind", "State", "EntityType", "ItemId", "Item"]
    guard tables.has(operations, columns), tables.has(tokens, ["Id", "Value"]) else { return nil }
    var evidence = ["tables \(operations) and \(tokens)"]
    if tables.has("__EFMigrationsHistory") {
      evidence.append("table __EFMigrationsHistory: the app uses migrations")
    }
    let time = StoredTime(spelling: .lenient)
    let system = SystemColumn.all(time: time, version: ColumnForm(.text, .versionText))
    return PlainLayout(
      layout: .datasyncToolkit, evidence: evidence,
      systemTables: [asciiLowercased(operations), asciiLowercased(tokens)],
      columns: ColumnRules(
        declared: ["blob": .binary], system: system.filter { $0.role != .createdAt },
        marks: ["id", "updatedat", "version"], time: time),
      queue: ToolkitQueue())
  }
}
