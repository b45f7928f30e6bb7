import Bytes
import CommandLineKit
import Formats
import Records

/// The file of `--report`: one line of JSON for each store, added as soon as the store is done.
///
/// It owns an open file, so it has identity.
final class StoreReportFile {
  /// What an earlier run has found in the stores that it has done, by their hashes.
  private(set) var earlier: [String: Earlier] = [:]
  /// The names and failures of what has no hash: a part of a container that is not there whole.
  private var failures: Set<[String]> = []
  /// How many lines something else has made, which may have found other things.
  private(set) var others = 0
  private let path: String
  private let maker: StoreReportMaker
  private let isResuming: Bool
  /// Keeps other runs away that would go on with the file.
  private var lock: FileLock?
  private var output: OutputFile?
  private var isBegun = false

  struct Earlier {
    /// How many operations wait.
    var waiting = 0
    /// How far the store tells what waits.
    var coverage = QueueCoverage()
    var worst: Severity?
    /// Why it could not be read; nil where it could.
    var error: FailureKind?
    /// Where the first line is, and which stores have one.
    fileprivate var line = 0..<0
    fileprivate var names: Set<ExactText> = []
  }

  /// Words for what does not pass by itself; what does is tried again.
  private static let lasting: Set<String> = [
    "notAStore", "damaged", "unsupported", "encrypted", "truncated", "checksum", "overlap",
  ]

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
      add(store, named: name, at: line.startIndex..<line.endIndex)
    }
    return end
  }

  /// Whether bytes can be what a run wrote before it was stopped inside of a line.
  private static func isBeginningOfLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = #"{"store":"#.utf8
    return bytes.prefix(start.count).elementsEqual(start.prefix(bytes.count))
  }

  private func add(_ store: JSONObject, named name: String, at line: Range<Int>) {
    guard maker.hasMade(store) else {
      others += 1
      return
    }
    var known = Earlier(line: line, names: [ExactText(name)])
    if case .object(let error)? = store["error"] {
      guard case .string(let word)? = error["code"], Self.lasting.contains(word) else { return }
      known.error = .damaged
      if case .null? = store["sha256"] { failures.insert([name, word]) }
    }
    guard case .string(let hash)? = store["sha256"] else { return }
    if earlier[hash] != nil {
      earlier[hash]?.names.insert(ExactText(name))
      return
    }
    if case .number(let count)? = store["waiting"] { known.waiting = Int(count.text) ?? 0 }
    if case .string(let word)? = store["worst"] { known.worst = Severity(rawValue: word) }
    if known.error == nil { known.coverage = Self.coverage(of: store) }
    earlier[hash] = known
  }

  /// How far a store tells what waits, of which there is a line.
  private static func coverage(of store: JSONObject) -> QueueCoverage {
    var codes: [String] = []
    if case .array(let items)? = store["findings"] {
      codes = items.compactMap { if case .string(let code) = $0 { code } else { nil } }
    }
    // Lines of earlier versions do not tell; most stores that people look for keep one.
    let keepsQueue = if case .boolean(false)? = store["keepsQueue"] { false } else { true }
    return QueueCoverage(keepsQueue: keepsQueue, codes: codes)
  }

  /// What an earlier run has found in a store; nil where it has not done it.
  func earlier<Seen>(_ store: SeenStore<Seen>) -> Earlier? {
    if let hash = store.hash { return earlier[hash] }
    guard let code = store.errorCode, failures.contains([store.turn.name, code]) else { return nil }
    return Earlier(error: .damaged)
  }

  /// Adds the line of a store whose bytes an earlier run has read under other names only; false
  /// where it has told of this one, too.
  func repeatLine<Seen>(of store: SeenStore<Seen>) throws(StoreError) -> Bool {
    let name = ExactText(store.turn.name)
    guard let hash = store.hash, let known = earlier[hash],
      earlier[hash]?.names.insert(name).inserted == true
    else { return false }
    var bytes: [UInt8] = []
    try storeErrors { () throws(FileError) in
      let file = try PositionedFile(opening: path)
      try file.read(at: known.line.lowerBound, count: known.line.count, appendingTo: &bytes)
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
