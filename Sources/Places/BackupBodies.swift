import Bytes
import Formats
import Records

/// Where the bodies of a backup's files and its own files lie: in a folder, or in an archive.
protocol BackupBodies {
  /// What a body begins with, and its size; nil where there is none.
  ///
  /// - Throws: why a body that is there cannot be looked at.
  func look(at fileID: String) throws(PlaceFailure) -> (kind: FileKind, size: Int)?
  /// The path of a body on the disk; nil where it must be copied.
  func diskPath(of fileID: String) -> String?
  func copy(_ fileID: String, to path: String, _ budget: CopyBudget) throws(PlaceFailure)
  /// The path of one of the backup's own files, which may be a copy; nil where it is not there.
  func ownFile(_ name: String) throws(PlaceFailure) -> String?
  func has(_ name: String) -> Bool
  /// Goes through the names of the bodies.
  func forEachID(_ body: (String) -> Void)
  /// Tells that bodies will be copied.
  func willCopy(_ fileIDs: [String])
}

extension BackupBodies {
  /// Whether a body can be looked at.
  func isThere(_ fileID: String) -> Bool {
    // What cannot be opened is of no file as far as anybody can tell.
    (try? look(at: fileID)) != nil
  }

  /// How many bodies there are.
  var count: Int {
    var count = 0
    forEachID { _ in count += 1 }
    return count
  }
}

/// A backup in a folder.
struct FolderBodies: BackupBodies {
  let root: String

  /// The body, in the subfolder of its first two digits or in the folder itself; no link.
  func diskPath(of fileID: String) -> String? {
    BackupFolder.spellings(of: fileID).lazy.flatMap { name in
      [nestedPath(of: name), Paths.join(root, name)]
    }.first(where: Paths.isPlainFile)
  }

  private func nestedPath(of fileID: String) -> String {
    Paths.join(Paths.join(root, String(fileID.prefix(2))), fileID)
  }

  func look(at fileID: String) throws(PlaceFailure) -> (kind: FileKind, size: Int)? {
    let path = diskPath(of: fileID)
    do throws(FileError) {
      // Where nothing is seen, opening it tells whether nobody may look into its folder.
      let file = try PositionedFile(opening: path ?? nestedPath(of: fileID))
      guard path != nil else { return nil }
      var start: [UInt8] = []
      try file.read(at: 0, count: min(file.size, FileKind.prefixSize), appendingTo: &start)
      return (FileKind(startingWith: start), file.size)
    } catch {
      guard error.code != .missing else { return nil }
      throw PlaceFailure(error)
    }
  }

  func copy(_ fileID: String, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    guard let source = diskPath(of: fileID) else {
      throw PlaceFailure(.fileMissing, "the backup lacks the file \(fileID)")
    }
    let file: PositionedFile
    do {
      file = try positionedFile(source)
    } catch {
      throw PlaceFailure(error)
    }
    try copyOut(file, to: path, budget)
  }

  func ownFile(_ name: String) -> String? {
    let path = Paths.join(root, name)
    return Paths.isPlainFile(path) ? path : nil
  }

  func has(_ name: String) -> Bool { Paths.exists(Paths.join(root, name)) }

  func forEachID(_ body: (String) -> Void) {
    for name in Self.names(in: root) {
      if BackupFolder.isSubfolder(name) {
        Self.names(in: Paths.join(root, name)).filter(BackupFolder.isBody).forEach(body)
      } else if BackupFolder.isBody(name) {
        body(name)
      }
    }
  }

  /// They lie on the disk.
  func willCopy(_ fileIDs: [String]) {}

  /// The names in a folder; none where it cannot be read, or is no folder.
  private static func names(in folder: String) -> [String] {
    (try? fileNames(inFolder: folder, limit: 10_000_000)) ?? []
  }
}

/// A backup in an archive.
final class ArchivedBodies: BackupBodies {
  private let container: any Container
  /// The bodies, in the order of their numbers; there may be a million.
  private var bodies: [Body] = []
  /// Where the container has the other files, by their names.
  private var places: [ExactText: Int] = [:]
  private let folder: PrivateFolder
  private let budget: CopyBudget
  private var isSnapshot = false

  private struct Body {
    let id: FileID
    /// Where it is found first of all that have the number; nil where its folder is that of other
    /// bodies, and nobody looks for it.
    let rank: UInt8?
    /// Where the container has it.
    let place: Int32
  }

  /// The files of a container below a folder, which ends with `/` or is empty.
  init(
    _ container: any Container, below prefix: String, _ budget: CopyBudget, temporaryFolder: String
  ) throws(PlaceFailure) {
    self.container = container
    self.budget = budget
    folder = try PrivateFolder(in: temporaryFolder)
    let snapshot = BackupFolder.snapshot + "/"
    for (place, file) in container.files.enumerated() {
      guard file.path.utf8.starts(with: prefix.utf8) else { continue }
      let name = Substring(file.path.utf8.dropFirst(prefix.utf8.count))
      if let body = Self.body(name, at: place) {
        bodies.append(body)
      } else {
        places[ExactText(String(name))] = place
        isSnapshot = isSnapshot || name.hasPrefix(snapshot)
      }
    }
    // Of files that are called alike the last counts, as in unpacking.
    bodies.sort { ($0.id, $0.rank ?? .max, -$0.place) < ($1.id, $1.rank ?? .max, -$1.place) }
  }

  /// The body that a name is of, in the folder for it or in none; nil for other files.
  private static func body(_ name: Substring, at place: Int) -> Body? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard let file = parts.last, parts.count < 3, let id = FileID(file),
      let place = Int32(exactly: place)
    else { return nil }
    let spelling = BackupFolder.spellings(of: file.lowercased()).firstIndex { $0 == file }
    guard parts.count == 2 else {
      return Body(id: id, rank: spelling.map { UInt8($0 * 2 + 1) }, place: place)
    }
    guard BackupFolder.isSubfolder(String(parts[0])) else { return nil }
    let isInOwn = parts[0] == file.prefix(2)
    return Body(id: id, rank: isInOwn ? spelling.map { UInt8($0 * 2) } : nil, place: place)
  }

  private func body(_ fileID: String) -> ContainedFile? {
    guard let id = FileID(fileID[...]) else { return nil }
    let first = firstPlace(in: bodies) { !($0.id < id) }
    guard first < bodies.count, bodies[first].id == id, bodies[first].rank != nil else {
      return nil
    }
    return container.files[Int(bodies[first].place)]
  }

  func look(at fileID: String) -> (kind: FileKind, size: Int)? {
    body(fileID).map { ($0.kind, $0.size) }
  }

  func diskPath(of fileID: String) -> String? { nil }

  func copy(_ fileID: String, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    guard let body = body(fileID) else {
      throw PlaceFailure(.fileMissing, "the backup lacks the file \(fileID)")
    }
    if let failure = body.failure { throw failure }
    try container.copy(body, to: path, budget)
  }

  func ownFile(_ name: String) throws(PlaceFailure) -> String? {
    guard let place = places[ExactText(name)] else { return nil }
    let path = try folder.newFile(name)
    try container.copy(container.files[place], to: path, budget)
    return path
  }

  func has(_ name: String) -> Bool {
    name == BackupFolder.snapshot ? isSnapshot : places[ExactText(name)] != nil
  }

  func forEachID(_ body: (String) -> Void) {
    for known in bodies { body(known.id.digits) }
  }

  func willCopy(_ fileIDs: [String]) { container.willCopy(fileIDs.compactMap(body)) }
}

/// The number of a body, which is its name.
private struct FileID: Comparable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt32

  /// Reads forty hexadecimal digits in either case; nil for other names.
  init?(_ name: Substring) {
    guard BackupFolder.isBody(name) else { return nil }
    let digits = Array(name.utf8)
    func number(_ range: Range<Int>) -> UInt64 {
      digits[range].reduce(0) { $0 << 4 | UInt64($1 & 15 &+ ($1 > 0x39 ? 9 : 0)) }
    }
    (first, second) = (number(0..<16), number(16..<32))
    third = UInt32(number(32..<40))
  }

  /// The name in lower-case digits.
  var digits: String {
    func digits(_ number: some BinaryInteger, _ count: Int) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: count - text.utf8.count) + text
    }
    return digits(first, 16) + digits(second, 16) + digits(third, 8)
  }

  static func < (left: FileID, right: FileID) -> Bool {
    (left.first, left.second, left.third) < (right.first, right.second, right.third)
  }
}
