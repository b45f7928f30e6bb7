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
  ) async throws(StoreError) -> (value: Value, files: [SourceFile]) {
    try await hashingBeside { (first) throws(StoreError) in
      first?.leave()
      return try body()
    }
  }

  /// The same, but `body` hashes the first file beside the rows that it hashes, and leaves the rest
  /// of it when it has no more of them.
  func hashingBeside<Value: Sendable>(
    rows body: (FileHashing?) throws(StoreError) -> Value
  ) async throws(StoreError) -> (value: Value, files: [SourceFile]) {
    let first = try openFirst()
    async let hashed = hash(first)
    let value: Result<Value, StoreError>
    do {
      value = .success(try body(first))
    } catch {
      value = .failure(error)
      first?.abandon()
    }
    first?.leave()
    let files = await hashed
    return (try value.get(), try files.get())
  }

  /// Throws when a file of the source has changed since it was opened.
  static func checkUnchanged(_ reader: any StoreReader) throws(StoreError) {
    guard try reader.isSourceUnchanged() else {
      throw StoreError(
        .temporary, path: reader.inputFiles.first, "the store changed while it was being read",
        hint: "close whatever writes to it, and run again")
    }
  }

  private func openFirst() throws(StoreError) -> FileHashing? {
    guard let path = paths.first else { return nil }
    return try storeErrors { () throws(FileError) in try FileHashing(ofFileAt: path) }
  }

  private func hash(_ first: FileHashing?) async -> Result<[SourceFile], StoreError> {
    var files: [SourceFile] = []
    var names: Set<String> = []
    for (place, path) in paths.enumerated() {
      var name = Paths.fileName(of: path)
      // A file of corrections may have the name of the file that it corrects.
      if !names.insert(name).inserted {
        name = Paths.join(Paths.fileName(of: Paths.folder(of: path)), name)
      }
      do throws(FileError) {
        let begun = place == 0 ? first : nil
        let (digest, size) =
          if let begun { try begun.finish() } else { try sha256(ofFileAt: path) }
        files.append(
          SourceFile(name: name, bytes: size, sha256: digest.hexadecimal))
      } catch {
        return .failure(StoreError(error))
      }
    }
    return .success(files)
  }
}
