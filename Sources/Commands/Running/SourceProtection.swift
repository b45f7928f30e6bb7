import Bytes
import Records

/// Keeps an output from taking the place of a source or of a file that belongs to one.
struct SourceProtection {
  private let sources: [String]

  init(_ inputFiles: [String]) {
    sources = inputFiles
  }

  /// Throws when writing to `output` would touch a source, `--force` or not.
  ///
  /// An output also owns the names of its side files: what stands there goes when it is replaced.
  /// A new file under the name of a source's side file would become part of the source.
  func check(_ output: String) throws(StoreError) {
    let owned = Self.databaseNames(of: output)
    let identities = Set(sources.compactMap(FileIdentity.init(of:)))
    let isSource = owned.compactMap(FileIdentity.init(of:)).contains(where: identities.contains)
    guard !isSource else {
      throw StoreError(
        .cannotCreate, path: output, "it is the source itself, which is never changed",
        hint: "give another name")
    }
    let reserved = Set(sources.flatMap(Self.databaseNames).map(ProtectedPlace.init))
    guard !reserved.contains(ProtectedPlace(output)) else {
      throw StoreError(
        .cannotCreate, path: output, "SQLite would take it for a part of the source",
        hint: "give another name")
    }
  }

  private static func databaseNames(of path: String) -> [String] {
    ["", "-wal", "-journal", "-shm"].map { path + $0 }
  }
}

/// A name in a folder, whether or not a file stands there.
private struct ProtectedPlace: Hashable {
  let folder: FileIdentity?
  let name: String

  init(_ path: String) {
    folder = FileIdentity(of: Paths.folder(of: path))
    name = Paths.fileName(of: path)
  }
}
