import Bytes
import Formats
import Records

/// The stores that the lines of a report tell of, by the hashes of their bytes.
struct ReportedStores: Sendable {
  /// What an earlier run has found in some bytes where their place told the same of them.
  struct Line: Sendable {
    /// How many operations wait.
    var waiting = 0
    /// How far the store tells what waits.
    var coverage = QueueCoverage()
    var worst: Severity?
    /// Why it could not be read; nil where it could.
    var error: FailureKind?
    /// Where the first line is.
    var place = 0..<0
    /// The store that it is of, and where the copy of that stays; empty where none does.
    fileprivate var name = ExactText("")
    fileprivate var copy = ""
    /// The same of other stores; few lines hold for some.
    fileprivate var others: [ExactText: String] = [:]
    fileprivate var layout: Layout?
    fileprivate var marks = PlaceMarks([])

    /// Where the copy of a store stays that has such a line.
    fileprivate func copy(of name: ExactText) -> String? {
      name == self.name ? copy : others[name]
    }

    fileprivate mutating func setCopy(of name: ExactText, _ path: String) {
      if name == self.name { copy = path } else { others[name] = path }
    }
  }

  /// Words for what does not pass by itself; what does is tried again.
  private static let lasting: Set<String> = [
    "notAStore", "damaged", "unsupported", "encrypted", "truncated", "checksum", "overlap",
    "file-missing",
  ]

  private(set) var lines: [String: [Line]] = [:]
  /// The names and failures of what has no hash: a part of a container that is not there whole.
  private var failures: Set<[String]> = []

  var isEmpty: Bool { lines.isEmpty }

  /// Takes a line of the report, and where that is.
  mutating func add(_ store: JSONObject, named name: String, at place: Range<Int>) {
    var line = Line(place: place, name: ExactText(name))
    if case .string(let word)? = store["worst"] { line.worst = Severity(rawValue: word) }
    if let marks = PlaceMarks(ofLine: store) {
      line.marks = marks
    } else if let worst = line.worst, worst > .note {
      // The place may have told of it, or of something that is gone.
      return
    }
    if case .object(let error)? = store["error"] {
      guard case .string(let word)? = error["code"], Self.lasting.contains(word) else { return }
      line.error = .damaged
      if case .null? = store["sha256"] { failures.insert([name, word]) }
    }
    guard case .string(let hash)? = store["sha256"] else { return }
    if case .string(let word)? = store["layout"] { line.layout = Layout(rawValue: word) }
    if case .string(let path)? = store["path"] { line.copy = path }
    let known = lines[hash, default: []].firstIndex {
      $0.marks == line.marks && $0.error == line.error
    }
    if let known {
      lines[hash]?[known].setCopy(of: line.name, line.copy)
      return
    }
    if case .number(let count)? = store["waiting"] { line.waiting = Int(count.text) ?? 0 }
    if line.error == nil { line.coverage = Self.coverage(of: store) }
    lines[hash, default: []].append(line)
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

  /// What an earlier run has found in a store with these bytes; nil where it has not done it, its place
  /// tells something else of it now, or the copy of it is gone that is wanted.
  func line(of turn: StoreInTurn, _ hash: String) -> Line? {
    lines[hash]?.first { line in
      guard line.error != nil || line.marks == turn.marks(line.layout) else { return false }
      guard turn.isWantedCopy, let copy = line.copy(of: ExactText(turn.name)) else { return true }
      return Paths.exists(copy)
    }
  }

  /// What an earlier run has found of a store whose bytes are not to be had.
  func failure<Seen>(of store: SeenStore<Seen>) -> Line? {
    guard store.hash == nil, let code = store.errorCode,
      failures.contains([store.turn.name, code])
    else { return nil }
    return Line(error: .damaged)
  }

  /// Notes that a store has a line with what was found in its bytes; false where it had one.
  mutating func noteLine(of name: String, _ hash: String, like line: Line) -> Bool {
    guard let place = lines[hash]?.firstIndex(where: { $0.place == line.place }),
      lines[hash]?[place].copy(of: ExactText(name)) == nil
    else { return false }
    lines[hash]?[place].setCopy(of: ExactText(name), "")
    return true
  }
}
