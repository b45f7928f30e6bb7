import Bytes
import Formats
import Records

/// A file inside a container that may matter.
struct ContainedFile {
  /// The path inside the container, with `/` between its parts.
  var path: String
  /// What its first bytes say.
  var kind: FileKind
  /// How many bytes it has, as far as the container says.
  var size: Int
  /// Where the container itself finds it.
  var place: Int
  /// Why its bytes are not to be had, where that is known already.
  var failure: PlaceFailure? {
    get { trouble?.failure }
    set { trouble = newValue.map(Trouble.init) }
  }
  private var trouble: Trouble?
  /// Whether nothing but its place says that it is a database, one of Couchbase Lite.
  private(set) var isKnownByPlace = false
  /// Whether it is taken for a database that is damaged, which its later bytes or its log must show.
  private(set) var needsProof = false

  init(path: String, kind: FileKind, size: Int, place: Int) {
    self.path = path
    self.kind = kind
    self.size = size
    self.place = place
  }

  /// Of very many files few have one, which would take more room than all else.
  private final class Trouble: Sendable {
    let failure: PlaceFailure

    init(_ failure: PlaceFailure) { self.failure = failure }
  }

  /// Whether it is called as databases are.
  var isCalledDatabase: Bool { LostStore.isCalledDatabase(path) }
}

extension ContainedFile {
  /// Takes a file for what its place says where that is surer than its first bytes.
  ///
  /// Attachments may be anything, archives, too; a database without the mark of one is encrypted.
  /// Beside what is called as a database of Couchbase Lite its attachments tell it, by a file that
  /// `isThere`. Only its name tells of CSV.
  mutating func tellByPlace(_ isThere: (_ path: String) -> Bool) {
    if SideFiles.isAttachment(path) {
      kind = .counted(.attachment)
    } else if size > 0, path.hasSuffix(".cblite2/db.sqlite3") {
      if kind != .database { isKnownByPlace = true }
      kind = .database
    } else if size > 0, !kind.isInteresting,
      SideFiles.encryptionMarks(beside: path).contains(where: isThere)
    {
      isKnownByPlace = true
      kind = .database
    } else if kind == .other, isCalledCSV {
      kind = .counted(.csvFile)
    }
  }

  private var isCalledCSV: Bool {
    let name = path.lowercased()
    return name.hasSuffix(".csv") || name.hasSuffix(".tsv")
  }

  /// Takes a file of no known form for a database that is damaged or encrypted, as long as nothing
  /// refutes it, where its name says so or what lies beside it: `hasSideFile` tells of endings.
  mutating func takeIfLost(isCalledDatabase: Bool, hasSideFile: (_ ending: String) -> Bool) {
    guard mayBeLost(isCalledDatabase, hasSideFile) else { return }
    needsProof = true
    kind = .database
  }

  private func mayBeLost(
    _ isCalledDatabase: Bool, _ hasSideFile: (_ ending: String) -> Bool
  ) -> Bool {
    if kind.mayBeDatabaseWithSideFile, hasSideFile("-wal") || size > 0 && hasSideFile("-journal") {
      return true
    }
    guard kind == .unknown, !SideFiles.mayBelongToStore(path) else { return false }
    return isCalledDatabase
      || LostStore.isOfPages(size) && SideFiles.endings.contains(where: hasSideFile)
  }

  /// Whether it may yet turn out to be a database by its name, or by its side files, given the paths
  /// that have some.
  ///
  /// Of all else, media and caches, there may be a million.
  func mayTurnOutToBeDatabase(_ withSideFiles: PathHashes) -> Bool {
    kind.mayBeDatabaseWithSideFile && (isCalledDatabase || withSideFiles.contains(path))
      || SideFiles.mayTellOfEncryption(path)
  }
}

/// A set of paths of which there may be very many, and of each its hash is kept.
///
/// That two have the same one is as good as impossible.
struct PathHashes {
  private var hashes: Set<Int> = []

  var count: Int { hashes.count }

  static func hash(of path: String) -> Int { ExactText(path).hashValue }

  mutating func insert(_ path: String) { hashes.insert(Self.hash(of: path)) }

  func contains(_ path: String) -> Bool {
    !hashes.isEmpty && hashes.contains(Self.hash(of: path))
  }
}

extension [ContainedFile] {
  /// Takes databases and archives for values that Core Data keeps outside of a store where one claims
  /// their folder; in a folder that is left alone they are all that there is.
  mutating func tellValuesOutside() {
    let values = indices.filter { place in
      self[place].kind.isInteresting && self[place].failure == nil
        && SideFiles.isExternalValue(self[place].path)
    }
    guard !values.isEmpty else { return }
    var claimed: Set<ExactText> = []
    for file in self where file.kind == .database || file.kind == .xmlStore {
      claimed.insert(ExactText(SideFiles.externalFolder(besideFileAt: file.path)))
    }
    for place in values where claimed.contains(ExactText(SideFiles.folder(of: self[place].path))) {
      self[place].kind = .counted(.sideFile)
    }
  }
}

/// Something that holds files: a folder, an archive, a backup.
protocol Container: AnyObject {
  var word: String { get }
  /// Which device it is of, where it says so.
  var device: DeviceName? { get }
  /// What is wrong with it that a person should know of each store in it.
  var finding: Finding? { get }
  /// The files that may matter, and their side files.
  var files: [ContainedFile] { get }

  /// Where the file lies on the disk with all that belongs to it; nil where it must be copied.
  func diskPath(of file: ContainedFile) -> String?

  /// Copies a file out.
  ///
  /// - Throws: `PlaceFailure` when it cannot be had whole.
  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure)

  /// Tells that files will be copied of which nothing but the list of a backup says that they matter.
  func willCopy(_ bodies: [ContainedFile])

  /// Whether other bytes stand behind the packed data of a file, as far as it was copied.
  func isFollowed(_ file: ContainedFile) -> Bool

  /// Closes what is open, and removes what was copied for later; copying opens it again.
  func close()
}

extension Container {
  var device: DeviceName? { nil }

  var finding: Finding? { nil }

  func diskPath(of file: ContainedFile) -> String? { nil }

  func willCopy(_ bodies: [ContainedFile]) {}

  func isFollowed(_ file: ContainedFile) -> Bool { false }

  func close() {}
}

/// An archive that is open only as long as somebody reads it, for there may be thousands.
final class ArchiveFile {
  private let path: String
  private var file: PositionedFile?

  init(_ path: String) { self.path = path }

  func open() throws(FormatError) -> PositionedFile {
    if let file { return file }
    let opened = try positionedFile(path)
    file = opened
    return opened
  }

  /// Closes it until somebody opens it again.
  func close() { file = nil }
}

/// What a device is called.
package struct DeviceName: Sendable, Equatable {
  /// The name that its owner gave it.
  package var name: String?
  var identifier: String?
  /// Whether another device has the same name, so that only its identifier tells it apart.
  var hasNamesake = false
  /// What a report shows.
  package var shown: String? {
    guard let name else { return identifier }
    guard hasNamesake, let identifier else { return name }
    return "\(name) (\(identifier))"
  }
}
