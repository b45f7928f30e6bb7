import Bytes

/// How long the path of a file may be that the engine opens: shorter than the system allows.
package enum EnginePath {
  /// The engine takes 512 bytes, the ending of a journal among them.
  private static let longest = 504

  /// Whether the engine cannot open the file at a path.
  static func isTooLong(_ path: String) -> Bool { length(of: path) > longest }

  /// Throws where the engine could not open a database at a path, or not make it there.
  package static func check(_ path: String, isMade: Bool) throws(SQLiteError) {
    if isTooLong(path) { throw error(on: path) }
    guard isMade else { return }
    // Until it is complete it has another name in the same folder.
    let name = Paths.fileName(of: path)
    let length = length(of: path) - name.utf8.count + StagedFile.longestName(beside: name)
    guard length > longest else { return }
    throw error(
      path, "with the name that it has until it is complete, its path takes", length: length)
  }

  /// That the engine cannot open a file that nobody may read a copy of instead.
  static func error(on path: String) -> SQLiteError {
    error(path, "its whole path takes", length: length(of: path))
  }

  private static func error(_ path: String, _ start: String, length: Int) -> SQLiteError {
    SQLiteError(
      .cannotOpen, .cannotCreate,
      "\(start) \(length) bytes, and SQLite writes to files with at most \(longest)",
      path: path, hint: "take a folder with a shorter path")
  }

  /// How many bytes a path has without the links and dots in that of its folder.
  private static func length(of path: String) -> Int {
    if let real = Paths.resolved(path) { return real.utf8.count }
    let folder = Paths.resolved(Paths.folder(of: path)) ?? Paths.folder(of: path)
    return Paths.join(folder, Paths.fileName(of: path)).utf8.count
  }
}
