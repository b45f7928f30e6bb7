import Bytes
import CommandLineKit
import Places
import Records
import SQLite
import Synchronization

/// A store whose turn has come: its files are on the disk, or it is known why they are not.
struct StoreInTurn: Sendable {
  /// The path as given, behind a `!` that inside the container.
  let name: String
  /// The device that it is of, and the container that it is in, where there are such.
  let device: String?
  let container: String?
  let containerKind: String?
  /// What its container tells of what lies around it, by the layout that it may turn out to have.
  private let findingsByLayout: [Layout: Finding]
  private let findingsOfContainers: [Finding]
  /// The stable word for why its files cannot be had.
  let failureCode: String?
  /// Where its files are from now on, if copies stay and it is told of this one.
  let keptPath: String?
  private let files: Result<StoreOnDisk, StoreError>

  /// Makes sure that a store of a shelf is on the disk, as long as the value is kept.
  init(_ store: ShelvedStore, of shelf: Shelf, keepingCopy: Bool = false) {
    name = store.name
    device = store.device?.shown
    container = store.container
    containerKind = store.containerKind
    findingsByLayout = store.findingsByLayout
    findingsOfContainers = store.findingsOfContainers
    do throws(PlaceFailure) {
      let found = try shelf.open(store, copying: keepingCopy)
      files = .success(found)
      keptPath = keepingCopy ? found.path : nil
      failureCode = nil
    } catch {
      keptPath = nil
      var failure = error.storeError(path: store.name)
      if keepingCopy, failure.kind == .noSpace { failure.hint = "make room where the copies go" }
      files = .failure(failure)
      failureCode = error.code.rawValue
    }
  }

  /// How many bytes the store's own file has; nil where it is a folder or cannot be had.
  var bytes: Int? {
    guard case .success(let files) = files, !Paths.isDirectory(files.readPath) else { return nil }
    return (try? PositionedFile(opening: files.readPath))?.size
  }

  /// Whether it has more bytes than that in its own file.
  func isLarger(than limit: Int) -> Bool { bytes.map { $0 > limit } ?? false }

  /// The hash of its files; nil where they cannot be had.
  var hash: String? {
    guard case .success(let files) = files else { return nil }
    return try? files.hash()
  }

  /// What its files are like now; nil where they cannot be had, or a folder or a copy of ours.
  var sourceFiles: SourceFiles? {
    guard case .success(let files) = files, files.hiddenFolder == nil else { return nil }
    // What cannot be looked at is told by whoever opens it.
    return try? SourceFiles(of: files.readPath)
  }

  /// The hash of its files where these are a copy; nil where they are the store itself.
  var hashOfCopy: String? {
    guard case .success(let files) = files, files.hiddenFolder != nil else { return nil }
    return hash
  }

  /// What its container, or what lies in it, tells of the store where that has a layout.
  private func findings(as layout: Layout?) -> [Finding] {
    guard case .success(let files) = files else { return [] }
    return files.findings + findingsOfContainers
      + [layout.flatMap { findingsByLayout[$0] }].compactMap(\.self)
  }

  /// What its place tells of it where it has a layout, and its bytes do not.
  func marks(_ layout: Layout?) -> PlaceMarks {
    var marks = PlaceMarks(findings(as: layout))
    if case .success(let files) = files {
      marks.addSurroundings(ofStoreAt: files.readPath, layout)
    }
    return marks
  }

  /// What of it is lost where it lies, of which its bytes tell nothing.
  var losses: [Finding] { findings(as: nil).filter { $0.severity == .error } }

  /// Whether a person wants the files that are here, since a container has those of the store.
  var isWantedCopy: Bool {
    guard keptPath != nil, case .success(let files) = files else { return false }
    return files.hiddenFolder != nil
  }

  func path() throws(StoreError) -> String { try files.get().path }

  /// Lets its copy stay, once somebody was told where that is; else nobody would find it.
  func keepCopy() {
    guard keptPath != nil, case .success(let files) = files else { return }
    files.keepCopy()
  }

  /// Opens the store, which then tells by what names a person knows it, and what its container lacks.
  func open(
    _ session: Session, corrections: Corrections? = nil
  ) throws(StoreError) -> any StoreReader {
    let reader: any StoreReader
    do {
      reader = try session.openFile(try path(), named: name, corrections: corrections)
    } catch {
      throw named(about(error, session))
    }
    reader.source.givenPath = name
    reader.source.givenDevice = device
    // The file of a copy or of a backup is called otherwise than the store.
    if let container, name.hasPrefix(container + "!") {
      reader.source.name = Paths.fileName(of: String(name.dropFirst(container.count + 1)))
    }
    reader.source.fileName = try files.get().fileName
    let findings = findings(as: reader.source.layout)
    return findings.isEmpty ? reader : FoundReader(reader, findings)
  }

  /// What is wrong with the model of one of several stores, as something that is wrong with the store.
  private func about(_ error: StoreError, _ session: Session) -> StoreError {
    guard let model = session.arguments.value("model")?.text, !session.isOnlyInput(name),
      let path = error.path, path == model || path.hasPrefix(Paths.join(model, ""))
    else { return error }
    return StoreError(
      error.kind, path: name, "--model \(path): \(error.message)", hint: error.hint)
  }

  /// Opens one of several stores, which takes those of the corrections that are about it.
  func open(
    _ session: Session, sharing corrections: SharedCorrections
  ) throws(StoreError) -> any StoreReader {
    try corrections.open { (own) throws(StoreError) in try open(session, corrections: own) }
  }

  /// Makes sure that its container has all of it, for a command whose result would be that of a store
  /// which had never had what is missing.
  func checkWhole(_ session: Session) throws(StoreError) {
    guard container != nil, !session.arguments.flag("salvage"),
      let loss = try files.get().findings.first(where: { $0.severity == .error })
    else { return }
    throw StoreError(
      .damaged, path: name, loss.message, hint: "go on with what is there with --salvage")
  }

  /// Opens the store for an output, which keeps what only its place tells: the names of what lies in a
  /// container, and the device.
  func openKeepingNames(
    _ session: Session, corrections: Corrections? = nil
  ) throws(StoreError) -> any StoreReader {
    let reader = try open(session, corrections: corrections)
    // The name of a pipe tells nothing of the store.
    if container != nil || device != nil, !PipedInputs.isPipe(name) {
      reader.source.keepNames(orElse: name)
    }
    return reader
  }

  /// An error as it is reported: with the name of the store instead of that of its copy, or of its body
  /// in a backup.
  func named(_ error: StoreError) -> StoreError {
    var named = error
    if case .success(let files) = files, let folder = files.hiddenFolder {
      if error.path?.hasPrefix(folder) ?? false { named.path = name }
      if error.message.contains(folder) || error.hint?.contains(folder) == true {
        named = StoreError(
          error.kind, path: named.path,
          error.message.replacing(files.path, with: name).replacing(folder, with: name),
          hint: error.hint?.replacing(files.path, with: name))
      }
    }
    if case .success(let files) = files, named.path == files.path { named.path = name }
    if named.path == nil, ![.interrupted, .brokenPipe].contains(named.kind) { named.path = name }
    return named
  }
}

/// A store with what was seen of it where it was found; all else is the store's own.
private final class FoundReader: ReaderView {
  let base: any StoreReader
  private let seen: [Finding]

  init(_ base: any StoreReader, _ seen: [Finding]) { (self.base, self.seen) = (base, seen) }

  /// What the container tells of a log or a journal need not be told once more.
  var findings: Findings {
    let ofSideFiles: Set = ["wal-missing", "wal-damaged", "journal-damaged"]
    let told = ofSideFiles.intersection(seen.map(\.code))
    guard !told.isEmpty else { return seen + base.findings }
    return seen
      + Findings(base.findings.lazy.filter { !told.contains($0.code) || $0.table != nil })
  }
  var objectStorage: ObjectStorage? { base.objectStorage }

  func prepareQueue() throws(StoreError) { try base.prepareQueue() }

  func readQueueAhead() throws(StoreError) -> QueueAhead? { try base.readQueueAhead() }

  func readQueue(_ reading: QueueReading) throws(StoreError) -> Queue {
    try base.readQueue(reading)
  }

  func readMatchedQueue() throws(StoreError) -> MatchedQueue { try base.readMatchedQueue() }
}

/// Stores whose files stay on the disk, for readers that nobody else keeps company.
final class HeldStores: Sendable {
  private let turns = Mutex<[StoreInTurn]>([])
  private let lacksOthers = Atomic(false)

  /// Whether other stores may be lost with the containers that some came from.
  var hasLosses: Bool { lacksOthers.load(ordering: .relaxed) }

  /// Keeps the files of a store as long as the value.
  func hold(_ turn: StoreInTurn) { turns.withLock { $0.append(turn) } }

  /// Notes that a container is broken from which a store came.
  func noteLoss() { lacksOthers.store(true, ordering: .relaxed) }
}
