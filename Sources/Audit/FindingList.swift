package import Records

/// What was found in a store; each finding is put together when it is asked for.
///
/// A long queue may have a finding for each operation, so only what they differ in is kept.
package struct FindingList: RandomAccessCollection, Sendable {
  /// One finding, without texts.
  private struct Entry {
    /// The operation's place in the queue, or that of a finding that is kept whole.
    var place: Int32
    /// The number of the message; negative where a finding is kept whole.
    var number: Int32
    /// The place of the kind in the catalogue, and behind it where it is in none.
    let kind: Int16
    let severity: Severity

    var message: Int? { number < 0 ? nil : Int(number) }
    var isWhole: Bool { number < 0 }
  }

  private var entries: [Entry] = []
  private var messages: [String] = []
  private var whole: [Finding] = []
  private let operations: OperationList

  /// How many messages are looked through for one that comes again.
  private static let messagesAtHand = 4

  /// No findings, to which those about some operations may come.
  init(about operations: OperationList) { self.operations = operations }

  /// Where the first finding is.
  package var startIndex: Int { 0 }
  /// How many findings there are.
  package var endIndex: Int { entries.count }

  /// One finding.
  package subscript(position: Int) -> Finding {
    guard let operation = operation(at: position) else {
      return whole[Int(entries[position].place)]
    }
    return Finding(
      code(at: position), severity(at: position), table: operation.table,
      itemID: operation.itemID, operation: operation.sequence, message: message(at: position))
  }

  /// The operation that a finding is about; nil where the finding is kept whole.
  func operation(at position: Int) -> PendingOperation? {
    entries[position].isWhole ? nil : operations[Int(entries[position].place)]
  }

  /// The `sequence` of the operation that a finding is about, if it is about one.
  package func sequence(at position: Int) -> Int64? {
    operation(at: position)?.sequence
      ?? (entries[position].isWhole ? whole[Int(entries[position].place)].operation : nil)
  }

  /// The stable identifier of a finding.
  package func code(at position: Int) -> String {
    let entry = entries[position]
    return entry.isWhole
      ? whole[Int(entry.place)].code : FindingCatalogue.all[Int(entry.kind)].code
  }

  /// How much a finding matters.
  func severity(at position: Int) -> Severity { entries[position].severity }

  /// The sentence of a finding.
  func message(at position: Int) -> String {
    let entry = entries[position]
    return entry.message.map { messages[$0] } ?? whole[Int(entry.place)].message
  }

  /// How many places a finding stands for.
  func count(at position: Int) -> Int {
    let entry = entries[position]
    return entry.isWhole ? whole[Int(entry.place)].count : 1
  }

  /// How many places some findings stand for, those that are not listed among them.
  package func places(in range: Range<Int>) -> Int {
    range.reduce(0) { $0 + count(at: $1) }
  }

  /// How many places have findings that matter so much.
  package func count(of severity: Severity) -> Int {
    indices.reduce(0) { $0 + (entries[$1].severity == severity ? count(at: $1) : 0) }
  }

  /// The end of the findings that have the code and the severity of the one at a place.
  package func end(ofKindAt start: Int) -> Int {
    let first = entries[start]
    let code = Int(first.kind) < FindingCatalogue.all.count ? nil : code(at: start)
    var end = start + 1
    while end < entries.count, entries[end].kind == first.kind,
      entries[end].severity == first.severity, code == nil || self.code(at: end) == code
    {
      end += 1
    }
    return end
  }

  /// Adds a finding about the operation at a place.
  mutating func add(_ severity: Severity, kind: Int, operation place: Int, _ message: String) {
    let number = messages.suffix(Self.messagesAtHand).lastIndex(of: message) ?? messages.count
    if number == messages.count { messages.append(message) }
    entries.append(
      Entry(
        place: Int32(truncatingIfNeeded: place), number: Int32(truncatingIfNeeded: number),
        kind: Int16(truncatingIfNeeded: kind), severity: severity))
  }

  /// Adds a finding that may be about anything.
  mutating func add(_ finding: Finding, kind: Int) {
    entries.append(
      Entry(
        place: Int32(truncatingIfNeeded: whole.count), number: -1,
        kind: Int16(truncatingIfNeeded: kind), severity: finding.severity))
    whole.append(finding)
  }

  /// Adds the findings of another list about the same operations.
  mutating func add(_ others: FindingList) {
    let whole = Int32(truncatingIfNeeded: whole.count)
    let messages = Int32(truncatingIfNeeded: messages.count)
    entries.reserveCapacity(entries.count + others.count)
    for var entry in others.entries {
      if entry.isWhole { entry.place &+= whole } else { entry.number &+= messages }
      entries.append(entry)
    }
    self.whole += others.whole
    self.messages += others.messages
  }

  /// Leaves out some findings.
  mutating func removeAll(where isUnwanted: (Finding) -> Bool) {
    entries = indices.filter { !isUnwanted(self[$0]) }.map { entries[$0] }
  }

  /// The most serious first, then as the catalogue lists them, then by place in the queue.
  mutating func sort() {
    // Of a long queue each look at an operation may be a look into its file.
    let sequences = operations.isNumbered ? [] : operations.map(\.sequence)
    let sequence = { [whole] (entry: Entry) -> Int64 in
      let place = Int(entry.place)
      if entry.isWhole { return whole[place].operation ?? 0 }
      return sequences.isEmpty ? Int64(place) + 1 : sequences[place]
    }
    // Swift's sorting keeps the order of equal elements.
    entries.sort { left, right in
      guard left.severity == right.severity else { return left.severity > right.severity }
      return (left.kind, sequence(left)) < (right.kind, sequence(right))
    }
  }
}
