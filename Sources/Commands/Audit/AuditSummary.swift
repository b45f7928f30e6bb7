import Audit
import CommandLineKit
import Records

extension [StoreSummary] {
  /// A line for each store, to compare many.
  func table(_ console: Console) -> String {
    var table = TextTable(columns: [
      .init("Store", widest: 60), .init("Waiting", alignment: .right),
      .init("Failed", alignment: .right), .init("Errors", alignment: .right),
      .init("Warnings", alignment: .right), .init("Worst finding"),
    ])
    for place in StoreSummary.worstFirst(self) {
      let summary = self[place]
      table.addRow([
        summary.name, Quantity.count(summary.waiting), Quantity.count(summary.failed),
        Quantity.count(summary.errors), Quantity.count(summary.warnings),
        summary.worst?.code ?? "",
      ])
    }
    return table.text(style: console.terminal.outputStyle)
  }
}
