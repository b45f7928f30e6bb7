import Glibc

/// A path that no string spells, because some of it is not UTF-8.
package struct UnspelledPath: Sendable {
  private let system: SystemPath

  private init(_ system: SystemPath) { self.system = system }

  /// The path of what a folder calls so.
  package init(_ name: [UInt8], inFolder folder: String) {
    self.init(systemPath(systemPath(folder), joining: name))
  }

  /// The path of what the folder there calls so.
  package func joining(_ name: [UInt8]) -> UnspelledPath {
    UnspelledPath(systemPath(system, joining: name))
  }

  /// What stands there; nil where nothing does.
  ///
  /// - Throws: `FileError`, with what the path is shown as, where nobody may look.
  package func entry(shownAs shown: String) throws(FileError) -> Paths.Kind? {
    try Paths.entry(at: system, shown: shown)
  }

  /// The names of what the folder there holds, in byte order.
  ///
  /// - Throws: `FileError` when it is no folder, cannot be read, or holds more than `limit` names.
  package func names(limit: Int, shownAs shown: String) throws(FileError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try forEachName(inFolder: system, shown: shown) { (name) throws(FileError) in
      guard names.count < limit else {
        throw FileError(operation: "read", path: shown, errno: EFBIG)
      }
      names.append(name)
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Opens the file there, and no link, without touching its access time where the system allows that.
  package func open(shownAs shown: String) throws(FileError) -> PositionedFile {
    try PositionedFile(
      FileDescriptor(reading: system, shown: shown, O_RDONLY | O_NONBLOCK | O_NOFOLLOW))
  }
}
