import Bytes
import Formats
import Records

/// Opens the files of exports.
enum ExportFile {
  /// Opens a plain file; a device or a pipe is refused, since reading it might never end.
  ///
  /// Text of an encoding is handed on as UTF-8, without a mark.
  static func open(
    _ path: String, as encoding: TextEncoding? = nil
  ) throws(StoreError) -> ByteStream {
    guard !Paths.isSpecial(path), !Paths.isDirectory(path) else {
      throw StoreError(.notAStore, path: path, "it is no plain file")
    }
    return try storeErrors(path: path) { () throws(FileError) in
      guard let encoding else { return try ByteStream(opening: path) }
      return try ByteStream(opening: path, as: encoding)
    }
  }

  /// Opens a file of a bundle, which must lie in its folder itself; a bundle without it is damaged.
  static func openMember(_ path: String) throws(StoreError) -> ByteStream {
    try checkMember(path)
    return try storeErrors(path: path) { () throws(FileError) in
      try ByteStream(opening: path, hashing: true, followingLinks: false)
    }
  }

  /// Throws unless a plain file stands where a bundle should have one.
  static func checkMember(_ path: String) throws(StoreError) {
    guard Paths.exists(path) else {
      throw StoreError(.damaged, path: path, "the bundle lacks this file")
    }
    guard !Paths.isSymbolicLink(path), !Paths.isSpecial(path), !Paths.isDirectory(path) else {
      throw StoreError(.damaged, path: path, "this part of the bundle is no plain file")
    }
  }

  /// The name of the table in a plain file: the file's name without its endings.
  static func tableName(of path: String) -> String {
    var name = Substring(Paths.fileName(of: path))
    if name.lowercased().hasSuffix(".gz") { name = name.dropLast(3) }
    if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = name[..<dot] }
    return String(name)
  }
}
