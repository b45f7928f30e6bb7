import Audit
import CommandLineKit
import Records

/// One line about one store, to compare many.
struct AuditSummary: Sendable {
  let path: String
  let pending: Int
  let failed: Int
  let errors: Int
  let warnings: Int
  let worst: String

  init(_ audit: StoreAudit, path: String) {
    self.path = path
    pending = audit.queue.operations.count { $0.state.isPending }
    failed = Set(audit.queue.errors.compactMap(\.operation)).count
    errors = audit.findings.count { $0.severity == .error }
    warnings = audit.findings.count { $0.severity == .warning }
    worst = audit.findings.first.map(\.code) ?? ""
  }

  /// The worst store first: by errors, then warnings, then what waits.
  static func table(_ summaries: [AuditSummary], _ console: Console) -> String {
    var table = TextTable(columns: [
      .init("Store", widest: 60), .init("Waiting", alignment: .right),
      .init("Failed", alignment: .right), .init("Errors", alignment: .right),
      .init("Warnings", alignment: .right), .init("Worst finding"),
    ])
    let sorted = summaries.sorted { left, right in
      (right.errors, right.warnings, right.pending, left.path)
        < (left.errors, left.warnings, left.pending, right.path)
    }
    for summary in sorted {
      table.addRow([
        summary.path, Quantity.count(summary.pending), Quantity.count(summary.failed),
        Quantity.count(summary.errors), Quantity.count(summary.warnings), summary.worst,
      ])
    }
    return table.text(style: console.terminal.outputStyle)
  }
}
