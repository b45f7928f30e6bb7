import Bytes
import Records

// What proves that a source stayed as it was.

extension StoreReader {
  /// Throws when a file of the source has changed since it was opened.
  func expectUnchanged() throws(StoreError) {
    guard try isSourceUnchanged() else {
      throw StoreError(
        .temporary, path: inputFiles.first, "the store changed while it was being read",
        hint: "close whatever writes to it, and run again")
    }
  }

  /// Runs `body` while the files of the source are hashed on another core, and makes sure that they
  /// are then what they were.
  ///
  /// - Returns: what `body` gave, and the files with their sizes and hashes.
  func proven<Value: Sendable>(
    while body: () throws(StoreError) -> Value
  ) throws(StoreError) -> (value: Value, files: [SourceFile]) {
    let (paths, fileName) = (inputFiles, source.fileName)
    let hashed = Background(threads: threadCount()) { Result(hashing: paths, called: fileName) }
    let value: Value
    do {
      value = try body()
    } catch {
      // What somebody writes to meanwhile looks damaged.
      if error.kind == .damaged { try expectUnchanged() }
      throw error
    }
    let files = try hashed.value.get()
    try expectUnchanged()
    return (value, files)
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
