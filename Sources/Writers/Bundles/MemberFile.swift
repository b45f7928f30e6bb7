import Bytes
import Records

/// A file of a bundle that is being written, counted and hashed.
struct MemberFile: ~Copyable, ByteSink {
  private var file: OutputFile
  private var hash = SHA256()
  private var size = 0
  private let name: String

  /// Creates the file at `path`; `name` is what the manifest calls it.
  init(creating path: String, name: String) throws(StoreError) {
    file = try storeErrors { () throws(FileError) in try OutputFile(creating: path) }
    self.name = name
  }

  mutating func write(_ bytes: [UInt8]) throws(StoreError) {
    hash.update(bytes.span)
    size += bytes.count
    do {
      try file.write(bytes.span)
    } catch {
      throw StoreError(error)
    }
  }

  /// Closes the file.
  ///
  /// - Returns: its name, size and hash.
  consuming func close() throws(StoreError) -> SourceFile {
    do {
      try file.close()
    } catch {
      throw StoreError(error)
    }
    return SourceFile(name: name, bytes: size, sha256: hash.finish().hexadecimal)
  }
}
