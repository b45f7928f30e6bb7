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
