import Bytes
import CommandLineKit
import Exports
import Records

/// `rehome export`: the contents of a store in a format that other programs read.
enum ExportCommand {
  static let description = Command(
    name: "export",
    summary: "write the contents of a store for other programs",
    discussion: [
      "Writes JSON, NDJSON, CSV, XML or a script for PostgreSQL. A bundle is a folder with a manifest, "
        + "a file for each table, and the queue; JSON and XML can also put all of that into one "
        + "document. One table of NDJSON or CSV goes to standard output or a file as plain rows. The "
        + "script is for psql, and makes a schema with tables, keys and references in one transaction.",
      "The key of a row comes first, as _pk, then the columns in the source's order. Times are UTC, "
        + "bytes are base64.",
      "A PATH that ends in the format's name, such as items.json, is a single file, and with .gz "
        + "behind it a packed one. Any other PATH is a bundle, unless one table of NDJSON or CSV was "
        + "chosen; a name that ends as another format's is refused. Nothing appears before it is "
        + "complete.",
    ],
    examples: [
      Command.Example(
        "rehome export qstodoitem.sqlite --to csv -o todo", "write all tables and the queue"),
      Command.Example(
        "rehome export qstodoitem.sqlite --to csv --for excel --table TodoItem -o items.csv",
        "write one table for a spreadsheet"),
      Command.Example(
        "rehome export qstodoitem.sqlite --to json -o todo.json.gz",
        "write one document, packed with gzip"),
      Command.Example(
        "rehome export qstodoitem.sqlite --to ndjson --table TodoItem",
        "write the rows of one table to standard output"),
      Command.Example(
        "rehome export qstodoitem.sqlite --to postgresql --schema todo | psql -d team",
        "load all of it into a database"),
    ],
    options: [
      Option(
        "to",
        argument: .value(
          placeholder: "FORMAT", completion: .choices(ExportFormat.allCases.map(\.rawValue))),
        help: "the format to write", group: "Output", isRequired: true),
      Option(
        "output", letter: "o", argument: .value(placeholder: "PATH", completion: .file),
        help: "where to write; - is standard output", group: "Output", defaultText: "-",
        output: [.file, .folder, .stream]),
      Option(
        "csv-safe",
        help: "put ' before fields of CSV that a spreadsheet might take for a formula",
        group: "Output"),
      Option(
        "schema", argument: .value(placeholder: "NAME"),
        help: "the schema that a script for PostgreSQL makes, which must not be there yet",
        group: "Output", defaultText: "rehome"),
      CommonOptions.program(
        "a bundle is read back as it was, a table alone as the spreadsheet sees it"),
      CommonOptions.force, CommonOptions.device, CommonOptions.report,
    ] + CommonOptions.tables + CommonOptions.reading
      + CommonOptions.reporting,
    essentials: ["to", "output", "table", "for", "csv-safe", "force"],
    positionals: [Positional("STORE", help: "the store to read", completion: .file)],
    exitStatuses: ExitCode.reading(.completeWithRejects, .cannotCreate),
    seeAlso: ["rehome-export(5)"])

  /// Exports the chosen tables.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    let threads = threadCount()
    let reader = try session.openStore(try session.storePath, tellsFindings: true)
    let catalogue = try reader.catalogueByValues()
    let plan = try ExportPlan(session.arguments, catalogue: catalogue)
    guard !(session.wantsJSON && plan.output == nil) else {
      throw StoreError(
        .usage, "--json and the data cannot both go to standard output",
        hint: "write the report to a file with --report FILE")
    }
    let file = try session.beginFile("report")
    let report = try StoreExport(
      reader: reader, catalogue: catalogue, plan: plan, threads: threads, session: session
    ).run()
    try write(report, of: reader.source, to: file, plan, session)
    return session.exitCode(
      findings: report.findings, rejects: report.rejects + report.rejectedQueueCells)
  }

  private static func write(
    _ report: ExportReport, of source: SourceDescription, to file: consuming StagedOutput?,
    _ plan: ExportPlan, _ session: Session
  ) throws(StoreError) {
    // Counting a long queue for a report that nobody asked for would make the run longer.
    lazy var json = report.json
    if session.wantsJSON { try session.print(json) }
    if let file = consume file {
      try session.finish(file) { (write) throws(StoreError) in
        try json.writePretty { (text) throws(StoreError) in try write(Array(text.utf8)) }
        try write(Array("\n".utf8))
      }
    }
    session.sayWarnings(
      report.findings, of: source, wayToAll: plan.output == nil ? "--report FILE" : "--json")
    if let output = plan.output {
      let rows = report.balances.reduce(0) { $0 + $1.written }
      session.say(
        "wrote \(rows.counted("row", "rows")) of "
          + "\(report.balances.count.counted("table", "tables")) to "
          + escapedAsOneWord(output))
    }
    if report.rejectedQueueCells > 0 {
      session.say(
        "warning: \(report.rejectedQueueCells.counted("value", "values")) of the queue "
          + "could not be taken over and became null")
    }
  }
}

/// What an export has done.
struct ExportReport: Sendable {
  var output: String
  var format: String
  var form: String
  var balances: [TableBalance] = []
  var hashes: [SHA256Digest?] = []
  var queue: Queue?
  /// How many cells of operations, errors and tokens were left empty.
  var rejectedQueueCells = 0
  var hash: SHA256Digest?
  var findings = Findings()

  /// How many cells of tables were left empty, and rows that no table could take.
  var rejects: Int { balances.reduce(0) { $0 + $1.rejected + $1.rejectedCells } }

  var json: ReportJSON {
    [
      "output": .string(output), "format": .string(format), "form": .string(form),
      "hash": ReportJSON(hash?.hexadecimal),
      "tables": .array(
        zip(balances, hashes).map { balance, hash in
          ReportJSON(balance).adding("hash", ReportJSON(hash?.hexadecimal))
        }),
      "queue": queue.map { queue in
        ReportJSON(queue).adding(
          "rejectedCells", ReportJSON(count: rejectedQueueCells), if: rejectedQueueCells > 0)
      } ?? .null,
      "findings": ReportJSON(findings),
    ]
  }
}
