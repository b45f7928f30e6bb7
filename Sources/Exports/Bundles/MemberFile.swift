import Bytes
import Records

/// A file of a bundle that is being written, counted and hashed.
struct MemberFile: ~Copyable, ByteSink {
  private var file: OutputFile
  private var hash = SHA256()
  private var size = 0
  private let name: String
  /// What errors call the file.
  private let shownPath: String

  /// Creates the file at `path`; `name` is what the manifest of `destination` calls it.
  init(creating path: String, name: String, destination: String) throws(StoreError) {
    shownPath = Paths.join(destination, name)
    file = try storeErrors(path: shownPath) { () throws(FileError) in
      try OutputFile(creating: path)
    }
    self.name = name
  }

  mutating func write(_ bytes: [UInt8]) throws(StoreError) {
    hash.update(bytes.span)
    size += bytes.count
    do {
      try file.write(bytes.span)
    } catch {
      throw StoreError(error, path: shownPath)
    }
  }

  /// Closes the file.
  ///
  /// - Returns: its name, size and hash.
  consuming func close() throws(StoreError) -> SourceFile {
    do {
      try file.close()
    } catch {
      throw StoreError(error, path: shownPath)
    }
    return SourceFile(name: name, bytes: size, sha256: hash.finish().hexadecimal)
  }
}
