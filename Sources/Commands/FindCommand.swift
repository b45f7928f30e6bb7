import Audit
import Bytes
import CommandLineKit
import Places
import Records

/// `rehome find`: the stores in folders, archives and device backups.
enum FindCommand {
  static let description = Command(
    name: "find",
    summary: "find the stores in folders, archives and device backups",
    discussion: [
      "Looks through each place and shows every store in it, recognised by its content: which "
        + "layout it has, how many rows, and what waits in its queue. A place is a folder, an iOS "
        + "backup, an .xcappdata, an Android backup, a ZIP, a tar, a tar.gz or a gz; one may lie in "
        + "the other. What is no store is counted by kind. Nothing is changed.",
      "A store is called by its path as given and, behind a !, by its path inside the container. "
        + "Every command that takes a store takes such places, too.",
    ],
    sections: [
      Command.Section(
        "Lines of JSON",
        "--json prints a line for each store: its path, device and container; layout and generation; "
          + "bytes and rows; what is in its queue and how much of it waits, and whether it has a queue; "
          + "the codes of its findings and the worst severity; why it cannot be read; and its SHA-256, "
          + "that of its file or, where it has several, of the list of them. The findings are those "
          + "about the store as a whole; 'rehome audit' has those about single operations.",
        "The file of --report has the same lines, the command that made them with its options about "
          + "what stores are, and 'ofPlace': the codes and severities of what their place tells of "
          + "them, such as a log that is lost. --resume knows stores by their SHA-256 and by what their "
          + "place tells, whatever they are called, and ends as a run over all of them would. With "
          + "--copy-to it takes a store again whose copy is gone.")
    ],
    examples: [
      Command.Example("rehome find shelf/", "show every store below a folder"),
      Command.Example(
        "rehome find --json MobileSync/Backup/*", "a line of JSON for each store in some backups"),
    ],
    options: CommonOptions.places + [copyTo] + StoreRound.options + StoreRound.reportOptions
      + CommonOptions.reading + CommonOptions.reporting,
    essentials: ["json", "copy-to", "once", "files-from", "device", "report", "resume"],
    positionals: [CommonOptions.stores("PLACE")],
    exitStatuses: ExitCode.reading(.completeWithRejects, .cannotCreate),
    seeAlso: ["rehome-inspect(1)", "rehome-audit(1)"])

  private static let copyTo = Option(
    "copy-to", argument: .value(placeholder: "FOLDER", completion: .file),
    help: "copy the stores that lie in archives and backups, with their side files, to folders in "
      + "this one, where they stay; the path in --json tells where the files of each store are",
    group: "Places", output: .contents)

  /// Looks at every store; one that cannot be read is a line like the others.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    let copies = session.arguments.value("copy-to")?.text
    if let copies, !Paths.isDirectory(copies) {
      throw StoreError(
        .cannotCreate, path: copies, "there is no such folder for copies", hint: "make it first")
    }
    var round = try StoreRound(session, "PLACE", copies: copies)
    round.tellsHashes = session.wantsJSON
    try round.run(
      { (reader, turn) throws(StoreError) in ((), try look(reader, turn, session)) },
      { (store) throws(StoreError) in
        let json = ReportJSON(store)
        if session.wantsJSON {
          try session.console.print(json.compactText + "\n")
        } else {
          try session.console.show(store.text(session))
        }
      })
    if let stop = round.stop { session.console.report(stop) }
    session.say(round.summary)
    return round.finish()
  }

  private static func look(
    _ reader: any StoreReader, _ turn: StoreInTurn, _ session: Session
  ) throws(StoreError) -> StoreFacts {
    var rows = 0
    let tables = reader.catalogue.tables
    var progress = session.makeProgress(.tables, total: tables.count)
    defer { progress.clear() }
    for index in tables.indices {
      try session.checkInterruption()
      progress.update(done: index, label: "counting \(tables[index].name)")
      rows += try reader.countRows(inTable: index)
    }
    let queue = try reader.readQueue(.withoutRaw)
    // What is to be told of values that were rejected once needs no pass over the tables.
    let rejects = try reader.kept?.findingsOfRejects() ?? []
    return StoreFacts(
      reader.source, bytes: turn.bytes, rows: rows, queue: queue,
      findings: (reader.findings + queue.findings).ofOpenOperations(in: queue) + rejects)
  }
}

extension SeenStore {
  fileprivate func text(_ session: Session) -> String {
    let style = session.console.terminal.outputStyle
    let name = style.bold(escapedAsOneWord(turn.name))
    let device = turn.device.map { "  [\(escapedAsOneWord($0))]" } ?? ""
    guard let facts else {
      let message = escapedForTerminal(complaint ?? "")
      let hint = error?.hint.map { "  try: \(escapedForTerminal($0))\n" } ?? ""
      return "\(name)\(device)\n  cannot be read: \(message)\n\(hint)"
    }
    var parts = [facts.layout.rawValue]
    if let generation = facts.generation { parts[0] += " \(generation)" }
    parts.append(facts.rows.counted("row", "rows"))
    let queue = facts.queue
    if facts.waiting > 0 {
      parts.append(facts.waiting.counted("operation waits", "operations wait"))
    }
    if queue.errors > 0 { parts += queue.errorWords }
    parts += facts.codes
    parts = parts.map(escapedForTerminal)
    if let twin { parts.append("the same bytes as \(escapedAsOneWord(twin))") }
    return "\(name)\(device)\n  \(parts.joined(separator: ", "))\n"
  }
}

extension StoreRound {
  /// The last lines for a person: how much there is, and what was only counted.
  fileprivate var summary: String {
    var lines = [totals.words]
    var counts: [CountedKind: Int] = [:]
    for place in shelf.places { counts.merge(place.tally.counts, uniquingKeysWith: +) }
    if !counts.isEmpty { lines.append("not stores: \(counts.words)") }
    return lines.joined(separator: "\n")
  }
}
