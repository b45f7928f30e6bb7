import Bytes
import CommandLineKit
import Exports
import Opening
import Records
import SQLite
import Tables

/// What every command needs to know about the run: the console and the common options.
struct RunSettings {
  let arguments: ParsedArguments
  let console: Console
  let interruption: Interruption
  /// Where private copies of stores go.
  let temporaryFolder: String
  /// What a store may take.
  let budget: RunBudget
  /// Standard input and pipes among the inputs.
  let pipes: PipedInputs
  /// The stores whose files stay on the disk until the run ends.
  let heldStores = HeldStores()

  /// The severity from which on a finding makes the exit code 2; nil for never.
  var failingSeverity: Severity? {
    arguments.value("fail-on").map { Severity(rawValue: $0.text) } ?? .error
  }

  /// Whether each store has a time of its own, which several at a time would share.
  var hasTimeLimit: Bool { InputLimits.current.seconds != nil }

  var wantsJSON: Bool { arguments.flag("json") }
  var isQuiet: Bool { arguments.flag("quiet") }
  var isVerbose: Bool { arguments.flag("verbose") }

  /// Says something to the person, unless it shall be quiet.
  func say(_ text: String) {
    guard !isQuiet else { return }
    console.writeError(text + "\n")
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

  /// A progress line for a loop over all rows of some stores.
  ///
  /// - Throws: `StoreError` when a store cannot be read.
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

  /// Whether what is done now is a part of what another line tells of.
  @TaskLocal static var isOneOfMany = false

  /// Opens the only store of a place, whatever its layout, which then knows its names.
  func openStore(
    _ place: String, corrections: Corrections? = nil
  ) throws(StoreError) -> any StoreReader {
    try onlyStore(in: place).openKeepingNames(self, corrections: corrections)
  }

  /// What the person says about tables and columns, with those that are not wanted.
  func corrections(drops: [String] = []) -> Corrections {
    Corrections(
      types: arguments.values("type").map(\.text), names: arguments.values("rename").map(\.text),
      drops: drops)
  }

  /// Opens a store of ours, for which the options about legacy stores are not meant.
  ///
  /// - Throws: `StoreError` when it cannot be read or is no canonical store.
  func openCanonicalStore(_ path: String) throws(StoreError) -> any StoreReader {
    let opening = StoreOpening(temporaryFolder: temporaryFolder, interruption: interruption)
    let reader = try opening.reader(forStoreAt: path)
    guard reader.source.layout == .rehome else {
      throw StoreError(.notAStore, path: path, "it is no canonical store")
    }
    return reader
  }

  /// Opens an app's store that is to be filled; of the options only a model is meant for it.
  func openTemplate(_ path: String) throws(StoreError) -> any StoreReader {
    var opening = StoreOpening(temporaryFolder: temporaryFolder, interruption: interruption)
    opening.modelPath = arguments.value("model")?.text
    return try opening.reader(forStoreAt: path)
  }

  /// How the options want a store to be opened, but for corrections.
  func opening(for path: String) throws(StoreError) -> StoreOpening {
    var opening = StoreOpening(temporaryFolder: temporaryFolder, interruption: interruption)
    opening.rows = arguments.values("rows").map(\.text)
    opening.plain = try plainOptions(for: path)
    opening.modelPath = arguments.value("model")?.text
    opening.decodesTransformables = arguments.flag("decode-transformables")
    opening.salvages = arguments.flag("salvage")
    return opening
  }

  /// Opens a store that lies on the disk or comes through a pipe.
  func openFile(
    _ path: String, corrections: Corrections? = nil
  ) throws(StoreError) -> any StoreReader {
    var opening = try opening(for: path)
    opening.corrections = corrections ?? self.corrections()
    budget.beginStore()
    let reader = try opening.reader(forStoreAt: try file(for: path))
    tellOpened(reader, path)
    return reader
  }

  /// Says what is being read, to a person who wants to know.
  func tellOpened(_ reader: any StoreReader, _ path: String) {
    guard isVerbose else { return }
    let generation = reader.source.generation.map { ", generation \($0)" } ?? ""
    say("reading \(escapedForTerminal(path)): \(reader.source.layout.rawValue)\(generation)")
    if let line = reader.source.readingLine { say("  \(line)") }
    let end = reader.plainFiles == nil ? ", on a private copy" : ""
    for file in reader.inputFiles.dropFirst() {
      say("  with \(escapedForTerminal(Paths.fileName(of: file)))\(end)")
    }
  }

  /// What the person says about plain files, as far as it holds for an input.
  func plainOptions(for path: String) throws(StoreError) -> PlainOptions {
    var options = try PlainOptions(arguments)
    options.isUnnamed = PipedInputs.isPipe(path)
    // Of several inputs only those without a name take another.
    if !options.isUnnamed, arguments.allWords.count > 1 { options.tableName = nil }
    return options
  }

  /// The file of an input; that of standard input or a pipe is a copy.
  ///
  /// - Throws: `StoreError` when it cannot be copied.
  func file(for path: String) throws(StoreError) -> String {
    var progress = makeProgress(.bytes)
    defer { progress.clear() }
    return try pipes.file(for: path, in: temporaryFolder) { bytes in
      progress.update(done: bytes, label: "reading \(path == "-" ? "standard input" : path)")
      return interruption.isRaised
    }
  }

  /// Refuses standard input and pipes where something is written into the input itself.
  ///
  /// - Throws: `StoreError` where the path is one.
  func expectFile(_ path: String) throws(StoreError) {
    guard PipedInputs.isPipe(path) else { return }
    throw StoreError(
      .usage, path: path, "the store itself is written to, and a pipe has none",
      hint: "name the file")
  }

  /// The file of a store that is to be written to.
  ///
  /// - Throws: `StoreError` where it is a copy of what lies in a container.
  func ownFile(of reader: any StoreReader, at path: String) throws(StoreError) -> String {
    let name = reader.source.givenPath ?? path
    if let file = reader.inputFiles.first, FileIdentity(of: file) == FileIdentity(of: name) {
      return name
    }
    throw StoreError(
      .usage, path: path, "the store itself is written to, and this is what it lies in",
      hint: "take the store out, and name its file")
  }

  /// An error as it is told: what stopped the run, and the input as it was named.
  func told(_ error: StoreError) -> StoreError {
    pipes.named(budget.error(insteadOf: error))
  }

  /// Refuses to write into a store of which `--salvage` reads what is left.
  ///
  /// - Throws: `StoreError` when the store is damaged.
  func expectUndamaged(_ reader: any StoreReader, at path: String) throws(StoreError) {
    guard reader.isSalvaged else { return }
    throw StoreError(
      .damaged, path: path, "the store is damaged, and nothing is written into it",
      hint: "make a new one of what is left with 'rehome convert --salvage', and use that")
  }

  /// Writes a report to a file that appears when it is complete.
  func writeReport(_ text: String, to path: String) throws(StoreError) {
    do {
      var staged = try StagedOutput(for: path, replacing: arguments.flag("force"))
      let bytes = Array(text.utf8)
      try staged.write(bytes.span)
      try staged.publish()
    } catch {
      throw StoreError(error)
    }
  }

  /// Throws when a signal has asked to stop; called once a batch.
  func checkInterruption() throws(StoreError) {
    guard interruption.isRaised else { return }
    throw budget.error(insteadOf: StoreError(.interrupted, "stopped by a signal"))
  }

  /// Throws when a signal has asked to stop; between stores, whose limits are their own.
  func checkSignal() throws(StoreError) {
    if SignalWatch.isInterrupted { throw StoreError(.interrupted, "stopped by a signal") }
  }

  /// The exit code of a run that came to its end.
  func exitCode(findings: [Finding], rejects: Int) -> ExitCode {
    let isFailing = findings.contains { finding in
      failingSeverity.map { finding.severity >= $0 } ?? false
    }
    return isFailing || rejects > 0 ? .completeWithRejects : .complete
  }
}
