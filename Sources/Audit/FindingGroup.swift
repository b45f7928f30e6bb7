import Records

/// The findings of one kind that matter equally, of which each takes two or three bytes.
///
/// A long queue may have several findings for each operation, so only what they differ in is kept.
struct FindingGroup: Sendable {
  /// The place of the kind in the catalogue, and behind it where it is in none.
  let kind: Int
  let severity: Severity
  private var entries = PackedPairs()
  private var messages = RepeatedTexts()
  /// Findings that are about anything but an operation of the queue.
  private var whole: [Finding] = []
  /// How many places those stand for that stand for several.
  private var further = 0
  /// The `sequence` of the last one, and whether no one before belongs behind it.
  private var lastSequence: Int64?
  private(set) var isSorted = true

  /// Stands for the message of a finding that is kept whole.
  private static let noMessage = -1

  init(kind: Int, severity: Severity) {
    self.kind = kind
    self.severity = severity
  }

  var count: Int { entries.count }

  var placeCount: Int { entries.count + further }

  /// Adds a finding about the operation at a place.
  mutating func add(_ place: Int, _ sequence: Int64, _ message: String) {
    entries.append(place, messages.add(message))
    note(sequence)
  }

  /// Adds a finding that may be about anything.
  mutating func add(_ finding: Finding) {
    entries.append(whole.count, Self.noMessage)
    whole.append(finding)
    further += finding.count - 1
    note(finding.operation)
  }

  private mutating func note(_ sequence: Int64?) {
    isSorted = isSorted && !Self.precedes(sequence, lastSequence)
    lastSequence = sequence
  }

  /// Whether findings about the one `sequence` come before those about the other: first those about
  /// no operation, since an operation may have any number.
  static func precedes(_ first: Int64?, _ second: Int64?) -> Bool {
    guard let second else { return false }
    return first.map { $0 < second } ?? true
  }

  /// Adds one finding of another group, which is about the same operations.
  mutating func add(_ position: Int, of other: FindingGroup, _ operations: OperationList) {
    guard let entry = other.entry(at: position) else { return add(other.whole(at: position)) }
    add(entry.place, operations.sequence(at: entry.place), entry.message)
  }

  /// The place of the operation that a finding is about, and what it says; nil where it is kept
  /// whole.
  func entry(at position: Int) -> (place: Int, message: String)? {
    let (place, message) = entries[position]
    return message == Self.noMessage ? nil : (place, messages[message])
  }

  /// A finding that is about no operation of the queue.
  private func whole(at position: Int) -> Finding { whole[entries[position].0] }

  /// A finding, whose code the catalogue tells where it is kept apart from others.
  func finding(at position: Int, code: String, _ operations: OperationList) -> Finding {
    let (place, message) = entries[position]
    guard message != Self.noMessage else { return whole[place] }
    let operation = operations[place]
    return Finding(
      code, severity, table: operation.table, itemID: operation.itemID,
      operation: operation.sequence, message: messages[message])
  }

  /// How many places a finding stands for.
  func count(at position: Int) -> Int {
    let (place, message) = entries[position]
    return message == Self.noMessage ? whole[place].count : 1
  }

  /// The stable identifier of a finding that is kept whole.
  func code(at position: Int) -> String? {
    let (place, message) = entries[position]
    return message == Self.noMessage ? whole[place].code : nil
  }

  /// The `sequence` of the operation that a finding is about, if it is about one.
  func sequence(at position: Int, _ operations: OperationList) -> Int64? {
    let (place, message) = entries[position]
    return message == Self.noMessage ? whole[place].operation : operations.sequence(at: place)
  }

  /// The findings about one operation, in a group that is sorted.
  func positions(of sequence: Int64, _ operations: OperationList) -> Range<Int> {
    if operations.isNumbered, whole.isEmpty, sequence > 0, sequence < .max {
      // Then they are in the order of the places.
      let place = Int(sequence) - 1
      return entries.firstPosition(from: place)..<entries.firstPosition(from: place + 1)
    }
    func first(where isBehind: (Int64?) -> Bool) -> Int {
      firstPlace(in: 0..<count) { isBehind(self.sequence(at: $0, operations)) }
    }
    return first { !Self.precedes($0, sequence) }..<first { Self.precedes(sequence, $0) }
  }

  /// The same findings by place in the queue; those about the same operation stay in order.
  func sorted(_ operations: OperationList) -> FindingGroup {
    guard !isSorted else { return self }
    var group = self
    group.entries = PackedPairs()
    group.isSorted = true
    let move = { (position: Int) in
      let (place, message) = entries[position]
      group.entries.append(place, message)
      if group.count == count { group.lastSequence = sequence(at: position, operations) }
    }
    if operations.isNumbered, whole.isEmpty, count <= UInt32.max {
      // In few bytes, since there may be several for each operation: the place before the position.
      var keys: [UInt64] = []
      keys.reserveCapacity(count)
      for position in 0..<count {
        keys.append(UInt64(clamping: entries[position].0) &<< 32 | UInt64(position))
      }
      keys.sort()
      for key in keys { move(Int(key & 0xFFFF_FFFF)) }
    } else {
      let sequences = (0..<count).map { sequence(at: $0, operations) }
      // Swift's sorting keeps the order of equal elements.
      let order = sequences.indices.sorted { Self.precedes(sequences[$0], sequences[$1]) }
      for position in order { move(position) }
    }
    return group
  }
}
