import Bytes
import Records

/// A private copy of a store with its side files, of which as much is taken as its container has.
struct StoreCopy {
  let folder: PrivateFolder
  /// Where the store's own file is.
  let path: String
  /// What the container does not have.
  private(set) var findings: [Finding] = []
  private let name: String
  private let budget: CopyBudget

  init(
    of file: ContainedFile, in temporaryFolder: String, _ budget: CopyBudget
  ) throws(PlaceFailure) {
    self.budget = budget
    folder = try PrivateFolder(in: temporaryFolder)
    // Of what looks like no database the place tells that it is one, also of a copy.
    let place = file.isKnownByPlace ? "store.cblite2/" : ""
    name = place + CopyName.make(of: file.path)
    path = try folder.newFile(name)
  }

  /// Copies the store's own file; whoever salvages is content with what there is of it.
  mutating func take(
    _ file: ContainedFile, of container: any Container, salvaging: Bool
  ) throws(PlaceFailure) {
    var failure = file.failure
    do {
      try container.copy(file, to: path, budget)
    } catch {
      guard error.isOfBytes, file.kind == .database else { throw error }
      guard salvaging, Self.hasContent(path) else { throw error.offeringSalvage }
      failure = error
    }
    if let failure { findings.append(failure.findingOfStore) }
    tellIfFollowed(file, in: container)
  }

  private mutating func tellIfFollowed(_ file: ContainedFile, in container: any Container) {
    guard container.isFollowed(file) else { return }
    findings.append(
      Finding(
        "bytes-left-over", .note,
        message: "something else stands behind the packed data of \(file.path)"))
  }

  /// Copies a side file as far as it is there, as a folder has one that was cut; what is missing is told.
  mutating func take(_ side: SideFile, of container: any Container) throws(PlaceFailure) {
    let path = try folder.newFile(side.name(beside: name))
    var failure = side.file.failure
    // What is shared by those who have it open holds nothing that is not in the log.
    if let failure, failure.code == .unreadable, !path.hasSuffix("-shm") {
      throw failure.of(side.file)
    }
    if failure == nil || failure?.isOfBytes == true {
      do {
        try container.copy(side.file, to: path, budget)
      } catch {
        // Of a full disk or one that does not answer another try may have all.
        guard ![.limit, .unreadable].contains(error.code) else { throw error.of(side.file) }
        failure = failure ?? error
      }
    }
    guard let failure else { return tellIfFollowed(side.file, in: container) }
    // A part of a value is none, and its reader tells what lacks one.
    let isKept = side.isOfUseInPart && Self.hasContent(path)
    if !isKept { removeFile(path) }
    if let finding = side.finding(failure, isLost: !isKept) { findings.append(finding) }
  }

  private static func hasContent(_ path: String) -> Bool {
    ((try? PositionedFile(opening: path))?.size ?? 0) > 0
  }
}

extension SideFile {
  /// The log or the journal that it is; nil where it is something else.
  private var ending: String? {
    guard case .ending(let ending) = place else { return nil }
    return ["-wal", "-journal"].first(where: ending.hasPrefix)
  }

  /// Whether the engine reads it up to where it is cut.
  fileprivate var isOfUseInPart: Bool { ending != nil }

  /// What to tell of a store whose log or journal its container does not have, or not whole; of the rest
  /// the reader tells what is missing.
  func finding(_ failure: PlaceFailure, isLost: Bool) -> Finding? {
    let words =
      switch failure.code {
      case .unsupported: "\(file.path): \(failure.message)"
      case .fileMissing: "the container lists \(file.path), but does not have it"
      default: "the container lists \(file.path), but it cannot be had whole: \(failure.message)"
      }
    switch ending {
    case "-wal":
      return Finding(
        isLost ? "wal-missing" : "wal-damaged", .error,
        message: words + "; what was written last is lost")
    case "-journal":
      return Finding(
        "journal-damaged", .error,
        message: words + "; an unfinished change may be read as a fact")
    default: return nil
    }
  }
}

extension PlaceFailure {
  /// Whether bytes are missing or wrong, so that others may be of use.
  var isOfBytes: Bool { [.truncated, .checksum, .damaged].contains(code) }

  /// What to tell of a store that was read all the same.
  var findingOfStore: Finding {
    Finding("store-damaged", .error, message: "\(message), and what is left was read")
  }

  /// The same for whoever may take what is left.
  var offeringSalvage: PlaceFailure {
    hinting((hint.map { $0 + ", or " } ?? "") + "read what is left with --salvage")
  }

  /// The same, told of a file that belongs to the store.
  func of(_ file: ContainedFile) -> PlaceFailure { telling("\(file.path): \(message)") }
}
