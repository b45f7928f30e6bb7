import Bytes

/// The bodies of a backup that its list of files does not name: what they are called on the device, and
/// which of them belong together, nobody can tell.
struct UnlistedBodies {
  /// The names that are listed, of which there may be a million.
  private var listed = PathHashes()

  mutating func add(listed fileID: String) { listed.insert(fileID) }

  /// Counts the bodies that are not listed, and tells whether stores are among them.
  func tell(_ bodies: any BackupBodies, _ tally: PlaceTally) {
    var stores = 0
    bodies.forEachID { name in
      let fileID = name.lowercased()
      guard !listed.contains(fileID) else { return }
      tally.count(.unlistedFile)
      // Of what cannot be looked at nobody knows what it is.
      guard let kind = try? bodies.look(at: fileID)?.kind else { return }
      if kind.isInteresting || kind == .counted(.sideFile) { stores += 1 }
    }
    guard stores > 0 else { return }
    tally.note(
      stores.counted("file", "files")
        + " that the backup's list does not name \(stores == 1 ? "begins" : "begin") as stores, their "
        + "logs or archives do, and \(stores == 1 ? "is" : "are") not read")
  }
}
