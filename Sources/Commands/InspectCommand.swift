import Bytes
import CommandLineKit
import Records

/// `rehome inspect`: what a store is, on what evidence, and what it holds.
enum InspectCommand {
  static let description = Command(
    name: "inspect",
    summary: "tell what a store is and what it holds",
    discussion: [
      "Recognises each store by its content, and shows the layout and the evidence for it, the "
        + "tables with their rows, what waits in the queue, the files that belong to it, and what "
        + "looks wrong. Nothing is changed."
    ],
    examples: [
      Command.Example("rehome inspect qstodoitem.sqlite", "show one store"),
      Command.Example(
        "rehome inspect --json */Documents/*.sqlite", "describe many stores for a program"),
    ],
    options: CommonOptions.reading + CommonOptions.reporting,
    positionals: [
      Positional(
        "STORE", help: "a store; its -wal and -journal are read with it",
        cardinality: .oneOrMore, completion: .file)
    ],
    exitStatuses: ExitCode.list([
      .complete, .completeWithRejects, .usage, .notAStore, .inputMissing, .inputOutput,
      .temporary, .notPermitted, .interrupted,
    ]),
    seeAlso: ["rehome-convert(1)"])

  /// What was seen of one store.
  struct Inspection: Sendable {
    var source: SourceDescription
    var tables: [(name: String, rows: Int)]
    var queue: Queue
    var findings: [Finding]
    var model: ModelSummary?
  }

  /// Looks at every store; one that cannot be read does not keep the others from being shown.
  static func run(_ settings: RunSettings) async throws(StoreError) -> ExitCode {
    var inspections: [Inspection] = []
    var worst = ExitCode.complete
    for path in settings.arguments.positionals("STORE").map(\.text) {
      do {
        let inspection = try await inspect(path, settings)
        if !settings.wantsJSON { try settings.console.print(inspection.text(settings)) }
        let code = settings.exitCode(findings: inspection.findings, rejects: 0)
        worst = worst == .complete ? code : worst
        inspections.append(inspection)
      } catch {
        let error = settings.told(error)
        guard error.kind != .brokenPipe, error.kind != .interrupted else { throw error }
        ErrorMessage(error).write(to: settings.console)
        worst = ExitCode(error.kind)
      }
    }
    if settings.wantsJSON {
      let report: ReportJSON = ["stores": .array(inspections.map(\.json))]
      try settings.console.print(report.prettyText + "\n")
    }
    return worst
  }

  private static func inspect(
    _ path: String, _ settings: RunSettings
  ) async throws(StoreError) -> Inspection {
    let reader = try settings.openStore(path)
    let proof = SourceProof(of: reader)
    let (seen, files) = try await proof.hashing { () throws(StoreError) in
      var tables: [(name: String, rows: Int)] = []
      for (index, table) in reader.catalogue.tables.enumerated() {
        try settings.checkInterruption()
        tables.append((table.name, try reader.countRows(inTable: index)))
      }
      let queue = try reader.readQueue()
      return Inspection(
        source: reader.source, tables: tables, queue: queue,
        findings: reader.findings + queue.findings + (try reader.examineRows()),
        model: reader.model)
    }
    try SourceProof.checkUnchanged(reader)
    var inspection = seen
    inspection.source.files = files
    inspection.source.givenPath = path
    return inspection
  }
}

extension InspectCommand.Inspection {
  /// The fields that scripts rely on, and a few more.
  var json: ReportJSON {
    let json: ReportJSON = [
      "name": .string(source.name), "layout": .string(source.layout.rawValue),
      "generation": ReportJSON(source.generation), "evidence": ReportJSON(source.evidence),
      "tables": .array(
        tables.map { ["name": .string($0.name), "rows": ReportJSON(count: $0.rows)] }),
      "queue": ReportJSON(queue), "files": .array(source.files.map(ReportJSON.init)),
      "metadata": .object(source.distinctMetadata.map { .init($0.key, .string($0.value)) }),
      "findings": .array(findings.map(ReportJSON.init)),
      "model": model.map { ReportJSON($0) } ?? .null,
      "path": ReportJSON(source.givenPath),
    ]
    return json.adding("devices", .array(source.earlier.map(Self.json)), if: source.isOfSeveral)
  }

  private static func json(_ device: EarlierSource) -> ReportJSON {
    [
      "number": .integer(device.number), "name": .string(device.source.name),
      "path": ReportJSON(device.source.path), "layout": .string(device.source.layout.rawValue),
      "generation": ReportJSON(device.source.generation),
      "files": .array(device.source.files.map(ReportJSON.init)),
    ]
  }

  /// The page for a person.
  func text(_ settings: RunSettings) -> String {
    let style = settings.console.terminal.outputStyle
    let generation = source.generation.map { ", generation \($0)" } ?? ""
    // Most stores have the same file name, so among several the path tells them apart.
    let isOne = settings.arguments.positionals("STORE").count == 1
    let name = isOne ? source.name : source.givenPath ?? source.name
    var lines = [
      style.bold(escapedForTerminal(name)) + ": \(source.layout.rawValue)\(generation)"
    ]
    lines += source.evidence.map { "  because: \(escapedForTerminal($0))" }
    lines += source.distinctMetadata.map { "  \($0.key): \(escapedForTerminal($0.value))" }
    var table = TextTable(columns: [.init("Table"), .init("Rows", alignment: .right)])
    for (name, rows) in tables { table.addRow([name, Quantity.count(rows)]) }
    lines += ["", tables.isEmpty ? "No tables." : table.text(style: style)]
    if settings.isVerbose, let model { lines += model.lines(style) }
    lines.append(queueText)
    for file in source.files {
      lines.append("  file: \(escapedForTerminal(file.name)), \(Quantity.bytes(file.bytes))")
    }
    lines += findings.map { finding in
      "  \(finding.severity.rawValue): \(escapedForTerminal(finding.message)) [\(finding.code)]"
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private var queueText: String {
    guard !queue.operations.isEmpty || !queue.errors.isEmpty || !queue.tokens.isEmpty else {
      return findings.nothingWaits
    }
    let kinds = [
      Quantity.count(queue.count(of: .insert), "insert", "inserts"),
      Quantity.count(queue.count(of: .update), "update", "updates"),
      Quantity.count(queue.count(of: .delete), "delete", "deletes"),
    ]
    return """
      Queue: \(Quantity.count(queue.operations.count, "operation", "operations")) \
      (\(kinds.joined(separator: ", "))), \
      \(Quantity.count(queue.errors.count, "error", "errors")), \
      \(Quantity.count(queue.tokens.count, "token", "tokens"))
      """
  }
}
