import Bytes
import CommandLineKit
import Formats
import Records

/// The file of `--report`: one line of JSON for each store, added as soon as the store is done.
///
/// It owns an open file, so it has identity.
final class StoreReportFile {
  /// What an earlier run has found in the stores that it has done.
  private(set) var stores = ReportedStores()
  /// How many lines something else has made, which may have found other things.
  private(set) var others = 0
  private let path: String
  private let maker: StoreReportMaker
  private let isResuming: Bool
  /// Keeps other runs away that would go on with the file.
  private var lock: FileLock?
  private var output: OutputFile?
  private var isBegun = false

  init(_ path: String, resuming: Bool, by maker: StoreReportMaker) throws(StoreError) {
    self.path = path
    self.maker = maker
    isResuming = resuming
    try storeErrors { () throws(FileError) in try StagedFile.checkIsNoOther(path) }
    guard Paths.exists(path) else { return }
    guard resuming else {
      throw StoreError(
        .exists, path: path, "the report exists",
        hint: "go on with it by --resume, or name another file")
    }
    lock = try Self.lock(on: path)
    let size = try readLines(path)
    output = try storeErrors { () throws(FileError) in
      try OutputFile(appendingTo: path, keeping: size)
    }
    isBegun = true
  }

  /// Makes a file that is not there, once nothing else may refuse the run.
  func begin() throws(StoreError) {
    guard !isBegun else { return }
    do {
      output = try OutputFile(creating: path)
    } catch {
      // It was not there a moment ago.
      throw error.code == .exists && isResuming ? Self.isInUse(path) : StoreError(error)
    }
    lock = try Self.lock(on: path)
    isBegun = true
  }

  /// Takes the lock; nil where the file system has none.
  private static func lock(on path: String) throws(StoreError) -> FileLock? {
    do throws(FileError) {
      if let lock = try FileLock.take(on: path) { return lock }
    } catch {
      return nil
    }
    throw isInUse(path)
  }

  private static func isInUse(_ path: String) -> StoreError {
    StoreError(
      .temporary, path: path, "another run is writing the report",
      hint: "wait until it is done, and run again")
  }

  /// Takes what an earlier run has written; of a line that was cut nothing stays.
  ///
  /// - Returns: how many bytes are whole lines.
  private func readLines(_ path: String) throws(StoreError) -> Int {
    let bytes = try storeErrors { () throws(FileError) in try readFile(path, limit: 4 << 30) }
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    guard Self.isBeginningOfLine(bytes[end...]) else {
      throw StoreError(
        .notAStore, path: path, "its end is not that of a report of stores",
        hint: "name the file that --report wrote, or one that is not there yet")
    }
    for (number, line) in bytes[..<end].split(separator: 0x0A).enumerated() {
      guard let store = JSONObject(parsing: Array(line).span),
        case .string(let name)? = store["store"]
      else {
        throw StoreError(
          .notAStore, path: path, "line \(number + 1) is not one of a report of stores",
          hint: "name the file that --report wrote, or one that is not there yet")
      }
      if maker.hasMade(store) {
        stores.add(store, named: name, at: line.startIndex..<line.endIndex)
      } else {
        others += 1
      }
    }
    return end
  }

  /// Whether bytes can be what a run wrote before it was stopped inside of a line.
  private static func isBeginningOfLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = #"{"store":"#.utf8
    return bytes.prefix(start.count).elementsEqual(start.prefix(bytes.count))
  }

  /// Adds the line of a store whose bytes an earlier run has read under other names only; false
  /// where it has told of this one, too.
  func repeatLine<Seen>(of store: SeenStore<Seen>) throws(StoreError) -> Bool {
    guard let hash = store.hash, let known = store.earlier,
      stores.noteLine(of: store.turn.name, hash, like: known)
    else { return false }
    var bytes: [UInt8] = []
    try storeErrors { () throws(FileError) in
      let file = try PositionedFile(opening: path)
      try file.read(at: known.place.lowerBound, count: known.place.count, appendingTo: &bytes)
    }
    guard let line = JSONObject(parsing: bytes.span) else { return false }
    try write(Self.line(line, renamedAs: store).json)
    return true
  }

  /// The line of a store with the same bytes, with the names of this one.
  private static func line<Seen>(
    _ line: JSONObject, renamedAs store: SeenStore<Seen>
  ) -> JSONObject {
    let names = [
      "store": store.turn.name, "device": store.turn.device, "container": store.turn.container,
      "containerKind": store.turn.containerKind, "path": store.turn.keptPath,
    ]
    var members = line.members.filter { $0.key != "sameAs" }
    for place in members.indices {
      guard let name = names[members[place].key] else { continue }
      members[place].value = name.map(JSONValue.string) ?? .null
    }
    if let twin = store.twin {
      members.append(JSONObject.Member(key: "sameAs", value: .string(twin)))
    }
    return JSONObject(members) ?? line
  }

  /// Adds the line of a store; it is there for whoever goes on, whatever happens then.
  func add<Seen>(_ store: SeenStore<Seen>) throws(StoreError) {
    try write(Array(ReportJSON(store, by: maker).compactText.utf8))
  }

  private func write(_ line: [UInt8]) throws(StoreError) {
    try storeErrors { () throws(FileError) in
      try output?.write((line + [0x0A]).span)
      try output?.flush()
    }
  }
}
