import Bytes
import CommandLineKit
import Opening
import Records
import SQLite

/// One run of a command: what it was asked, whom it tells, how it opens stores and proves that they
/// stayed as they were, and with which code it ends.
struct Session {
  let arguments: ParsedArguments
  let console: Console
  let interruption: Interruption
  /// Where private copies of stores go.
  let temporaryFolder: String
  /// What a store may take.
  let budget: RunBudget
  let pipes: PipedInputs
  /// What is only for plain files of one format.
  var formatOptions = FormatOptions()
  /// The stores whose files stay on the disk until the run ends.
  let heldStores = HeldStores()

  /// Whether each store has a time of its own, which several at a time would share.
  var hasTimeLimit: Bool { InputLimits.current.seconds != nil }

  var wantsJSON: Bool { arguments.flag("json") }
  var isQuiet: Bool { arguments.flag("quiet") }
  var isVerbose: Bool { arguments.flag("verbose") }
  /// Whether files that exist are replaced.
  var isReplacing: Bool { arguments.flag("force") }

  /// The only store that the command line names.
  var storePath: String {
    get throws(StoreError) {
      guard let path = arguments.positional("STORE")?.text else {
        throw StoreError(.usage, "a store is needed")
      }
      return path
    }
  }

  /// Throws when a signal has asked to stop; called once a batch.
  func checkInterruption() throws(StoreError) {
    guard interruption.isRaised else { return }
    throw budget.error(insteadOf: StoreError.interrupted)
  }

  /// Throws when a signal has asked to stop; between stores, whose limits are their own.
  func checkSignal() throws(StoreError) {
    if SignalWatch.isInterrupted { throw StoreError.interrupted }
  }

  /// An error as it is reported: what stopped the run, and the input as it was named.
  func reported(_ error: StoreError) -> StoreError {
    pipes.named(budget.error(insteadOf: error))
  }
}

// MARK: - What is said while it runs

extension Session {
  /// Whether what is done now is a part of what another line tells of.
  @TaskLocal static var isOneOfMany = false

  /// Says something to the person, unless it shall be quiet.
  func say(_ text: String) {
    guard !isQuiet else { return }
    console.tell(text + "\n")
  }

  /// Says what was found that may matter, where what a command shows does not tell it.
  func sayWarnings(
    _ findings: Findings, of source: SourceDescription, about label: String = "",
    wayToAll: String = "--json"
  ) {
    let warnings = findings.lazy.filter(\.mayMatter)
    var lines = FindingLines(warnings, of: source, about: label)
    lines.wayToAll = wayToAll
    lines.lines.forEach(say)
  }

  /// Says what may be missing of what is read, where nothing else is told of what was found: without it
  /// a list of few changes, or of none, would look as if that were all.
  func sayWhatMayBeMissing(_ findings: some Sequence<Finding>, of source: SourceDescription) {
    let missing = findings.lazy.filter(\.tellsOfMissingChanges)
    FindingLines(missing, of: source).lines.forEach(say)
  }

  /// A progress line for a long loop over so much, where that is known.
  func makeProgress(
    _ unit: ProgressLine.Unit, total: Int? = nil, isWanted: Bool = true
  ) -> ProgressLine {
    let isUnwanted = ["quiet", "no-progress"].contains { name in
      arguments.describes(option: name) && arguments.flag(name)
    }
    return ProgressLine(
      unit, total: total, on: console.terminal,
      isWanted: isWanted && !isUnwanted && !Self.isOneOfMany)
  }

  func makeProgress(
    inRowsOf readers: any StoreReader...
  ) throws(StoreError) -> ProgressLine {
    guard console.terminal.canRedraw, !Self.isOneOfMany else { return makeProgress(.rows) }
    var total = 0
    for reader in readers {
      for table in reader.catalogue.tables.indices { total += try reader.countRows(inTable: table) }
    }
    return makeProgress(.rows, total: total)
  }
}

// MARK: - What is reported at its end

extension Session {
  /// The severity from which on a finding makes the exit code 2; nil for never.
  var failingSeverity: Severity? {
    arguments.value("fail-on").map { Severity(rawValue: $0.text) } ?? .error
  }

  /// The exit code of a run that came to its end.
  func exitCode(findings: some Sequence<Finding>, rejects: Int) -> ExitCode {
    exitCode(worst: findings.lazy.map(\.severity).max(), rejects: rejects)
  }

  /// The exit code of a run in which nothing is worse than that.
  func exitCode(worst: Severity?, rejects: Int = 0) -> ExitCode {
    let isFailing = worst.map { worst in failingSeverity.map { worst >= $0 } ?? false } ?? false
    return isFailing || rejects > 0 ? .completeWithRejects : .complete
  }

  func print(_ report: ReportJSON) throws(StoreError) {
    try report.writePretty(console.print)
    try console.print("\n")
  }

  /// Begins the file that an option names; nil where it is not given.
  ///
  /// A file that cannot be made is told before the work of which it would tell.
  func beginFile(_ option: String) throws(StoreError) -> StagedOutput? {
    guard let path = arguments.value(option)?.text else { return nil }
    return try storeErrors { () throws(FileError) in
      try StagedOutput(for: path, replacing: isReplacing)
    }
  }

  /// Writes a file that was begun, which appears when it is complete.
  func finish(
    _ file: consuming StagedOutput,
    _ body: (_ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) {
    var staged = file
    try body { (bytes) throws(StoreError) in
      try storeErrors { () throws(FileError) in try staged.write(bytes.span) }
    }
    do {
      try staged.publish()
    } catch {
      throw StoreError(error)
    }
  }
}
