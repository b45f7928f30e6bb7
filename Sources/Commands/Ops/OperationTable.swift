import Audit
import CommandLineKit
import Records

/// Operations as lines of a table.
enum OperationTable {
  /// The table with its heading.
  static func text(
    _ operations: some Sequence<PendingOperation>, of audit: StoreAudit, style: TextStyle
  ) -> String {
    var table = TextTable(columns: [
      .init("#", alignment: .right), .init("Kind"), .init("Table", widest: 24),
      .init("Item", widest: 40), .init("State"), .init("Base version", widest: 20),
      .init("Row"),
    ])
    for operation in operations {
      table.addRow([
        String(operation.sequence), operation.kind?.rawValue ?? "?", operation.table ?? "",
        operation.itemID ?? "", operation.state.rawValue, operation.baseVersion ?? "",
        operation.rowKey != nil ? "here" : operation.item != nil ? "payload" : "none",
      ])
    }
    return table.text(style: style)
  }
}
