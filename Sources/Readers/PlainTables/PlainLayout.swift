import Records

/// What a layout adds to plain tables: how it is recognised is told apart from how it is read.
struct PlainLayout: Sendable {
  /// Which layout.
  var layout: Layout
  /// Which generation, where there are several.
  var generation: String?
  /// What the recognition rests on, a sentence each.
  var evidence: [String]
  /// What else the recognition showed that a person should know.
  var findings: [Finding] = []
  /// The SDK's own tables, in lower case.
  var systemTables: Set<String> = []
  /// What it says about the app's columns.
  var columns = ColumnRules()
  /// How it makes the app's tables; nil where they are the file's, but for the SDK's own.
  var tables: (any TablesLayout)?
  /// How its queue is read; nil where it has none.
  var queue: (any QueueLayout)?

  /// Whether a table, its name in lower case, is bookkeeping of the SDK or of its platform.
  func leavesOut(_ table: String) -> Bool {
    guard layout != .sqlite else { return false }
    return systemTables.contains(table) || table == "android_metadata" || table.hasPrefix("__ef")
  }
}
