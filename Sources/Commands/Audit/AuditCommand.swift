import Audit
import Bytes
import CommandLineKit
import Places
import Records

/// `rehome audit`: what never reached the server, why, and what is odd about a store.
enum AuditCommand {
  static let description = Command(
    name: "audit",
    summary: "show what never reached the server, and why",
    discussion: [
      "Lists the operations that still wait in each store, what they come to when several concern "
        + "one item, the failures that were noted, how far pulls had come, and findings with "
        + "stable codes, most serious first. Nothing is changed and nothing is sent.",
      "Every finding is explained by 'rehome explain CODE'. A value that is not of its column's type "
        + "is a warning here, and ends with 2 only with --fail-on warning.",
      "With --table or --exclude-table only the chosen tables are looked at, and what waits on them or "
        + "on no table that is known; references to rows of others are not followed.",
      "--csv and --html are about all stores, so they do not go with --resume, which passes over some.",
    ],
    examples: [
      Command.Example("rehome audit qstodoitem.sqlite", "look at one store"),
      Command.Example(
        "rehome audit --csv operations.csv --for excel qstodoitem.sqlite",
        "list its operations for a "
          + "spreadsheet"),
      Command.Example(
        "rehome audit --html audit.html qstodoitem.sqlite", "make a page to read in a browser"),
      Command.Example(
        "rehome audit --json */Documents/*.sqlite", "audit many stores for a program"),
    ],
    options: [
      Option(
        "csv", argument: .value(placeholder: "FILE", completion: .file),
        help: "write the operations of all stores as CSV; - is standard output", group: "Output",
        output: [.file, .stream]),
      CommonOptions.program("it is for --csv"),
      Option(
        "html", argument: .value(placeholder: "FILE", completion: .file),
        help: "write all of it as one page for a browser; - is standard output",
        group: "Output", output: [.file, .stream]),
      Option(
        "only-problems",
        help:
          "leave out stores in which nothing failed but what a replay has settled, no change may be "
          + "missing, and nothing worse than a note was found",
        group: "Output"),
      CommonOptions.force,
    ] + CommonOptions.places + StoreRound.options + StoreRound.reportOptions
      + CommonOptions.tables + CommonOptions.reading + CommonOptions.reporting,
    essentials: ["html", "csv", "json", "table", "only-problems", "verbose", "fail-on", "once"],
    positionals: [CommonOptions.stores()],
    exitStatuses: ExitCode.reading(.completeWithRejects, .cannotCreate),
    seeAlso: ["rehome-findings(7)"])

  /// Audits every store; one that cannot be read does not keep the others from being shown.
  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    try checkResuming(session.arguments)
    var round = try StoreRound(session)
    try round.shelf.expectStores()
    var output = try AuditOutput(
      session, storeCount: round.shelf.stores.count, threads: threadCount())
    let (listsRows, isOne) = (listsRows(session), round.isOfOne)
    try round.run(
      { (reader, turn) throws(StoreError) in
        let audit = try audit(reader, session, listsRows: listsRows, isOne: isOne)
        return (audit, StoreFacts(audit, bytes: turn.bytes))
      },
      { (store) throws(StoreError) in
        switch store.result {
        case .success(var audit):
          audit.twin = store.twin
          try output.add(audit)
        case .failure(let error):
          session.console.report(error)
          try output.add(
            UnreadableStore(
              name: store.turn.name, device: store.turn.device, code: store.errorCode ?? "",
              message: store.complaint ?? error.message, hint: error.hint))
        case nil: break
        }
      })
    // A page of stores that an option does not fit is none.
    try output.finish(ofAll: round.stop == nil && round.refusal == nil)
    if !round.isOfOne { sayTotals(of: round, session) }
    return round.finish()
  }

  /// Says how much there is in all stores together, and how to see what it is.
  private static func sayTotals(of round: StoreRound, _ session: Session) {
    session.say(round.totals.words)
    let twins = round.totals.countedTwins
    if twins > 0 { session.say(StoreRound.words(forCountedTwins: twins)) }
    let showsEach = session.isVerbose || listsRows(session)
    guard !showsEach, round.totals.readNow > 0 else { return }
    session.say("to see what is in each, name it, or give -v or --html FILE")
  }

  /// Refuses a page or a list that would lack the stores of an earlier run without a word.
  private static func checkResuming(_ arguments: ParsedArguments) throws(StoreError) {
    guard arguments.flag("resume"),
      let option = ["html", "csv"].first(where: arguments.flag)
    else { return }
    throw StoreError(
      .usage, "--\(option) has all stores, and --resume passes over those of the report",
      hint: "leave out --resume, and name another file with --report or none")
  }

  /// Judges one store.
  private static func audit(
    _ reader: any StoreReader, _ session: Session, listsRows: Bool, isOne: Bool
  ) throws(StoreError) -> StoreAudit {
    // Where stores are only compared, nobody sees what a change holds.
    let few = isOne || session.isVerbose ? AuditText.fewOperations : 0
    var progress = try session.makeProgress(inRowsOf: reader)
    defer { progress.clear() }
    let judge = { () throws(StoreError) in
      try StoreAudit(
        of: reader, now: Timestamp.now, listsRows: listsRows, orUpTo: few,
        threads: threadCount()
      ) { (rows) throws(StoreError) in
        try session.checkInterruption()
        progress.add(rows)
      }
    }
    // Only a page tells the hashes of what was read.
    guard session.arguments.value("html") != nil else { return try judge() }
    var (audit, files) = try reader.hashed(while: judge)
    audit.source.files = files
    return audit
  }

  /// Whether an output shows the row of every operation.
  private static func listsRows(_ session: Session) -> Bool {
    session.wantsJSON || ["csv", "html"].contains { session.arguments.value($0) != nil }
  }
}
