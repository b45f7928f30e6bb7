import Bytes
import Records

/// What the journal of earlier runs says about operations.
///
/// The entries are added in the order in which they were written; the last one counts.
package struct ReplayHistory: Sendable {
  /// How far an operation has come.
  enum State: Sendable, Equatable {
    /// It was sent, and nobody knows what became of it.
    case inDoubt
    case ended(ReplayOutcome)
  }

  private var entries = SequenceMap(empty: Entry())
  private var versions = ByteSpool()
  /// What was seen before changes were sent of which nobody knows what became of them.
  private var marks: [Int64: String] = [:]

  /// What is known about one operation, in eight bytes.
  private struct Entry: Sendable {
    /// How far it has come in five bits, four about what was said, and where its version is.
    private var bits: UInt64 = 0

    private static let outcomes = ReplayOutcome.allCases

    private subscript(bit: UInt64) -> Bool {
      get { bits & bit != 0 }
      set { bits = newValue ? bits | bit : bits & ~bit }
    }

    var state: State? {
      get {
        switch bits & 0x1F {
        case 0: nil
        case 1: .inDoubt
        case let number: .ended(Self.outcomes[Int(number) - 2])
        }
      }
      set {
        var number = 0
        switch newValue {
        case nil: break
        case .inDoubt?: number = 1
        case .ended(let outcome)?: number = (Self.outcomes.firstIndex(of: outcome) ?? 0) + 2
        }
        bits = bits & ~0x1F | UInt64(number)
      }
    }

    /// Whether it was refused because the server failed, which may have carried it out all the same.
    var isFailed: Bool {
      get { self[0x80] }
      set { self[0x80] = newValue }
    }

    /// Whether it was refused because the server failed, before anything had left.
    var isRefusedUnsent: Bool {
      get { self[0x40] }
      set { self[0x40] = newValue }
    }

    /// Whether the server said that it took it, and did not show the item.
    var isPromised: Bool {
      get { self[0x20] }
      set { self[0x20] = newValue }
    }

    /// Whether it left once more after the server had said that it took it, as a policy wanted.
    var wasSentAgain: Bool {
      get { self[0x100] }
      set { self[0x100] = newValue }
    }

    /// Whether it may have been carried out although nobody heard of it.
    var mayHaveArrived: Bool { state == .inDoubt || isFailed }

    /// One more than where the version is; 0 where there is none.
    var version: Int {
      get { Int(bits &>> 9) }
      set { bits = bits & 0x1FF | UInt64(newValue) &<< 9 }
    }
  }

  /// A history without entries.
  package init() {}

  /// Whether nothing is known of any operation.
  var isEmpty: Bool { entries.isEmpty }

  /// Adds the journal's next entry about one operation; an event of unknown name changes nothing.
  package mutating func add(
    _ sequence: Int64, event word: String, version: String?, status: Int64? = nil,
    detail: String? = nil
  ) {
    let event = JournalEntry.Event(word: word)
    let old = entries[sequence]
    // Earlier versions took such a refusal for a doubt, in which they sent without an entry only
    // what may be sent twice.
    if event == .outcome(.inDoubt), old.isRefusedUnsent { return }
    if event == .sending {
      marks[sequence] = detail
    } else if case .outcome(let outcome)? = event, outcome.isFinal {
      marks[sequence] = nil
    }
    var entry = Entry()
    switch event {
    case nil: return
    case .held?:
      // Whatever else is known of it says more.
      guard old.state == nil else { return }
      entry.state = .ended(.pending)
    case .sending?:
      entry.state = .inDoubt
      (entry.isPromised, entry.wasSentAgain) = (old.wasSentAgain, old.wasSentAgain)
    case .outcome(.inDoubt)?:
      entry.state = .inDoubt
      entry.wasSentAgain = old.wasSentAgain || detail == Delivery.sentAgainMark
      // Whatever was heard of the second sending, the first one may have been carried out.
      entry.isPromised = entry.wasSentAgain || detail?.hasPrefix(Delivery.promiseMark) ?? false
    case .outcome(let outcome)?:
      entry.state = .ended(outcome)
      // Where only the table was asked for, no request with the change has left.
      let isFault = outcome == .rejected && (status ?? 0) >= 500
      entry.isFailed = isFault && old.mayHaveArrived
      entry.isRefusedUnsent = isFault && !old.mayHaveArrived
    }
    entry.version = version.map { versions.append(counted: $0.utf8Span.span) + 1 } ?? 0
    entries[sequence] = entry
  }

  /// Whether the server must be asked for the item before an operation is sent again.
  func needsQuestion(_ sequence: Int64) -> Bool {
    entries[sequence].mayHaveArrived
  }

  /// Whether the server said of an operation in doubt that it took it.
  func isPromised(_ sequence: Int64) -> Bool { entries[sequence].isPromised }

  /// Whether that was so, and the operation was sent once more all the same.
  func wasSentAgain(_ sequence: Int64) -> Bool { entries[sequence].wasSentAgain }

  /// What was seen before an operation was sent last.
  func mark(of sequence: Int64) -> String? { marks[sequence] }

  /// How far an operation has come; nil when no run has known it.
  func state(of sequence: Int64) -> State? { entries[sequence].state }

  /// The item's version on the server after an operation that is done.
  func version(after sequence: Int64) -> String? {
    let place = entries[sequence].version
    return place == 0 ? nil : String(decoding: versions.counted(at: place - 1), as: UTF8.self)
  }

  /// Whether the target has what an operation came to.
  func isThere(_ sequence: Int64) -> Bool {
    switch entries[sequence].state {
    case .ended(.applied)?, .ended(.alreadyApplied)?: true
    default: false
    }
  }

  /// Whether the target has what an operation came to, or may have it.
  func mayBeThere(_ sequence: Int64) -> Bool { isThere(sequence) || needsQuestion(sequence) }

  /// Whether a later run has nothing left to do for an operation.
  func isDone(_ sequence: Int64) -> Bool {
    if case .ended(let outcome)? = entries[sequence].state { outcome.isFinal } else { false }
  }
}

/// Operations with a small note on each, of which there may be as many as the queue is long.
package struct NotedOperations<Note: Sendable>: RandomAccessCollection, Sendable {
  /// The `sequence` of each, and what the note on it is made from.
  private var numbers = PackedPairs()
  private let note: @Sendable (_ sequence: Int64, _ number: Int) -> Note

  /// No operations yet; `note` makes the note on one from a number.
  init(_ note: @escaping @Sendable (_ sequence: Int64, _ number: Int) -> Note) { self.note = note }

  /// Adds an operation.
  mutating func append(_ sequence: Int64, _ number: Int) { numbers.append(Int(sequence), number) }

  /// Where the first one is.
  package var startIndex: Int { 0 }
  /// How many there are.
  package var endIndex: Int { numbers.count }

  /// One of them.
  package subscript(position: Int) -> Note {
    let (sequence, number) = numbers[position]
    return note(Int64(sequence), number)
  }
}
