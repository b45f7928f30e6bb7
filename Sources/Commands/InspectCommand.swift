import Audit
import Bytes
import CommandLineKit
import Places
import Records

/// `rehome inspect`: what a store is, on what evidence, and what it holds.
enum InspectCommand {
  static let description = Command(
    name: "inspect",
    summary: "tell what a store is and what it holds",
    discussion: [
      "Recognises each store by its content, and shows the layout and the evidence for it, the "
        + "tables with their rows, what waits in the queue, the files that belong to it, and what "
        + "looks wrong. Nothing is changed. Rows are only counted: whether their values fit the types of "
        + "their columns is found by audit and convert.",
      "With --table or --exclude-table only the chosen tables are shown, and what waits on them.",
    ],
    examples: [
      Command.Example("rehome inspect qstodoitem.sqlite", "show one store"),
      Command.Example(
        "rehome inspect --json */Documents/*.sqlite", "describe many stores for a program"),
    ],
    options: CommonOptions.places + StoreRound.options + StoreRound.reportOptions
      + CommonOptions.tables + CommonOptions.reading + CommonOptions.reporting,
    essentials: ["json", "table", "verbose", "once", "salvage", "model", "from"],
    positionals: [CommonOptions.stores()],
    exitStatuses: ExitCode.reading(.completeWithRejects, .cannotCreate),
    seeAlso: ["rehome-convert(1)"])

  /// What was seen of one store.
  struct Inspection: Sendable {
    var source: SourceDescription
    var tables: [(name: String, rows: Int)]
    var queue: Queue
    var findings: Findings
    var model: ModelSummary?
  }

  /// Looks at every store; one that cannot be read does not keep the others from being shown.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    var round = try StoreRound(session)
    try round.shelf.expectStores()
    return try round.list(
      { (reader, turn) throws(StoreError) in try inspect(reader, turn, session) },
      json: \.inspected,
      text: { inspection, store in
        inspection.text(session, twin: store.twin)
      },
      failureText: { store, error in
        heading(store.turn.name, store.turn.device, session)
          + ": cannot be read: \(escapedForTerminal(error.message))\n"
          + (error.hint.map { "  try: \(escapedForTerminal($0))\n" } ?? "") + "\n"
      })
  }

  /// What the lines of a store begin with.
  fileprivate static func heading(
    _ name: String, _ device: String?, _ session: Session
  ) -> String {
    session.console.terminal.outputStyle.bold(escapedAsOneWord(name))
      + (device.map { " [\(escapedAsOneWord($0))]" } ?? "")
  }

  private static func inspect(
    _ reader: any StoreReader, _ turn: StoreInTurn, _ session: Session
  ) throws(StoreError) -> (Inspection, StoreFacts) {
    var (inspection, files) = try reader.hashed { () throws(StoreError) in
      var tables: [(name: String, rows: Int)] = []
      for (index, table) in reader.catalogue.tables.enumerated() {
        try session.checkInterruption()
        tables.append((table.name, try reader.countRows(inTable: index)))
      }
      let queue = try reader.readQueue()
      return Inspection(
        source: reader.source, tables: tables, queue: queue,
        findings: (reader.findings + queue.findings).ofOpenOperations(in: queue)
          + (try reader.examineRows()),
        model: reader.model)
    }
    inspection.source.files = files
    let facts = StoreFacts(
      reader.source, bytes: turn.bytes, rows: inspection.tables.reduce(0) { $0 + $1.rows },
      queue: inspection.queue, findings: inspection.findings)
    return (inspection, facts)
  }
}

extension SeenStore<InspectCommand.Inspection> {
  /// What a program gets of it: what is in the store, or why it cannot be read.
  fileprivate var inspected: ReportJSON {
    let twin = self.twin.map(ReportJSON.string)
    if case .success(let inspection) = result { return inspection.json.adding("sameAs", twin) }
    return [
      "name": .string(Paths.fileName(of: turn.name)), "layout": .null, "generation": .null,
      "evidence": .array([]), "tables": .array([]), "queue": .null, "files": .array([]),
      "metadata": .object([]), "findings": .array([]), "model": .null,
      "path": .string(turn.name), "device": ReportJSON(turn.device), "error": .errorOf(self),
    ]
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
      "findings": ReportJSON(findings),
      "model": model.map { ReportJSON($0) } ?? .null,
      "path": ReportJSON(source.givenPath), "device": ReportJSON(source.givenDevice),
    ]
    return json.adding("devices", .array(source.earlier.map(Self.json)), if: source.isOfSeveral)
  }

  private static func json(_ device: EarlierSource) -> ReportJSON {
    [
      "number": .integer(device.number), "name": .string(device.source.name),
      "path": ReportJSON(device.source.path), "device": ReportJSON(device.source.device),
      "layout": .string(device.source.layout.rawValue),
      "generation": ReportJSON(device.source.generation),
      "files": .array(device.source.files.map(ReportJSON.init)),
    ]
  }

  func text(_ session: Session, twin: String?) -> String {
    let style = session.console.terminal.outputStyle
    let generation = source.generation.map { ", generation \($0)" } ?? ""
    // Most stores have the same file name, so the path tells them apart.
    let name = source.shownName
    var lines = [
      InspectCommand.heading(name, source.givenDevice, session)
        + ": \(source.layout.rawValue)\(generation)"
    ]
    if let twin { lines.append("  has the same bytes as \(escapedAsOneWord(twin))") }
    lines += source.evidence.map { "  because: \(escapedForTerminal($0))" }
    lines += source.distinctMetadata.map {
      "  \(escapedForTerminal($0.key)): \(escapedForTerminal($0.value))"
    }
    var table = TextTable(columns: [.init("Table"), .init("Rows", alignment: .right)])
    for (name, rows) in tables { table.addRow([name, rows.grouped]) }
    lines += ["", tables.isEmpty ? "No tables." : table.text(style: style)]
    if session.isVerbose, let model { lines += model.lines(style) }
    lines.append(queueText)
    for file in source.files {
      lines.append("  file: \(escapedAsOneWord(file.name)), \(Quantity.bytes(file.bytes))")
    }
    lines += FindingLines(findings, of: source).lines.map { "  " + $0 }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private var queueText: String {
    guard !queue.operations.isEmpty || !queue.errors.isEmpty || !queue.tokens.isEmpty else {
      return source.nothingWaits(findings.lazy.map(\.code))
    }
    let kinds = [
      queue.count(of: .insert).counted("insert", "inserts"),
      queue.count(of: .update).counted("update", "updates"),
      queue.count(of: .delete).counted("delete", "deletes"),
    ]
    return """
      Queue: \(queue.operations.count.counted("operation", "operations")) \
      (\(kinds.joined(separator: ", "))), \
      \(QueueCounts(queue).errorWords.joined(separator: ", ")), \
      \(queue.tokens.count.counted("token", "tokens"))\
      \(source.caveat(findings.lazy.map(\.code)).map { "; \($0)" } ?? "")
      """
  }
}
