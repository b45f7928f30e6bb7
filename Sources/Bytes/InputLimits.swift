/// How much of something one input may ask for before it is refused.
///
/// Honest inputs stay far below; who trusts a larger one raises the limit with the flag.
package enum InputLimit: String, Sendable, CaseIterable {
  case valueBytes = "max-value-bytes"
  /// Objects, arrays or elements inside each other.
  case depth = "max-depth"
  /// Fields of one record of a text file.
  case columns = "max-columns"
  case pipe = "max-pipe-bytes"
  /// Bytes of memory that the whole run takes.
  case memory = "max-memory"
  /// Seconds spent on one store.
  case seconds = "max-seconds"
  /// Bytes of one file of an archive, unpacked.
  case memberBytes = "max-member-bytes"
  /// How many times its packed size a file of an archive has.
  case ratio = "max-ratio"
  /// Files of one archive.
  case members = "max-members"
  /// Archives and backups inside each other.
  case nesting = "max-nesting"

  /// Whether it is a size in bytes, and not a count of something.
  package var isSize: Bool {
    switch self {
    case .valueBytes, .pipe, .memory, .memberBytes: true
    case .depth, .columns, .seconds, .ratio, .members, .nesting: false
    }
  }

  /// What to try when the limit was passed.
  package var hint: String { hint(whenAt: InputLimits.current[self]) }

  /// What to try when the limit was passed, where the task that set it is not at hand.
  package func hint(whenAt bound: Int?) -> String {
    let bound = bound.map { " of \($0)" } ?? ""
    return "if you trust the file, raise the limit\(bound) with --\(rawValue)"
  }
}

/// The limits of a run.
package struct InputLimits: Sendable, Equatable {
  /// Bytes of one value.
  package var valueBytes = 128 << 20
  /// Levels of nested values; nil is each format's own bound.
  package var depth: Int?
  /// Fields of one record of a text file.
  package var columns = 1 << 16
  /// Bytes of standard input or a pipe, which are kept in a file meanwhile.
  package var pipe = 64 << 30
  /// Bytes of memory; nil for no bound.
  package var memory: Int? = 4 << 30
  /// Seconds for one store; nil for no bound.
  package var seconds: Int?
  /// Bytes of one file of an archive.
  package var memberBytes = 16 << 30
  /// Times its packed size that a large file of an archive may have.
  package var ratio = 200
  /// Files of one archive.
  package var members = 1_000_000
  /// Archives and backups inside each other, the outermost counted.
  package var nesting = 4
  /// Threads that work at a time; nil for as many as there are processors.
  package var threads: Int?

  /// The limits for inputs from unknown sources, to be changed one by one.
  package init() {}

  /// The limits of the current task, which the command sets once for its whole run.
  @TaskLocal package static var current = InputLimits()

  /// The most levels that a thread's stack is known to carry.
  package static let greatestDepth = 2048
  /// The most archives inside each other, each of which takes some of the stack, too.
  package static let greatestNesting = 64

  /// One of the limits; nil where it has no bound of its own.
  subscript(_ limit: InputLimit) -> Int? {
    switch limit {
    case .valueBytes: valueBytes
    case .depth: depth
    case .columns: columns
    case .pipe: pipe
    case .memory: memory
    case .seconds: seconds
    case .memberBytes: memberBytes
    case .ratio: ratio
    case .members: members
    case .nesting: nesting
    }
  }
}
