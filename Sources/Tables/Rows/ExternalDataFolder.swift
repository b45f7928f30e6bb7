import Bytes

/// The hidden folder beside a store in which Core Data keeps large values, a file each.
package struct ExternalDataFolder: Sendable {
  /// Where the folder is, whether it exists or not.
  package let path: String

  /// The folder that belongs to the store at `path`.
  package init(ofStoreAt path: String) {
    let name = Paths.fileName(of: path)
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let support = Paths.join(Paths.folder(of: path), ".\(stem)_SUPPORT")
    self.path = Paths.join(support, "_EXTERNAL_DATA")
  }

  /// Whether a file is there: a plain one, in the plain folder itself and not behind a link.
  package func contains(_ name: String) -> Bool {
    Paths.isPlainFolder(Paths.folder(of: path)) && Paths.isPlainFolder(path)
      && Paths.isPlainFile(Paths.join(path, name))
  }

  /// The bytes of the file that a tagged value names; nil when it names none, or it is not there.
  package func contents(namedBy value: Span<UInt8>) -> [UInt8]? {
    guard case .file(let name)? = TaggedBinary(value) else { return nil }
    return contents(of: name)
  }

  /// The bytes of one file; nil when it is missing or is no plain file of this folder.
  ///
  /// `name` is a plain UUID, so it cannot lead out of the folder; links are not followed.
  func contents(of name: String) -> [UInt8]? {
    guard contains(name) else { return nil }
    // A file that cannot be read counts as missing: the row says so in its reject.
    return try? readFile(
      Paths.join(path, name), limit: InputLimits.current.valueBytes, followingLinks: false)
  }
}
