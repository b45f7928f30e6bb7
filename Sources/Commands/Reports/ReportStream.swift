import CommandLineKit
import Records

/// A JSON object that is written as it comes, so that its lists are never held as a whole.
struct ReportStream {
  private let write: ([UInt8]) throws(StoreError) -> Void
  /// What comes before the next member.
  private var start = "{\n"
  private var isListEmpty = true

  init(_ write: @escaping ([UInt8]) throws(StoreError) -> Void) {
    self.write = write
  }

  private func put(_ text: String) throws(StoreError) { try write(Array(text.utf8)) }

  private mutating func begin(_ name: String) throws(StoreError) {
    try put(start + "  \"\(name)\": ")
    start = ",\n"
  }

  mutating func addMembers(_ members: KeyValuePairs<String, ReportJSON>) throws(StoreError) {
    for (name, value) in members {
      try begin(name)
      try put(value.compactText)
    }
  }

  /// Adds a list of which each element has a line; of what has no JSON there is none.
  mutating func addList<Elements: Sequence>(
    _ name: String, linesOf elements: Elements,
    _ json: (Elements.Element) throws(StoreError) -> ReportJSON?
  ) throws(StoreError) {
    try begin(name)
    try put("[")
    var separator = "\n    "
    for element in elements {
      guard let line = try json(element) else { continue }
      try put(separator + line.compactText)
      separator = ",\n    "
    }
    try put("\n  ]")
  }

  /// Begins a list whose elements come one by one.
  mutating func beginList(_ name: String) throws(StoreError) {
    try begin(name)
    try put("[")
    isListEmpty = true
  }

  /// Adds an element to the list that was begun, as it would look had all been printed at once.
  mutating func addElement(_ element: ReportJSON) throws(StoreError) {
    try put((isListEmpty ? "\n" : ",\n") + "    ")
    try element.writePretty(depth: 2, put)
    isListEmpty = false
  }

  func endList() throws(StoreError) { try put(isListEmpty ? "]" : "\n  ]") }

  /// Ends the object.
  func finish() throws(StoreError) { try put("\n}\n") }
}
