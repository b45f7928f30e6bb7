import Audit
import Bytes
import Canonical
import CommandLineKit
import Records
import SyncSDKs

/// `rehome ops drop` and `rehome ops keep`: decide whether operations may be sent.
enum OpsMarkCommand {
  static func description(_ kind: OperationMark.Kind) -> Command {
    let isDrop = kind == .drop
    return Command(
      name: kind.rawValue,
      summary: isDrop
        ? "mark operations so that they are not sent" : "undo the mark of dropped operations",
      discussion: [
        "Works on canonical stores, which 'rehome convert' makes. The mark is kept with who, when "
          + "and why; the operation itself stays as it is. Without SEQUENCE all operations are meant "
          + "that fit the options of choosing.",
        "Most SDKs keep no values with an operation: other operations on the same item send its row as "
          + "it stands, which is reported. An operation that has the mark already gets no second one, "
          + "unless a reason is given with --why. No mark undoes what a server has taken, or what the "
          + "rules of a replay have dropped.",
      ],
      examples: [
        Command.Example(
          "rehome ops \(kind.rawValue) --why 'see case 4711' items.rehome 3-7,9",
          isDrop ? "keep some operations from being sent" : "let some operations be sent after all"),
        Command.Example(
          "rehome ops \(kind.rawValue) --finding error-conflict items.rehome",
          isDrop ? "give up what is in conflict" : "try what was in conflict after all"),
      ],
      options: [
        Option(
          "why", argument: .value(placeholder: "TEXT"), help: "the reason, kept with the mark",
          group: "Mark"),
        Option(
          "who", argument: .value(placeholder: "NAME"), help: "who decides, kept with the mark",
          group: "Mark", defaultText: "the user's name"),
        Option(
          "dry-run", letter: "n", help: "see which operations are meant, and mark none",
          group: "Mark"),
      ] + OperationFilter.options + CommonOptions.reading + CommonOptions.reportingOperations,
      essentials: ["why", "who", "finding", "dry-run", "json"],
      positionals: [
        Positional("STORE", help: "the canonical store to mark", completion: .file),
        ChosenOperations.positional,
      ],
      exitStatuses: ExitCode.reading(.completeWithRejects))
  }

  static func run(
    _ kind: OperationMark.Kind, _ session: Session
  ) throws(StoreError) -> ExitCode {
    try expectWords(session.arguments)
    let path = try session.storePath
    try session.expectFile(path)
    let chosen = try choose(for: kind, session, inStoreAt: path)
    let marking = OpsMarkCommand.Marking(kind, chosen.operations, chosen.queue, session.arguments)
    if !session.arguments.flag("dry-run"), marking.chosen.first(.marked) != nil {
      try CanonicalMarks.add(
        marking.mark, to: marking.chosen.sequences(.marked), inStoreAt: chosen.file)
    }
    if session.wantsJSON {
      try session.print(marking.json(of: chosen.source, at: path))
    } else {
      marking.lines(of: path).forEach(session.say)
    }
    if kind == .drop {
      let still = ItemsStillSent(
        of: chosen.operations, numbered: KeySet(marking.chosen.sequences(.marked)),
        in: chosen.queue, chosen.source.sdks)
      if let words = still.words { session.say(words) }
    }
    return .complete
  }

  /// Refuses a name or a reason of nothing but blanks, which the mark would show as one.
  private static func expectWords(_ arguments: ParsedArguments) throws(StoreError) {
    for option in ["who", "why"] {
      guard let text = arguments.value(option)?.text, text.allSatisfy(\.isWhitespace) else {
        continue
      }
      throw StoreError(.usage, "--\(option) is empty", hint: "say it, or leave --\(option) away")
    }
  }

  /// The operations that the arguments name, and their marks; the store is closed again.
  private static func choose(
    for kind: OperationMark.Kind, _ session: Session, inStoreAt path: String
  ) throws(StoreError) -> (
    operations: OperationList, queue: Queue, source: SourceDescription, file: String
  ) {
    let reader = try session.openStore(path)
    guard reader.source.layout == .rehome else {
      throw StoreError(
        .usage, path: path, "only operations of a canonical store can be marked",
        hint: "make one with 'rehome convert'; the source itself is never changed")
    }
    try session.expectUndamaged(reader, at: path)
    var findings: FindingList?
    if session.arguments.value("finding") != nil {
      findings = try OperationFilter.findings(in: reader, ifKept: kind == .keep, session)
    }
    let choice = try ChosenOperations(session.arguments, findings)
    let queue = try reader.readQueue(.withoutRaw).afterReplay()
    return (
      try choice.operations(among: queue.operations, of: reader), queue, reader.source,
      try session.ownFile(of: reader, at: path)
    )
  }

  /// A mark, and what it does to the operations that were named.
  fileprivate struct Marking {
    let mark: OperationMark
    /// All operations that were named, and what there is to say of them.
    private(set) var chosen = ChosenSequences()
    /// The mark that says so of the first one that had it before.
    private let firstBefore: OperationMark?
    /// The latest servers, one in most stores.
    private let servers: [String]
    private let isDryRun: Bool

    init(
      _ kind: OperationMark.Kind, _ operations: OperationList, _ queue: Queue,
      _ arguments: ParsedArguments
    ) {
      let why = arguments.value("why")?.text
      mark = OperationMark(
        kind, at: .now, who: arguments.value("who")?.text ?? userName(), why: why)
      for operation in operations {
        chosen.append(
          operation.sequence, queue.standing(of: operation, toBe: kind, withReason: why != nil))
      }
      firstBefore = chosen.first(.before).flatMap { queue.marks.last(of: $0)?.mark }
      servers = queue.deliveries.latestTargets
      isDryRun = arguments.flag("dry-run")
    }

    func json(of source: SourceDescription, at path: String) -> ReportJSON {
      [
        "store": .string(Paths.fileName(of: path)), "path": .string(source.givenPath ?? path),
        "device": ReportJSON(source.givenDevice),
        "mark": .string(mark.kind.rawValue),
        "sequences": list(), "already": list(.before), "sent": list(.sent),
        "givenUp": list(.givenUp), "who": ReportJSON(mark.who),
        "dryRun": .boolean(isDryRun),
      ]
    }

    private func list(_ standing: Standing = []) -> ReportJSON {
      .list(ReportList { [chosen] in chosen.sequences(standing).lazy.map(ReportJSON.integer) })
    }

    func lines(of path: String) -> [String] {
      guard chosen.first() != nil else {
        return ["no operation is as asked for; nothing was marked"]
      }
      let isDrop = mark.kind == .drop
      let changed = chosen.count { $0 == .marked }
      let done =
        isDrop
        ? isDryRun ? "would not be sent" : "will not be sent"
        : isDryRun ? "could be sent" : "may be sent"
      var lines: [String] = []
      if changed > 0 {
        lines.append(
          "\(changed.counted("operation", "operations")) of \(escapedAsOneWord(path)) \(done)"
        )
      }
      lines += [wordsOfSent, wordsOfGivenUp].compactMap(\.self)
      guard let first = chosen.first(.before) else { return lines }
      let was =
        isDrop
        ? ("was dropped already", "were dropped already") : ("was not dropped", "were not dropped")
      let since = firstBefore.map { mark in
        " (\(isDrop ? "dropped" : "kept") \(mark.time.text)"
          + (mark.who.map { " by \(escapedForTerminal($0))" } ?? "") + ")"
      }
      let count = chosen.count { $0.contains(.before) }
      let words =
        count == 1
        ? "operation \(first) \(was.0)" + (since ?? "")
        : "\(count.grouped) operations \(was.1): \(shown(.before))"
      let kept = mark.why != nil && !isDryRun ? "; the reason is added" : ""
      return lines + [words + kept]
    }

    /// That some are on a server already.
    private var wordsOfSent: String? {
      guard let first = chosen.first(.sent) else { return nil }
      let count = chosen.count { $0.contains(.sent) }
      let place = "sent to \(wordsOfServers(of: count)) before, which no mark undoes"
      // To another server, which has not got them, they would not go.
      let elsewhere = mark.kind == .drop ? "; other servers will not get what is dropped" : ""
      return
        (count == 1
        ? "operation \(first) was \(place)"
        : "\(count.grouped) operations were \(place): \(shown(.sent))")
        + elsewhere
    }

    /// That the rules of a replay have decided for what the server has.
    private var wordsOfGivenUp: String? {
      guard let first = chosen.first(.givenUp) else { return nil }
      let count = chosen.count { $0.contains(.givenUp) }
      let place =
        "by the rules of a replay to \(wordsOfServers(of: count)), which no mark undoes"
      return count == 1
        ? "operation \(first) was dropped \(place)"
        : "\(count.grouped) operations were dropped \(place): \(shown(.givenUp))"
    }

    /// Where so many operations went.
    private func wordsOfServers(of count: Int) -> String {
      if servers.count == 1 { return escapedForTerminal(servers[0]) }
      return count == 1 ? "the server of its device" : "the servers of their devices"
    }

    /// The first few numbers of those of which something is to be said.
    private func shown(_ standing: Standing) -> String {
      firstFew(chosen.sequences(standing).prefix(11).map(String.init), 10)
    }
  }
}

extension OpsMarkCommand {
  /// What there is to say of an operation that shall have a mark.
  fileprivate struct Standing: OptionSet {
    let rawValue: Int

    /// It had the mark before.
    static let before = Standing(rawValue: 1)
    /// The latest server has it, which no mark undoes.
    static let sent = Standing(rawValue: 2)
    /// Its replay has given it up by its rules, which no mark undoes either.
    static let givenUp = Standing(rawValue: 4)
    /// It gets the mark.
    static let marked = Standing(rawValue: 8)
  }

  /// The numbers of operations, of which there may be millions.
  fileprivate struct ChosenSequences: Sendable {
    private var pairs = PackedPairs()

    mutating func append(_ sequence: Int64, _ standing: Standing) {
      pairs.append(Int(sequence), standing.rawValue)
    }

    /// The operations of which all this is to be said.
    func sequences(_ standing: Standing = []) -> some Sequence<Int64> {
      pairs.lazy.filter { Standing(rawValue: $0.1).isSuperset(of: standing) }.map { Int64($0.0) }
    }

    /// The first of them; nil where there is none.
    func first(_ standing: Standing = []) -> Int64? { sequences(standing).first { _ in true } }

    /// How many are as asked for.
    func count(where isWanted: (Standing) -> Bool) -> Int {
      pairs.count { isWanted(Standing(rawValue: $0.1)) }
    }
  }
}

extension Queue {
  /// What there is to say of an operation before it gets a mark; a reason is kept even where nothing
  /// else changes.
  fileprivate func standing(
    of operation: PendingOperation, toBe kind: OperationMark.Kind, withReason hasReason: Bool
  ) -> OpsMarkCommand.Standing {
    var standing: OpsMarkCommand.Standing = []
    if kind == .keep, isGivenUp(operation) {
      standing.insert(.givenUp)
    } else if isDropped(operation) == (kind == .drop) {
      standing.insert(.before)
    }
    if standing.isEmpty || hasReason { standing.insert(.marked) }
    if isSent(operation.sequence) { standing.insert(.sent) }
    return standing
  }

  /// Whether an operation is dropped by itself or by a mark, and not by what a replay came to.
  func isDropped(_ operation: PendingOperation) -> Bool {
    if let kind = marks.lastKind(of: operation.sequence) { return kind == .drop }
    return operation.state == .dropped
      && deliveries.latest(of: operation.sequence)?.outcome != .dropped
  }

  /// Whether a replay to the latest server has dropped an operation by its rules.
  fileprivate func isGivenUp(_ operation: PendingOperation) -> Bool {
    deliveries.latest(of: operation.sequence)?.outcome == .dropped && !isDropped(operation)
  }

  /// Whether the latest server has what an operation was to bring about.
  fileprivate func isSent(_ sequence: Int64) -> Bool {
    switch deliveries.latest(of: sequence)?.outcome {
    case .applied, .alreadyApplied: true
    default: false
    }
  }
}
