import Bytes
import Records

/// Hashes the files of a source while they are being read, on another core.
struct SourceProof: Sendable {
  private let paths: [String]

  init(of reader: any StoreReader) {
    paths = reader.inputFiles
  }

  /// Runs `body` while the files are hashed.
  ///
  /// - Returns: what `body` gave, and the files with their sizes and hashes.
  /// - Throws: `StoreError` of `body`, or when a file can no longer be read.
  func hashing<Value: Sendable>(
    while body: () throws(StoreError) -> Value
  ) throws(StoreError) -> (value: Value, files: [SourceFile]) {
    let hashed = LaterValue(threads: threadCount()) { [paths] in Self.hash(paths) }
    let value = try body()
    return (value, try hashed.value.get())
  }

  /// Throws when a file of the source has changed since it was opened.
  static func checkUnchanged(_ reader: any StoreReader) throws(StoreError) {
    guard try reader.isSourceUnchanged() else {
      throw StoreError(
        .temporary, path: reader.inputFiles.first, "the store changed while it was being read",
        hint: "close whatever writes to it, and run again")
    }
  }

  private static func hash(_ paths: [String]) -> Result<[SourceFile], StoreError> {
    var files: [SourceFile] = []
    var names: Set<String> = []
    for path in paths {
      var name = Paths.fileName(of: path)
      // A file of corrections may have the name of the file that it corrects.
      if !names.insert(name).inserted {
        name = Paths.join(Paths.fileName(of: Paths.folder(of: path)), name)
      }
      do {
        let (digest, size) = try sha256(ofFileAt: path)
        files.append(
          SourceFile(name: name, bytes: size, sha256: digest.hexadecimal))
      } catch {
        return .failure(StoreError(error))
      }
    }
    return .success(files)
  }
}
