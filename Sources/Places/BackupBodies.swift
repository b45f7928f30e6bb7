import Bytes
import Formats

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
  private let prefix: String
  private var files: [ExactText: ContainedFile] = [:]
  private let folder: PrivateFolder
  private let budget: CopyBudget
  private let isSnapshot: Bool

  /// The files of a container below a folder, which ends with `/` or is empty.
  init(
    _ container: any Container, below prefix: String, _ budget: CopyBudget, temporaryFolder: String
  ) throws(PlaceFailure) {
    self.container = container
    self.prefix = prefix
    self.budget = budget
    folder = try PrivateFolder(in: temporaryFolder)
    for file in container.files where file.path.utf8.starts(with: prefix.utf8) {
      let name = String(Substring(file.path.utf8.dropFirst(prefix.utf8.count)))
      files[ExactText(name)] = file
    }
    isSnapshot = files.keys.contains { $0.wrappedValue.hasPrefix(BackupFolder.snapshot + "/") }
  }

  private func body(_ fileID: String) -> ContainedFile? {
    BackupFolder.spellings(of: fileID).lazy.flatMap { name in
      ["\(name.prefix(2))/\(name)", name]
    }.compactMap { [files] in files[ExactText($0)] }.first
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
    guard let file = files[ExactText(name)] else { return nil }
    let path = try folder.newFile(name)
    try container.copy(file, to: path, budget)
    return path
  }

  func has(_ name: String) -> Bool {
    name == BackupFolder.snapshot ? isSnapshot : files[ExactText(name)] != nil
  }

  func forEachID(_ body: (String) -> Void) {
    for path in files.keys {
      let name = String(SideFiles.name(of: path.wrappedValue))
      guard BackupFolder.isBody(name) else { continue }
      let folder = SideFiles.folder(of: path.wrappedValue)
      if folder.isEmpty || BackupFolder.isSubfolder(folder) { body(name) }
    }
  }

  func willCopy(_ fileIDs: [String]) { container.willCopy(fileIDs.compactMap(body)) }
}
