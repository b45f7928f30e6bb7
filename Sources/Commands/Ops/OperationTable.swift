import CommandLineKit
import Records

/// Operations as lines of a table.
enum OperationTable {
  private static let table = TextTable(columns: [
    .init("#", alignment: .right), .init("Kind"), .init("Table", widest: 24),
    .init("Item", widest: 40), .init("State"), .init("Base version", widest: 20), .init("Row"),
  ])

  /// The table of a few operations, with its heading.
  static func text(_ operations: some Collection<PendingOperation>, style: TextStyle) -> String {
    var text = ""
    table.write(operations.lazy.map(cells), style: style) { text += $0 }
    return text
  }

  /// Prints the table with its heading, in pieces, so that a long queue is never held as text.
  ///
  /// - Throws: `StoreError` when the output cannot be written.
  static func print(
    _ operations: [PendingOperation], to console: Console
  ) throws(StoreError) {
    var output = TextOutput(to: console)
    try table.write(operations.lazy.map(cells), style: console.terminal.outputStyle) {
      (line) throws(StoreError) in try output.add(line)
    }
    try output.finish()
  }

  private static func cells(_ operation: PendingOperation) -> [String] {
    [
      String(operation.sequence), operation.kind?.rawValue ?? "?", operation.table ?? "",
      operation.itemID ?? "", operation.state.rawValue, operation.baseVersion ?? "",
      operation.rowKey != nil ? "here" : operation.item != nil ? "payload" : "none",
    ]
  }
}
