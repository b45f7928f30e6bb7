import CommandLineKit
import Records

/// What a seed has done.
struct SeedReport: Sendable {
  var output: String
  var sources: [SourceDescription] = []
  var balances: [TableBalance] = []
  var operations = 0
  var findings: [Finding] = []

  init(output: String) {
    self.output = output
  }

  /// How many rows and cells were rejected.
  var rejects: Int { balances.reduce(0) { $0 + $1.rejected + $1.rejectedCells } }

  /// The fields that scripts rely on.
  var json: ReportJSON {
    [
      "output": .string(output),
      "sources": .array(
        sources.map { source in
          [
            "name": .string(source.name), "layout": .string(source.layout.rawValue),
            "generation": ReportJSON(source.generation),
            "files": .array(source.files.map(ReportJSON.init)),
          ]
        }),
      "tables": .array(balances.map(ReportJSON.init)),
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
        + Quantity.count(operations, "operation", "operations")
        + " are in \(escapedForTerminal(output))")
    return lines.joined(separator: "\n")
  }
}
