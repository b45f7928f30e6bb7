import Bytes

/// What people have decided about operations of a canonical store, those of one operation oldest first.
///
/// Whole tables are marked at once, so each mark takes a few bytes.
package struct OperationMarks: Sendable {
  /// The `sequence` of each mark's operation, and the number of what was decided.
  private var entries = PackedPairs()
  /// Those that came before lower numbers, until all are put in order.
  private var earlier: [PackedPairs] = []
  private var lastSequence = Int.min
  private var decisions = RepeatedDecisions()

  /// No marks yet.
  package init() {}

  /// Some marks, in any order of their operations.
  package init(_ marks: some Sequence<NumberedMark>) {
    for mark in marks { append(mark) }
    settle()
  }

  /// Whether there are none.
  package var isEmpty: Bool { entries.count == 0 }

  /// Adds a mark behind those of its operation; `settle` comes after the last one, if they do not come
  /// in the order of their operations.
  package mutating func append(_ mark: NumberedMark) {
    let sequence = Int(mark.sequence)
    if sequence < lastSequence { setAside() }
    lastSequence = sequence
    entries.append(sequence, decisions.add(mark))
  }

  /// About how many bytes most of them take.
  var memory: Int { entries.memory }

  private mutating func setAside() {
    earlier.append(entries)
    entries = PackedPairs()
    while let (first, second) = lastTwo, first.count / 2 < second.count { mergeLastTwo() }
  }

  /// Puts the marks into the order of their operations.
  package mutating func settle() {
    guard !earlier.isEmpty else { return }
    earlier.append(entries)
    entries = PackedPairs()
    while earlier.count > 1 { mergeLastTwo() }
    entries = earlier.removeLast()
    lastSequence = entries[entries.count - 1].0
  }

  private var lastTwo: (PackedPairs, PackedPairs)? {
    earlier.count > 1 ? (earlier[earlier.count - 2], earlier[earlier.count - 1]) : nil
  }

  private mutating func mergeLastTwo() {
    let last = earlier.removeLast()
    earlier.append(PackedPairs(merging: earlier.removeLast(), last))
  }

  /// The marks of an operation.
  package subscript(sequence: Int64) -> [OperationMark] {
    var found: [OperationMark] = []
    entries.forEachSecond(of: Int(sequence)) { number, _ in found.append(decisions[number].mark) }
    return found
  }

  /// The mark of an operation that counts.
  package func last(of sequence: Int64) -> NumberedMark? {
    decision(of: sequence).map { number in
      var mark = decisions[number]
      mark.sequence = sequence
      return mark
    }
  }

  /// What the mark of an operation that counts says.
  package func lastKind(of sequence: Int64) -> OperationMark.Kind? {
    decision(of: sequence).map(decisions.kind)
  }

  private func decision(of sequence: Int64) -> Int? { entries.last(of: Int(sequence)) }
}

extension OperationMarks: Sequence {
  /// Goes through all marks.
  package func makeIterator() -> Iterator {
    Iterator(entries: entries.makeIterator(), decisions: decisions)
  }

  /// One mark after the other.
  package struct Iterator: IteratorProtocol {
    fileprivate var entries: PackedPairs.Iterator
    fileprivate let decisions: RepeatedDecisions

    /// The next mark.
    package mutating func next() -> NumberedMark? {
      guard let (sequence, decision) = entries.next() else { return nil }
      var mark = decisions[decision]
      mark.sequence = Int64(sequence)
      return mark
    }
  }
}

extension OperationMarks: Equatable {
  /// Whether the same was decided about the same operations.
  package static func == (left: OperationMarks, right: OperationMarks) -> Bool {
    left.entries.count == right.entries.count
      && zip(left, right).allSatisfy { $0.sequence == $1.sequence && $0.mark == $1.mark }
  }
}

/// Decisions by numbers: the same one is mostly made about many operations.
private struct RepeatedDecisions: Sendable {
  private struct Shape: Hashable {
    let kind: Int
    /// None is 0 here and below.
    let state: Int
    let time: Timestamp
    let who: Int
    let why: Int
  }

  private var numbers: [Shape: Int] = [:]
  private var words = PackedPairs()
  private var times = PackedPairs()
  private var kinds = PackedPairs()
  private var names = RepeatedTexts()
  private var reasons = RepeatedTexts()

  private static let allKinds = OperationMark.Kind.allCases
  private static let allStates = OperationState.allCases
  /// Among how many decisions one is looked for.
  private static let limit = 1 << 12

  /// The number of what a mark says besides the operation.
  mutating func add(_ mark: NumberedMark) -> Int {
    let decided = mark.mark
    let shape = Shape(
      kind: Self.allKinds.firstIndex(of: decided.kind) ?? 0,
      state: mark.state.flatMap(Self.allStates.firstIndex(of:)).map { $0 + 1 } ?? 0,
      time: decided.time, who: decided.who.map { names.add($0) + 1 } ?? 0,
      why: decided.why.map { reasons.add($0) + 1 } ?? 0)
    if let number = numbers[shape] { return number }
    if numbers.count == Self.limit { numbers.removeAll() }
    numbers[shape] = kinds.count
    kinds.append(shape.kind, shape.state)
    times.append(Int(shape.time.secondsSince1970), Int(shape.time.nanoseconds))
    words.append(shape.who, shape.why)
    return kinds.count - 1
  }

  func kind(_ number: Int) -> OperationMark.Kind { Self.allKinds[kinds[number].0] }

  /// What a mark says, about no operation yet.
  subscript(number: Int) -> NumberedMark {
    let (who, why) = words[number]
    let (seconds, nanoseconds) = times[number]
    let time = Timestamp(wholeSecondsSince1970: Int64(seconds), nanoseconds: Int32(nanoseconds))
    let mark = OperationMark(
      kind(number), at: time ?? .epoch, who: who == 0 ? nil : names[who - 1],
      why: why == 0 ? nil : reasons[why - 1])
    let state = kinds[number].1
    return NumberedMark(mark, about: 0, in: state == 0 ? nil : Self.allStates[state - 1])
  }
}
