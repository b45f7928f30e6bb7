import Bytes

/// Turns what the parser calls out into events, and checks it against the limits.
struct EventBuilder {
  /// The events since the last `takeEvents`.
  private(set) var queue = EventQueue()
  /// The first thing that went wrong; nothing is added after it.
  private(set) var failure: XMLError?
  /// Whether something went wrong, which is asked for each event.
  private(set) var hasFailed = false
  /// How many elements are open.
  private(set) var depth = 0
  private(set) var elementCount = 0
  private let limits: XMLLimits
  private let keepsLayout: Bool
  /// Where the text that is still growing starts in the queue's bytes.
  private var textStart: Int?
  private var lastTagWasStart = false
  /// How many namespaces each open element declares.
  private var namespaceCounts: [Int] = []
  private var namespaceTotal = 0

  /// Starts before the first byte of a document.
  init(_ options: XMLOptions) {
    limits = options.limits
    keepsLayout = options.keepsLayout
  }

  /// Whether the outermost element has started and ended.
  var isComplete: Bool { elementCount > 0 && depth == 0 }

  /// Notes trouble; only the first counts.
  mutating func refuse(_ error: XMLError) {
    if !hasFailed { replaceFailure(error) }
  }

  /// Takes the last events back.
  mutating func removeEvents(after count: Int) {
    queue.records.removeLast(max(0, queue.records.count - count))
  }

  /// Notes trouble that says more than what was noted before.
  mutating func replaceFailure(_ error: XMLError) {
    failure = error
    hasFailed = true
  }

  /// Adds bytes to the current run of text; false when it is too long.
  mutating func appendText(_ text: Span<UInt8>) -> Bool {
    let start = textStart ?? queue.bytes.count
    textStart = start
    guard queue.bytes.count - start + text.count <= limits.textBytes else { return false }
    queue.bytes.append(text)
    return true
  }

  /// Ends the text before a start tag, whose attributes come next; nil when it is too deep.
  mutating func beginElement(namespaces: Int, line: Int32) -> ElementStart? {
    endText(isLeaf: false, line: line)
    depth += 1
    elementCount += 1
    namespaceCounts.append(namespaces)
    namespaceTotal += namespaces
    guard depth <= limits.depth, namespaceTotal <= limits.namespaces else { return nil }
    return ElementStart(attributes: queue.attributes.count, bytes: queue.bytes.count)
  }

  /// Adds an attribute of the current start tag; false when there are too many or too large ones.
  mutating func appendAttribute(
    _ name: Int, _ value: Span<UInt8>, of element: ElementStart
  ) -> Bool {
    let start = queue.bytes.count
    guard start - element.bytes + value.count <= limits.attributeBytes,
      queue.attributes.count - element.attributes < limits.attributes
    else { return false }
    queue.bytes.append(value)
    queue.attributes.append(.init(name: name, start: start, end: queue.bytes.count))
    return true
  }

  mutating func endStartTag(_ name: Int, line: Int32, of element: ElementStart) {
    queue.records.append(
      .init(
        event: .startElement(name), line: line, start: element.attributes,
        end: queue.attributes.count))
    lastTagWasStart = true
  }

  mutating func endElement(_ name: Int, line: Int32) {
    endText(isLeaf: lastTagWasStart, line: line)
    lastTagWasStart = false
    depth -= 1
    namespaceTotal -= namespaceCounts.popLast() ?? 0
    queue.records.append(.init(event: .endElement(name), line: line, start: 0, end: 0))
  }

  /// Adds an element that has no attributes and holds nothing but a range of the text that `keep`
  /// will be given; false where it is too much.
  mutating func addLeaf(_ name: Int, _ range: Range<Int>, line: Int32) -> Bool {
    guard depth < limits.depth, range.count <= limits.textBytes else { return false }
    endText(isLeaf: false, line: line)
    elementCount += 1
    lastTagWasStart = false
    queue.records.append(
      .init(
        event: .startElement(name), isLeaf: true, line: line, start: range.lowerBound,
        end: range.upperBound))
    return true
  }

  /// Takes the text of the elements that were added whole, and leaves the rest of it.
  mutating func keep(_ count: Int, of text: inout [UInt8]) {
    swap(&queue.text, &text)
    text.removeAll(keepingCapacity: true)
    text.append(queue.text.span.extracting(count...))
  }

  /// Exchanges the finished events for an empty queue; text that still grows stays here.
  ///
  /// Nothing happens, and the text need not move, when no event is finished.
  mutating func takeEvents(into taken: inout EventQueue) {
    guard !queue.records.isEmpty else { return }
    taken.removeAll()
    swap(&taken, &queue)
    guard let start = textStart else { return }
    queue.bytes.append(taken.bytes.span.extracting(start...))
    textStart = 0
  }

  private mutating func endText(isLeaf: Bool, line: Int32) {
    guard let start = textStart else { return }
    textStart = nil
    let end = queue.bytes.count
    guard end > start else { return }
    if !isLeaf, !keepsLayout, isBlank(queue.bytes.span.extracting(start..<end)) {
      queue.bytes.removeLast(end - start)
    } else {
      queue.records.append(.init(event: .text, line: line, start: start, end: end))
    }
  }
}

extension EventBuilder {
  /// Where the attributes of a start tag begin.
  struct ElementStart {
    /// In the queue's attributes.
    let attributes: Int
    /// In the queue's bytes.
    let bytes: Int
  }
}

/// Events of a piece of a document, with their names and bytes in flat arrays.
struct EventQueue {
  struct Record {
    var event: XMLEvent
    /// Whether the text and the end of an element come with its start, which has no attributes.
    var isLeaf = false
    /// The line that the parser had reached.
    var line: Int32
    /// Where its attributes start in `attributes`, or its text in `bytes`, or in `text` for a leaf.
    var start: Int
    var end: Int
  }

  /// An attribute: the number of its name, and where its value stands in `bytes`.
  struct Attribute {
    var name: Int
    var start: Int
    var end: Int
  }

  /// The events in their order.
  var records: [Record] = []
  var attributes: [Attribute] = []
  /// The text and the attribute values.
  var bytes: [UInt8] = []
  /// A piece of the document, of which leaves have their text.
  var text: [UInt8] = []

  /// Forgets everything and keeps the memory.
  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
  }
}

/// Finds the number of a name by the addresses that the parser has for it.
///
/// The parser keeps each name once for as long as it lives, so equal addresses mean equal names.
struct NameCache {
  private struct Slot {
    var local: UInt = 0
    var namespace: UInt = 0
    var number = -1
  }

  private var slots = [Slot](repeating: Slot(), count: Self.size)
  private static let size = 512

  /// The number that was stored for a name; nil when another name has displaced it.
  func number(local: UInt, namespace: UInt) -> Int? {
    let slot = slots[Self.place(local, namespace)]
    return slot.local == local && slot.namespace == namespace && slot.number >= 0
      ? slot.number : nil
  }

  mutating func store(_ number: Int, local: UInt, namespace: UInt) {
    slots[Self.place(local, namespace)] = Slot(
      local: local, namespace: namespace, number: number)
  }

  private static func place(_ local: UInt, _ namespace: UInt) -> Int {
    // Names lie close together; the multiplier spreads them, and the mask bounds the place.
    let mixed = (local &+ namespace &* 31) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 40) & (size - 1)
  }
}
