import CommandLineKit
import Records

/// What a conversion has done.
struct ConversionReport: Sendable {
  var output: String
  var source: SourceDescription
  var balances: [TableBalance]
  var queue: Queue
  var findings: [Finding]

  /// How many rows and cells were rejected.
  var rejects: Int { balances.reduce(0) { $0 + $1.rejected + $1.rejectedCells } }

  /// The fields that scripts rely on, and a few more.
  var json: ReportJSON {
    [
      "output": .string(output),
      "sources": [
        [
          "name": .string(source.name), "layout": .string(source.layout.rawValue),
          "generation": ReportJSON(source.generation),
          "files": .array(source.files.map(ReportJSON.init)),
        ]
      ],
      "tables": .array(balances.map(ReportJSON.init)),
      "queue": ReportJSON(queue),
      "findings": .array(findings.map(ReportJSON.init)),
    ]
  }

  /// The summary for a person.
  func text(_ style: TextStyle) -> String {
    var table = TextTable(columns: [
      .init("Table"), .init("Read", alignment: .right), .init("Written", alignment: .right),
      .init("Rejected cells", alignment: .right), .init("Left out", alignment: .right),
    ])
    for balance in balances {
      table.addRow([
        balance.name, Quantity.count(balance.read), Quantity.count(balance.written),
        Quantity.count(balance.rejectedCells), Quantity.count(balance.filtered),
      ])
    }
    let rows = balances.reduce(0) { $0 + $1.written }
    var lines = [table.text(style: style)]
    lines += findings.map { finding in
      "\(finding.severity.rawValue): \(escapedForTerminal(finding.message)) [\(finding.code)]"
    }
    lines.append(
      "\(Quantity.count(rows, "row", "rows")) and "
        + Quantity.count(queue.operations.count, "operation", "operations")
        + " are in \(escapedForTerminal(output)); the source is as it was")
    return lines.joined(separator: "\n")
  }
}
