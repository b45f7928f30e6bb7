import Bytes
import CommandLineKit
import Records
import Writers

/// `rehome export`: the rows of a store in a format that other programs read.
enum ExportCommand {
  static let description = Command(
    name: "export",
    summary: "write the rows of a store for other programs",
    discussion: [
      "Writes one table as NDJSON: a JSON object a line, the key of the row first as _pk, then the "
        + "columns in the source's order. NULL is null; times are UTC; bytes are base64."
    ],
    examples: [
      Command.Example(
        "rehome export qstodoitem.sqlite --to ndjson --table TodoItem",
        "write the rows of one table to standard output"),
      Command.Example(
        "rehome export items.rehome --to ndjson --table TodoItem -o items.ndjson",
        "write them to a file, which appears when it is complete"),
    ],
    options: [
      Option(
        "to", argument: .value(placeholder: "FORMAT", completion: .choices(["ndjson"])),
        help: "the format to write", group: "Output", isRequired: true),
      Option(
        "output", letter: "o", argument: .value(placeholder: "FILE", completion: .file),
        help: "where to write; - is standard output", group: "Output", defaultText: "-"),
      CommonOptions.force,
      Option(
        "report", argument: .value(placeholder: "FILE", completion: .file),
        help: "write the run report as JSON to a file", group: "Reporting"),
    ] + CommonOptions.tables + CommonOptions.corrections + CommonOptions.reporting,
    positionals: [Positional("STORE", help: "the store to read", completion: .file)],
    exitStatuses: ExitCode.list([
      .complete, .completeWithRejects, .usage, .notAStore, .inputMissing, .cannotCreate,
      .inputOutput, .temporary, .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-store(5)"])

  /// Exports the chosen table.
  static func run(_ settings: RunSettings) async throws(StoreError) -> ExitCode {
    guard let path = settings.arguments.positional("STORE")?.text else {
      throw StoreError(.usage, "a store is needed")
    }
    let reader = try settings.openStore(path)
    let table = try chosenTable(of: reader, settings)
    let output = settings.arguments.value("output")?.text ?? "-"
    guard !(settings.wantsJSON && output == "-") else {
      throw StoreError(
        .usage, "--json and the rows cannot both go to standard output",
        hint: "write the report to a file with --report FILE")
    }
    let protection = SourceProtection(reader.inputFiles)
    if output != "-" { try protection.check(output) }
    if let path = settings.arguments.value("report")?.text { try protection.check(path) }
    let export = TableExport(reader: reader, table: table, settings: settings)
    let balance =
      output == "-" ? try export.writeToStandardOutput() : try export.write(toFileAt: output)
    try report(balance, reader, output: output, settings)
    return settings.exitCode(findings: reader.findings, rejects: balance.rejectedCells)
  }

  private static func chosenTable(
    of reader: any StoreReader, _ settings: RunSettings
  ) throws(StoreError) -> Int {
    let chosen = try TableSelection(settings.arguments).indices(in: reader.catalogue)
    guard let first = chosen.first, chosen.count == 1 else {
      let names = chosen.map { reader.catalogue.tables[$0].name }.joined(separator: ", ")
      throw StoreError(
        .usage, chosen.isEmpty ? "the store has no such table" : "NDJSON takes one table",
        hint: chosen.isEmpty ? nil : "choose one with --table: \(names)")
    }
    return first
  }

  private static func report(
    _ balance: TableBalance, _ reader: any StoreReader, output: String, _ settings: RunSettings
  ) throws(StoreError) {
    let json: ReportJSON = [
      "output": .string(output), "tables": [ReportJSON(balance)],
      "findings": .array(reader.findings.map(ReportJSON.init)),
    ]
    let text = json.prettyText + "\n"
    if settings.wantsJSON { try settings.console.print(text) }
    if let path = settings.arguments.value("report")?.text {
      try settings.writeReport(text, to: path)
    }
    for finding in reader.findings where finding.severity >= .warning {
      settings.say(
        "\(finding.severity.rawValue): \(escapedForTerminal(finding.message)) [\(finding.code)]")
    }
    if balance.rejectedCells > 0 {
      settings.say(
        "warning: \(Quantity.count(balance.rejectedCells, "value", "values")) of "
          + "\(escapedForTerminal(balance.name)) could not be taken over and became null")
    }
    if output != "-" {
      settings.say(
        "wrote \(Quantity.count(balance.written, "row", "rows")) of "
          + "\(escapedForTerminal(balance.name)) to \(escapedForTerminal(output))")
    }
  }
}
