import Glibc

/// A path that no string spells, because some of it is not UTF-8.
package struct UnspelledPath: Sendable {
  let system: SystemPath
  /// What stands for it where people read.
  package let shown: String

  private init(_ system: SystemPath, shown: String) {
    (self.system, self.shown) = (system, shown)
  }

  /// The path of what a folder calls so.
  package init(_ name: [UInt8], inFolder folder: String, shown: String) {
    self.init(systemPath(systemPath(folder), joining: name), shown: shown)
  }

  /// The path of what the folder there calls so.
  package func joining(_ name: [UInt8], shown: String) -> UnspelledPath {
    UnspelledPath(systemPath(system, joining: name), shown: shown)
  }

  /// What stands there; nil where nothing does.
  package var kind: Paths.Kind? {
    var status = stat()
    // The array ends with a zero, and the call fills the structure it is given, or fails.
    guard unsafe lstat(system, &status) == 0 else { return nil }
    return Paths.kind(of: status)
  }

  /// The names of what the folder there holds, in byte order.
  ///
  /// - Throws: `FileError` when it is no folder, cannot be read, or holds more than `limit` names.
  package func names(limit: Int) throws(FileError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try forEachName(inFolder: system, shown: shown) { (name) throws(FileError) in
      guard names.count < limit else {
        throw FileError(operation: "read", path: shown, errno: EFBIG)
      }
      names.append(name)
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
