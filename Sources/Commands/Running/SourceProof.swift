import Bytes
import CommandLineKit
import Records

// What keeps a source as it is, and proves that it stayed so.

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
    let paths = inputFiles
    let hashed = Background(threads: threadCount()) { Result(hashing: paths) }
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
  fileprivate init(hashing paths: [String]) {
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
        self = .failure(StoreError(error))
        return
      }
    }
    self = .success(files)
  }
}

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
    let reserved = Set(sources.flatMap(Self.databaseNames).map(Place.init))
    guard !reserved.contains(Place(output)) else {
      throw StoreError(
        .cannotCreate, path: output, "SQLite would take it for a part of the source",
        hint: "give another name")
    }
  }

  private static func databaseNames(of path: String) -> [String] {
    ["", "-wal", "-journal", "-shm"].map { path + $0 }
  }

  /// A name in a folder, whether or not a file stands there.
  private struct Place: Hashable {
    let folder: FileIdentity?
    let name: String

    init(_ path: String) {
      folder = FileIdentity(of: Paths.folder(of: path))
      name = Paths.fileName(of: path)
    }
  }
}

extension Session {
  /// The options that name a file to write, but for those that take `-` for standard output.
  private static let outputs = ["output", "report", "rejects", "journal", "plan"]

  /// Throws where an output that must be a file is `-`, which never is a file's name.
  func checkOutputs() throws(StoreError) {
    let command = arguments.path.leaf.name
    for name in Self.outputs where arguments.describes(option: name) {
      guard arguments.value(name)?.text == "-",
        !(name == "output" && command == ExportCommand.description.name)
      else { continue }
      throw StoreError(
        .usage, "--\(name) takes a file, and - is standard output",
        hint: name == "output" && command == SeedCommand.description.name
          ? "write the store to a file; 'rehome export' writes to standard output"
          : "name a file, or write ./- for one of that name")
    }
  }
}
