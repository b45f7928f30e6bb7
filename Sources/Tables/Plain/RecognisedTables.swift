package import Records

/// A database of tables that was recognised, and what its SDK adds to them.
package struct RecognisedTables: Sendable {
  var layout: Layout
  /// Which generation, where there are several.
  var generation: String?
  /// What the recognition rests on, a sentence each.
  package var evidence: [String]
  /// What else the recognition showed that a person should know.
  package var findings: [Finding] = []
  /// The SDK's own tables, in lower case.
  var systemTables: Set<String> = []
  /// What it says about the app's columns.
  var columns = ColumnRules()
  /// How it makes the app's tables; nil where they are the file's, but for the SDK's own.
  package var tables: (any TablesLayout)?
  /// How its queue is read; nil where it has none.
  var queue: (any QueueLayout)?

  /// Takes all its parts.
  package init(
    layout: Layout, generation: String? = nil, evidence: [String], findings: [Finding] = [],
    systemTables: Set<String> = [], columns: ColumnRules = ColumnRules(),
    tables: (any TablesLayout)? = nil, queue: (any QueueLayout)? = nil
  ) {
    self.layout = layout
    self.generation = generation
    self.evidence = evidence
    self.findings = findings
    self.systemTables = systemTables
    self.columns = columns
    self.tables = tables
    self.queue = queue
  }

  /// Whether a table, its name in lower case, is bookkeeping of the SDK or of its platform.
  func leavesOut(_ table: String) -> Bool {
    guard layout != .sqlite else { return false }
    return systemTables.contains(table) || table == "android_metadata" || table.hasPrefix("__ef")
  }
}
