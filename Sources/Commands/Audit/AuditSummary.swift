import Audit
import CommandLineKit
import Records

extension [StoreSummary] {
  /// A line for each store, to compare many.
  func table(_ console: Console) -> String {
    let namesDevices = contains { $0.device != nil }
    var table = TextTable(
      columns: [.init("Store")] + (namesDevices ? [.init("Device")] : []) + [
        .init("Waiting", alignment: .right),
        .init("Failed", alignment: .right), .init("Errors", alignment: .right),
        .init("Warnings", alignment: .right), .init("Worst finding"),
      ])
    for place in StoreSummary.worstFirst(self) {
      let summary = self[place]
      let figures =
        summary.trouble.map { ["", "", "", "", "cannot be read: \($0)"] } ?? [
          Quantity.count(summary.waiting), Quantity.count(summary.failed),
          Quantity.count(summary.errors), Quantity.count(summary.warnings),
          summary.worst?.code ?? "",
        ]
      table.addRow([summary.name] + (namesDevices ? [summary.device ?? ""] : []) + figures)
    }
    return table.text(style: console.terminal.outputStyle)
  }
}
