import Bytes
import Formats
import Records

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
    guard BackupFolder.isBody(name), let first = UInt64(name.prefix(16), radix: 16),
      let second = UInt64(name.dropFirst(16).prefix(16), radix: 16),
      let third = UInt32(name.dropFirst(32), radix: 16)
    else { return nil }
    (self.first, self.second, self.third) = (first, second, third)
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
