import CommandLineKit
import Records

/// What a conversion or a seed has done.
struct LoadReport: Sendable {
  let output: String
  var sources: [SourceDescription] = []
  var balances: [TableBalance] = []
  var queue = QueueCounts()
  var findings: [Finding] = []
  /// The files of rejected rows, where they were asked for.
  var rejectFiles: RejectReport?
  /// How many tables the store has so far.
  var loadedTables = 0

  init(output: String) {
    self.output = output
  }

  /// Takes the books of one source: `loaded` has those of the chosen tables, in order.
  mutating func add(
    _ loaded: ArraySlice<TableBalance>, of reader: any StoreReader, _ chosen: Set<Int>
  ) throws(StoreError) {
    var rest = loaded
    for (index, table) in reader.catalogue.tables.enumerated() {
      if chosen.contains(index), let balance = rest.popFirst() {
        balances.append(balance)
      } else {
        var balance = TableBalance(name: table.name)
        balance.read = try reader.countRows(inTable: index)
        balance.filtered = balance.read
        balances.append(balance)
      }
    }
  }

  /// How many rows and cells were rejected.
  var rejects: Int { balances.reduce(0) { $0 + $1.rejected + $1.rejectedCells } }

  /// The fields that scripts rely on, and a few more.
  var json: ReportJSON {
    var json: ReportJSON = [
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
      "queue": ReportJSON(queue),
      "findings": .array(findings.map(ReportJSON.init)),
    ]
    if let rejectFiles, case .object(var members) = json {
      members.append(ReportJSON.Member("rejectFiles", rejectFiles.json))
      json = .object(members)
    }
    return json
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
        + Quantity.count(queue.operations, "operation", "operations")
        + " are in \(escapedForTerminal(output)); the source is as it was")
    lines += rejectFiles?.lines ?? []
    return lines.joined(separator: "\n")
  }

  /// Reports to the person or the program.
  ///
  /// - Returns: the exit code of the run.
  func tell(_ settings: RunSettings) throws(StoreError) -> ExitCode {
    if settings.wantsJSON {
      try settings.console.print(json.prettyText + "\n")
    } else {
      settings.say(text(settings.console.terminal.errorStyle))
    }
    return settings.exitCode(findings: findings, rejects: rejects)
  }
}
