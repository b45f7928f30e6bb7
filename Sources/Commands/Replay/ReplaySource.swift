import Bytes
import Canonical
import CommandLineKit
import Records

/// The canonical store whose queue is replayed: the one that was given, or one made from it.
struct ReplaySource {
  /// The canonical store.
  let path: String
  /// What the store was called that was given.
  let name: String
  /// Whether this very run has made it.
  let isNew: Bool
  /// Removed at the end of a dry run.
  private let temporary: TemporaryFile?

  private init(
    path: String, name: String, isNew: Bool = false, temporary: TemporaryFile? = nil
  ) {
    self.path = path
    self.name = name
    self.isNew = isNew
    self.temporary = temporary
  }

  /// Takes away what this run has made, where nothing was sent: a run that is refused leaves nothing.
  func discardIfNew() {
    guard isNew else { return }
    for end in ["-wal", "-shm", "-journal", ""] { removeFile(path + end) }
  }

  /// Throws where the operations would go to the very store that they are in, however it is spelled.
  func expectAnother(_ destination: ReplayOptions.Destination) throws(StoreError) {
    guard case .store(let target) = destination, FileIdentity(of: target) == FileIdentity(of: path)
    else { return }
    throw StoreError(.usage, path: target, "a store cannot be replayed into itself")
  }

  /// Finds or makes the canonical store for a run that sends.
  ///
  /// A store of another layout is converted into the journal file; when that is there already and
  /// was made from the same files, it is continued.
  static func prepare(_ session: Session) throws(StoreError) -> ReplaySource {
    let (path, reader) = try open(session)
    if reader.source.layout == .rehome {
      try refuseJournal(session)
      try session.expectFile(try session.storePath)
      let file = try session.ownFile(of: reader, at: path)
      try session.expectUndamaged(reader, at: path)
      return ReplaySource(path: file, name: reader.source.name)
    }
    try expectRightBytes(of: reader, session)
    let journal = try journal(for: path, session)
    guard !Paths.exists(journal) else {
      try checkJournal(journal, of: reader, session)
      session.say("going on with the journal \(escapedAsOneWord(journal))")
      return ReplaySource(path: journal, name: reader.source.name)
    }
    try convert(reader, to: journal, isReplacing: false, session)
    return ReplaySource(path: journal, name: reader.source.name, isNew: true)
  }

  /// Finds or makes the canonical store for a run that only shows what would be sent.
  static func preview(_ session: Session) throws(StoreError) -> ReplaySource {
    let (path, reader) = try open(session)
    if reader.source.layout == .rehome {
      try refuseJournal(session)
      try session.expectUndamaged(reader, at: path)
      return ReplaySource(path: reader.inputFiles.first ?? path, name: reader.source.name)
    }
    let journal = try journal(for: path, session)
    if Paths.exists(journal) {
      // What was sent already belongs to the plan.
      try checkJournal(journal, of: reader, session)
      return ReplaySource(path: journal, name: reader.source.name)
    }
    let temporary = try storeErrors { () throws(FileError) in
      try TemporaryFile(in: session.temporaryFolder)
    }
    do {
      try convert(reader, to: temporary.path, isReplacing: true, session)
    } catch {
      throw error.told(of: temporary)
    }
    return ReplaySource(path: temporary.path, name: reader.source.name, temporary: temporary)
  }

  /// An error of a run with it, which does not name a private file.
  func told(_ error: StoreError) -> StoreError {
    temporary.map { error.told(of: $0) } ?? error
  }

  /// The journal that is named, or else the one of the store, which is no other output.
  private static func journal(
    for path: String, _ session: Session
  ) throws(StoreError) -> String {
    if let named = session.arguments.value("journal")?.text {
      guard !Paths.isDirectory(named), !Paths.isSpecial(named) else {
        throw StoreError(
          .cannotCreate, path: named, "the journal must be a file of its own",
          hint: "give the name of a file, which need not be there")
      }
      return named
    }
    let journal = journalName(for: path)
    try session.outputs.check(RunOutputs.UsedPath(journal, "the journal of the replay"))
    return journal
  }

  /// The journal of a legacy store: its name without the ending, in the current folder.
  static func journalName(for path: String) -> String {
    var name = Substring(Paths.fileName(of: path))
    // In a container the name begins behind a mark.
    if !Paths.exists(path), let mark = name.lastIndex(of: "!") {
      name = name[name.index(after: mark)...]
    }
    if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = name[..<dot] }
    return name + ".rehome"
  }

  private static func open(
    _ session: Session
  ) throws(StoreError) -> (String, any StoreReader) {
    let path = try session.storePath
    let reader = try session.openStore(path)
    // The journal of what lies in a container is called as the store.
    let isPipe = PipedInputs.isPipe(path)
    return (isPipe ? try session.file(for: path) : reader.source.givenPath ?? path, reader)
  }

  /// Throws where values may be others than the device had: a server would take them for true.
  private static func expectRightBytes(
    of reader: any StoreReader, _ session: Session
  ) throws(StoreError) {
    guard !session.arguments.flag("salvage"),
      let damage = reader.findings.first(where: { $0.code == "store-damaged" })
    else { return }
    throw StoreError(
      .damaged, path: reader.source.givenPath, damage.message,
      hint: "copy the archive again, or send what is there with --salvage")
  }

  private static func refuseJournal(_ session: Session) throws(StoreError) {
    guard session.arguments.flag("journal") else { return }
    throw StoreError(
      .usage, "a canonical store keeps its journal itself", hint: "leave --journal away")
  }

  private static func convert(
    _ reader: any StoreReader, to path: String, isReplacing: Bool, _ session: Session
  ) throws(StoreError) {
    let journal = NewStore(path: path, isReplacing: isReplacing)
    do {
      _ = try Loading(inputs: OpenInputs([reader]), session: session, output: journal).run()
    } catch {
      // It was not there when this run began.
      guard error.kind == .exists, Paths.exists(path) else { throw error }
      throw StoreError(
        .temporary, path: path, "another replay has made the journal meanwhile",
        hint: "wait until it is done, and run again")
    }
  }

  /// Throws unless the journal was made from the store.
  ///
  /// A viewer may have written a store's log into its file, or compacted it; then the files are
  /// others, and the content tells.
  private static func checkJournal(
    _ journal: String, of reader: any StoreReader, _ session: Session
  ) throws(StoreError) {
    var hashes: [String] = []
    for file in reader.inputFiles {
      hashes.append(
        try storeErrors { () throws(FileError) in try sha256(ofFileAt: file) }.digest.hexadecimal)
    }
    let made = try session.openCanonicalStore(journal)
    let view = try StoreView(at: journal, temporaryFolder: session.temporaryFolder)
    // What else went into a store of several does not tell its files beside those of an export.
    let hasSameFiles =
      try view.sourceHashes() == hashes.sorted()
      && made.source.storeCount == reader.source.storeCount
    // Options that say how the store is to be read may have it read otherwise than the journal was.
    let understanding = CommonOptions.understanding.map(\.name)
    if hasSameFiles, !understanding.contains(where: session.arguments.flag) { return }
    guard try StoreContents(of: reader, session).isOrigin(of: made, reader, session) else {
      let command = session.arguments.commandLine(
        of: [journal], without: Set(["journal"] + understanding))
      throw refusal(
        of: journal, madeFrom: made.source, for: reader.source, hasSameFiles: hasSameFiles,
        goingOnBy: command)
    }
    guard !hasSameFiles else { return }
    session.say(
      "the files of the store are not those that the journal was made from, but their content is")
  }

  /// Why a journal is none for a store, and what there is to do.
  private static func refusal(
    of journal: String, madeFrom made: SourceDescription, for store: SourceDescription,
    hasSameFiles: Bool, goingOnBy command: String
  ) -> StoreError {
    let origin = made.earlier.first?.source ?? made
    let isSameName = made.evidence.contains { $0.contains(store.name + ",") }
    let other = store.isOfOtherDevice(than: origin) ? origin.path : nil
    let place = store.otherPath(of: origin).map { " (\($0))" } ?? ""
    let reason =
      if hasSameFiles {
        "it was made from this store, which was read otherwise than the options now say"
      } else if let other {
        "it is the journal of another store, \(other)"
      } else if isSameName {
        "it was made from a store of this name that had another content\(place), be it another "
          + "device's or this one before it changed"
      } else {
        "it exists and was not made from this store\(place)"
      }
    return StoreError(
      .exists, path: journal, reason,
      hint: "--journal FILE begins another one with what the store holds now"
        + (hasSameFiles || isSameName ? ", which sends again what was sent by this one" : "")
        + (isSameName && !hasSameFiles ? " if the two are copies of one store" : "")
        + "; to go on with what this one holds: \(command)")
  }
}

extension SourceDescription {
  /// Whether it is known of both of what device they are; else the two may be one store.
  fileprivate func isOfOtherDevice(than origin: SourceDescription) -> Bool {
    guard let device, let other = origin.device else { return false }
    return !hasSameBytes(device, other)
  }

  /// The path of what a journal was made from, where it is known and not that of this one.
  fileprivate func otherPath(of origin: SourceDescription) -> String? {
    guard let other = origin.path, !hasSameBytes(other, path ?? "") else { return nil }
    return other
  }
}

extension StoreContents {
  /// Whether a canonical store was made from the store with these contents; what people have
  /// decided about its operations since then does not matter.
  fileprivate func isOrigin(
    of made: any StoreReader, _ reader: any StoreReader, _ session: Session
  ) throws(StoreError) -> Bool {
    let other = try StoreContents(of: made, session)
    if digest == other.digest { return true }
    guard
      tables.map({ ExactText($0.table.name) }) == other.tables.map({ ExactText($0.table.name) }),
      tables.map(\.digest) == other.tables.map(\.digest)
    else { return false }
    let now = try reader.readQueue().operations
    let then = try made.readQueue().operations
    return now.count == then.count
      && zip(now, then).allSatisfy { first, second in
        first.sequence == second.sequence && hasSameBytes(first.table, second.table)
          && hasSameBytes(first.itemID, second.itemID) && first.kind == second.kind
          && first.originalID == second.originalID && first.raw == second.raw
      }
  }
}

/// Keeps two replays from working with one store, for as long as the value lives.
final class ReplayLock {
  private let lock: FileLock

  /// Takes the lock on a store.
  ///
  /// - Throws: `StoreError` of kind `temporary` when another replay has it.
  init(on path: String) throws(StoreError) {
    let lock = try storeErrors { () throws(FileError) in try FileLock.take(on: path) }
    guard let lock else {
      throw StoreError(
        .temporary, path: path, "another replay is working with the store",
        hint: "wait until it is done, and run again")
    }
    self.lock = lock
  }
}
