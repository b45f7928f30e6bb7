import Bytes
import Records

extension StoreReader {
  /// Runs `body` while the files of the source are hashed on another core, and makes sure that they
  /// are then what they were.
  ///
  /// - Returns: what `body` gave, and the files with their sizes and hashes.
  func proven<Value: Sendable>(
    while body: () throws(StoreError) -> Value
  ) throws(StoreError) -> (value: Value, files: [SourceFile]) {
    try unchanged { () throws(StoreError) in try hashed(while: body) }
  }

  /// Does so for a caller who makes sure of that itself.
  func hashed<Value: Sendable>(
    while body: () throws(StoreError) -> Value
  ) throws(StoreError) -> (value: Value, files: [SourceFile]) {
    let (paths, fileName) = (inputFiles, source.fileName)
    let hashed = Background(threads: threadCount()) { Result(hashing: paths, called: fileName) }
    let value = try body()
    return (value, try hashed.value.get())
  }
}

extension Result<[SourceFile], StoreError> {
  /// Hashes files, the first of which may have a name of its own.
  fileprivate init(hashing paths: [String], called fileName: String?) {
    var files: [SourceFile] = []
    for (path, name) in zip(paths, Paths.distinctNames(of: paths, first: fileName)) {
      do {
        let (digest, size) = try sha256(ofFileAt: path)
        files.append(
          SourceFile(name: name, bytes: size, sha256: digest.hexadecimal))
      } catch {
        self = .failure(StoreError(error))
        return
      }
    }
    self = .success(files)
  }
}
