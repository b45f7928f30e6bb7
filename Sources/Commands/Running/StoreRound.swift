import Bytes
import CommandLineKit
import Opening
import Places
import Records

/// All stores that a command line names, one after the other; a bad one stops none.
///
/// Small stores are looked at by all processors, a large one by itself with all of them; what comes
/// of them is taken in the order of the shelf.
struct StoreRound {
  static let options: [Option] = [
    Option(
      "once", help: "of stores with the same bytes take the first only", group: "Places"),
    Option(
      "fail-fast", help: "stop at the first store that cannot be read", group: "Places"),
  ]

  /// The options about a file that tells how far a run has come.
  static let reportOptions: [Option] = [
    Option(
      "report", argument: .value(placeholder: "FILE", completion: .file),
      help: "add a line of JSON for each store to a file as soon as it is done", group: "Places",
      output: .file),
    Option(
      "resume",
      help:
        "do not read again what the file of --report tells of already, by its bytes, where this "
        + "command has written it with the same options about what stores are",
      group: "Places"),
  ]

  /// How a command looks at a store: what it makes of it, and what is reported of it beside others.
  typealias Look<Seen> =
    @Sendable (any StoreReader, StoreInTurn) throws(StoreError) -> (Seen, StoreFacts)

  let shelf: Shelf
  private let session: Session
  /// Whether the copies of stores in containers stay.
  private let keepsCopies: Bool
  private(set) var totals = StoreRound.Totals()
  private let report: StoreReportFile?
  /// What the person says about tables and columns; nil where there is but one store, which must have
  /// all of them.
  private let corrections: SharedCorrections?
  /// Which tables of the stores are looked at; nil for all.
  private let selection: SharedSelection?
  private var firsts = FirstStores()
  /// Why the round has ended before its end, as `--fail-fast` asks.
  private(set) var stop: StoreError?
  private var progress: ProgressLine

  /// Lists the stores; `copies` is where copies of those in containers stay.
  init(
    _ session: Session, _ name: String = "STORE", copies: String? = nil
  ) throws(StoreError) {
    self.session = session
    keepsCopies = copies != nil
    shelf = try session.openShelf(name, copies: copies)
    corrections = shelf.stores.count == 1 ? nil : try SharedCorrections(session.corrections())
    selection =
      session.arguments.describes(option: "table")
      ? SharedSelection(TableSelection(session.arguments)) : nil
    progress = session.makeProgress(.stores, total: shelf.stores.count)
    let arguments = session.arguments
    guard arguments.describes(option: "resume") else {
      report = nil
      return
    }
    if let path = arguments.value("report")?.text {
      report = try StoreReportFile(
        path, resuming: arguments.flag("resume"), by: StoreReportMaker(arguments))
    } else if arguments.flag("resume") {
      throw StoreError(.usage, "--resume goes on with a report", hint: "name it: --report FILE")
    } else {
      report = nil
    }
  }

  /// Whether there is but one store.
  var isOfOne: Bool { shelf.stores.count == 1 }

  /// Whether what is reported of each store has the hash of its files.
  var tellsHashes = false

  /// Whether the hashes of files are needed: to find twins, or for the report.
  private var takesHash: Bool { !isOfOne || report != nil || tellsHashes }

  /// Looks at every store; a round that is stopped ends as others do, so that what it has seen is shown.
  mutating func run<Seen: Sendable>(
    _ look: @escaping Look<Seen>,
    _ take: (SeenStore<Seen>) throws(StoreError) -> Void
  ) throws(StoreError) {
    try report?.begin()
    do {
      try goRound(look, take)
    } catch {
      guard stop != nil else { throw error }
    }
  }

  private mutating func goRound<Seen: Sendable>(
    _ look: @escaping Look<Seen>,
    _ take: (SeenStore<Seen>) throws(StoreError) -> Void
  ) throws(StoreError) {
    let opening = StoreRound.Opening(
      session: session, corrections: corrections, selection: selection, isOfOne: isOfOne)
    let visit = StoreRound.Visit(
      session, opening, known: report?.stores ?? ReportedStores(), takesHash: takesHash, look)
    var work = StoreWork<StoreInTurn, SeenStore<Seen>>(session) { turn, emit in
      _ = emit(visit.see(turn))
    }
    defer { progress.clear() }
    for store in shelf.stores {
      try session.checkSignal()
      let turn = StoreInTurn(store, of: shelf, keepingCopy: keepsCopies)
      let besideOthers = !isOfOne && work.isBesideOthers(turn)
      // A store by itself tells how far its rows have come.
      if !besideOthers {
        try work.finish { (seen) throws(StoreError) in try pass(seen, take) }
        progress.clear()
      }
      try work.put(turn, besideOthers: besideOthers) { (seen) throws(StoreError) in
        try pass(seen, take)
      }
    }
    try work.finish { (seen) throws(StoreError) in try pass(seen, take) }
  }

  /// Looks at every store and shows it: as an element of a list for a program, or as text, which is
  /// for a person unless it has a format; those that cannot be read are told in either case, and so
  /// is what was found, where that is not a part of what is shown.
  ///
  /// - Returns: the exit code.
  mutating func list<Seen: Sendable>(
    _ look: @escaping Look<Seen>,
    found: (Seen) -> (source: SourceDescription, findings: Findings)? = { _ in nil },
    json: (SeenStore<Seen>) -> ReportJSON, textHasFormat: Bool = false,
    text: (Seen, SeenStore<Seen>) -> String,
    failureText: (SeenStore<Seen>, StoreError) -> String? = { _, _ in nil }
  ) throws(StoreError) -> ExitCode {
    let (session, isOfOne) = (session, isOfOne)
    var list = session.wantsJSON ? ReportStream(session.console.writeOutput) : nil
    try list?.beginList("stores")
    try run(look) { (store) throws(StoreError) in
      if let error = store.error { session.console.report(error) }
      if case .success(let seen)? = store.result {
        let label = isOfOne ? "" : escapedAsOneWord(store.turn.name)
        if let found = found(seen) {
          session.sayWarnings(found.findings, of: found.source, about: label)
        }
      }
      if list != nil {
        try list?.addElement(json(store))
      } else if case .success(let seen)? = store.result {
        let text = text(seen, store)
        try textHasFormat
          ? session.console.printLines(Array(text.utf8)) : session.console.show(text)
      } else if !isOfOne, let error = store.error, let text = failureText(store, error) {
        try session.console.show(text)
      }
    }
    try list?.endList()
    try list?.finish()
    return finish()
  }

  private mutating func pass<Seen>(
    _ seen: SeenStore<Seen>, _ take: (SeenStore<Seen>) throws(StoreError) -> Void
  ) throws(StoreError) {
    var seen = seen
    if let error = seen.error {
      if [.interrupted, .brokenPipe].contains(error.kind) { throw error }
    }
    defer { if !isOfOne { progress.update(done: totals.seen) } }
    if let hash = seen.hash {
      seen.twin = firsts.take(seen.turn.name, seen.turn.losses, hash: hash)
    }
    if let twin = seen.twin, let hash = seen.hash, session.arguments.flag("once") {
      let findings = firsts.findings(ofTwin: seen.turn.name, seen.turn.losses, hash: hash)
      for finding in findings { session.say(finding.line) }
      if session.isVerbose {
        session.say(
          "\(escapedAsOneWord(seen.turn.name)) has the same bytes as \(escapedAsOneWord(twin)) and is "
            + "left out")
      }
      return totals.addTwin(worst: findings.isEmpty ? nil : .error)
    }
    if let earlier = seen.earlier ?? report?.stores.failure(of: seen) {
      totals.add(earlier)
      if try report?.repeatLine(of: seen) == true { seen.turn.keepCopy() }
      return
    }
    totals.add(seen)
    progress.clear()
    try take(seen)
    seen.turn.keepCopy()
    if let error = seen.error, session.arguments.flag("fail-fast") {
      // The report does not tell of it, so that a run that goes on tries it again.
      stop = error
      throw error
    }
    try report?.add(seen)
  }

  /// The exit code of the whole round: 2 where some could be read and others could not, unless it is
  /// no store that is to blame.
  var exitCode: ExitCode {
    if let stop { return ExitCode(stop.kind) }
    if totals.lackedRoom { return ExitCode(.noSpace) }
    if let error = totals.firstError {
      return totals.readable > 0 ? .completeWithRejects : ExitCode(error)
    }
    return session.exitCode(worst: totals.worst, rejects: totals.rejects)
  }

  /// Says what else there is to know of all stores together, and returns the exit code.
  func finish() -> ExitCode {
    remarks.forEach(session.say)
    if let refusal {
      session.console.report(refusal)
      return ExitCode(refusal.kind)
    }
    if let unmet { session.sayUnmet(unmet) }
    return exitCode
  }

  /// What is wrong with an option that none of the stores meets, where all of them were read.
  var refusal: StoreError? { totals.readable == shelf.stores.count ? unmet : nil }

  private var unmet: StoreError? {
    totals.readable > 0 && totals.known == 0 ? session.unmet(corrections, selection) : nil
  }

  /// How many stores `--once` has left out.
  static func words(forTwins count: Int) -> String {
    count.counted("store has", "stores have") + " the bytes of another one and "
      + (count == 1 ? "was left out" : "were left out")
  }

  /// How many stores a run without it has counted beside others with their bytes.
  static func words(forCountedTwins count: Int) -> String {
    count.counted("store has", "stores have") + " the bytes of another one and "
      + (count == 1 ? "is" : "are") + " counted, too; --once counts each once"
  }

  /// What else a person should know of all stores together.
  var remarks: [String] {
    var lines: [String] = []
    if totals.twins > 0 { lines.append(Self.words(forTwins: totals.twins)) }
    if totals.known > 0 {
      lines.append(
        "\(totals.known.counted("store stands", "stores stand")) in the report and "
          + "\(totals.known == 1 ? "was" : "were") not read again" + totals.wordsForKnown)
    }
    if let others = report?.others, others > 0 {
      lines.append(
        "\(others.counted("line", "lines")) of the report \(others == 1 ? "is" : "are") by "
          + "another command or with other options, and \(others == 1 ? "was" : "were") passed over"
      )
    }
    let left = shelf.stores.count - totals.seen
    if stop != nil, left > 0 {
      lines.append(
        "\(left.counted("store", "stores")) behind the one that cannot be read "
          + "\(left == 1 ? "was" : "were") not looked at")
    }
    if totals.rejects > 0 {
      lines.append(
        "\(totals.rejects.counted("value", "values")) could not be taken over and "
          + "\(totals.rejects == 1 ? "counts" : "count") as NULL")
    }
    return lines + shelf.remarks
  }

  struct Totals {
    /// How many stores had their turn, and how many of them could be read now.
    private(set) var seen = 0
    private(set) var readable = 0
    /// How many could not be read.
    private(set) var unreadable = 0
    /// How many were left out for another one with the same bytes.
    private(set) var twins = 0
    /// How many of those that could be read now have the bytes of another one, and were not left out.
    private(set) var countedTwins = 0
    /// How many an earlier run had done.
    private(set) var known = 0
    /// How many of those it could not read, and the worst finding of the others.
    private(set) var knownUnreadable = 0
    private(set) var worstKnown: Severity?
    /// How many could be read in this run.
    var readNow: Int { readable - (known - knownUnreadable) }
    /// How many operations wait, and how far the stores tell it.
    private(set) var waiting = 0
    private(set) var coverage = QueueCoverage()
    private(set) var worst: Severity?
    private(set) var rejects = 0
    private(set) var firstError: FailureKind?
    /// Whether a store could not be read now for want of room for files of our own.
    private(set) var lackedRoom = false

    mutating func add<Seen>(_ store: SeenStore<Seen>) {
      seen += 1
      guard let facts = store.facts else {
        unreadable += 1
        firstError = firstError ?? store.error?.kind
        if store.error?.kind == .noSpace { lackedRoom = true }
        return
      }
      readable += 1
      if store.twin != nil { countedTwins += 1 }
      waiting += facts.waiting
      coverage.add(facts.coverage)
      rejects += facts.rejects
      worst = [worst, facts.worst].compactMap(\.self).max()
    }

    /// How many stores there are, and what waits in them.
    var words: String {
      var words = readable.counted("store", "stores")
      if coverage.keepsQueue || waiting > 0 {
        words += ", " + waiting.counted("operation waits", "operations wait")
      } else if readable > 0 {
        words += " without a queue of changes"
      }
      if unreadable > 0 { words += ", \(unreadable.grouped) cannot be read" }
      let lacking = coverage.lacking.counted("store", "stores")
      return words + (coverage.caveat(lacking).map { "; \($0)" } ?? "")
    }

    /// What an earlier run has found in its stores that may decide how this one ends.
    fileprivate var wordsForKnown: String {
      var words: [String] = []
      if knownUnreadable > 0 { words.append("\(knownUnreadable.grouped) cannot be read") }
      switch worstKnown {
      case .error: words.append("the worst finding is an error")
      case .warning: words.append("the worst finding is a warning")
      case .note, nil: break
      }
      return words.isEmpty ? "" : ": " + words.joined(separator: ", ")
    }

    mutating func addTwin(worst: Severity?) {
      seen += 1
      twins += 1
      self.worst = [self.worst, worst].compactMap(\.self).max()
    }

    mutating func add(_ earlier: ReportedStores.Line) {
      seen += 1
      known += 1
      waiting += earlier.waiting
      coverage.add(earlier.coverage)
      if earlier.error == nil {
        readable += 1
      } else {
        unreadable += 1
        knownUnreadable += 1
      }
      worstKnown = [worstKnown, earlier.worst].compactMap(\.self).max()
      worst = [worst, earlier.worst].compactMap(\.self).max()
      firstError = firstError ?? earlier.error
    }
  }

  /// How one store is opened, with what a person says of its tables.
  fileprivate struct Opening: Sendable {
    let session: Session
    let corrections: SharedCorrections?
    let selection: SharedSelection?
    let isOfOne: Bool

    func reader(of turn: StoreInTurn) throws(StoreError) -> any StoreReader {
      let reader =
        if let corrections {
          try turn.open(session, sharing: corrections)
        } else {
          try turn.open(session)
        }
      guard let selection else { return reader }
      let view = try selection.view(of: reader)
      if isOfOne { try selection.checkAllMet() }
      return view
    }
  }

  /// How one store is looked at and summed up.
  fileprivate struct Visit<Seen: Sendable>: Sendable {
    private let session: Session
    private let opening: StoreRound.Opening
    private let known: ReportedStores
    private let takesHash: Bool
    private let look: Look<Seen>

    init(
      _ session: Session, _ opening: StoreRound.Opening, known: ReportedStores, takesHash: Bool,
      _ look: @escaping Look<Seen>
    ) {
      self.session = session
      self.opening = opening
      self.known = known
      self.takesHash = takesHash
      self.look = look
    }

    func see(_ turn: StoreInTurn) -> SeenStore<Seen> {
      // Of a store that is known already nothing but the hash is wanted.
      let files = known.isEmpty ? nil : turn.sourceFiles
      var hash = known.isEmpty ? nil : takenHash(of: turn)
      if let hash, let line = known.line(of: turn, hash) {
        return SeenStore(turn, nil, hash: hash, earlier: line)
      }
      do throws(StoreError) {
        let reader = try opening.reader(of: turn)
        let (seen, facts) = try reader.unchanged { () throws(StoreError) in
          hash = hash ?? takenHash(of: turn)
          return try look(reader, turn)
        }
        // The hash is that of what was read only if nothing changed before that either.
        if let files, turn.sourceFiles != files { throw StoreError(SourceChange(of: turn.name)) }
        return SeenStore(turn, .success(seen), facts, hash: hash)
      } catch {
        hash = hash ?? takenHash(of: turn)
        return SeenStore(turn, .failure(session.reported(turn.named(error))), nil, hash: hash)
      }
    }

    private func takenHash(of turn: StoreInTurn) -> String? { takesHash ? turn.hash : nil }
  }
}
