/// Events of a piece of a document, with their names and bytes in flat arrays.
struct EventQueue {
  /// An event and what belongs to it.
  struct Record {
    var event: XMLEvent
    /// The line that the parser had reached.
    var line: Int32
    /// Where its attributes start in `attributes`, or its text in `bytes`.
    var start: Int
    /// Where they end.
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
  /// The attributes of all elements.
  var attributes: [Attribute] = []
  /// The text and the attribute values.
  var bytes: [UInt8] = []

  /// Forgets everything and keeps the memory.
  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}
