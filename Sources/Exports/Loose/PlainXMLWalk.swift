import Bytes
import XMLFormat

/// Walks through plain XML: a root, an element for each row, and columns as elements or attributes.
///
/// Anything deeper is refused. What a namespace adds to a name is left out.
struct PlainXMLWalk {
  /// A column's value in one row.
  struct Cell {
    var name: [UInt8] = []
    /// Whether the element says `xsi:nil`.
    var isNull = false
    var text: [UInt8] = []
    var line = 0

    func error(_ reason: String) -> XMLError { XMLError(.unexpected, line: line, reason) }

    /// That it is of a column which nobody has met before.
    var isStrange: XMLError { error("a row has a column that its table does not have") }
  }

  private static let schemaInstance = "{http://www.w3.org/2001/XMLSchema-instance}"
  private static let ofXML = "{http://www.w3.org/XML/1998/namespace}"
  private static let shape = "plain XML is a root, rows in it, and columns in those"
  private var isInside = false
  /// The attributes of the root that say something, with their values.
  private(set) var rootAttributes: [(name: [UInt8], text: [UInt8])] = []
  private var cell = Cell()
  /// The names without namespaces, by their numbers.
  private var names: [[UInt8]] = []

  /// Goes on to the start of the next row.
  ///
  /// - Returns: the name of its element; nil at the end of the document.
  mutating func nextRow(_ reader: inout XMLReader) throws(XMLError) -> [UInt8]? {
    if !isInside {
      if case .startElement(let root)? = try reader.next(), reader.names[root] == "plist" {
        throw reader.unexpected("it is a property list, which holds no rows")
      }
      readRootAttributes(reader)
      isInside = true
    }
    while let event = try reader.next() {
      switch event {
      case .startElement(let number): return name(number, reader)
      case .text:
        guard reader.hasBlankText else {
          throw reader.unexpected("text stands where a row must be; \(Self.shape)")
        }
      case .endElement: continue
      }
    }
    return nil
  }

  /// Lends the cells of the row whose start was reached, and goes on to its end.
  mutating func readCells(
    _ reader: inout XMLReader, _ body: (Cell) throws(XMLError) -> Void
  ) throws(XMLError) {
    try readAttributes(reader, body)
    while let event = try reader.next() {
      switch event {
      case .startElement(let number):
        try readElement(number, &reader)
        try body(cell)
      case .text:
        guard reader.hasBlankText else {
          throw reader.unexpected("text stands where a column must be; \(Self.shape)")
        }
      case .endElement: return
      }
    }
  }

  private mutating func readAttributes(
    _ reader: borrowing XMLReader, _ body: (Cell) throws(XMLError) -> Void
  ) throws(XMLError) {
    for index in 0..<reader.attributeCount {
      let number = reader.attributeName(at: index)
      cell.name = name(number, reader)
      cell.isNull = false
      cell.line = reader.line
      cell.text.removeAll(keepingCapacity: true)
      reader.withAttribute(number) { cell.text.append($0) }
      try body(cell)
    }
  }

  private mutating func readRootAttributes(_ reader: borrowing XMLReader) {
    for index in 0..<reader.attributeCount {
      let number = reader.attributeName(at: index)
      let full = reader.names[number]
      // Where the schema is, and in which language, is nothing of anybody's.
      guard !full.hasPrefix(Self.schemaInstance), !full.hasPrefix(Self.ofXML) else { continue }
      var text: [UInt8] = []
      reader.withAttribute(number) { text.append($0) }
      rootAttributes.append((name(number, reader), text))
    }
  }

  private mutating func readElement(
    _ number: Int, _ reader: inout XMLReader
  ) throws(XMLError) {
    cell.name = name(number, reader)
    cell.line = reader.line
    cell.isNull = try isNil(reader)
    cell.text.removeAll(keepingCapacity: true)
    while let event = try reader.next() {
      switch event {
      case .text: reader.appendText(to: &cell.text)
      case .endElement:
        guard !cell.isNull || cell.text.isEmpty else {
          throw reader.unexpected("a column that is nil has a value")
        }
        return
      case .startElement:
        throw reader.unexpected("an element stands inside a column; \(Self.shape)")
      }
    }
  }

  /// Whether a column says that it has no value, the only attribute that it may have.
  private func isNil(_ reader: borrowing XMLReader) throws(XMLError) -> Bool {
    var isNil = false
    for index in 0..<reader.attributeCount {
      let number = reader.attributeName(at: index)
      guard reader.names[number] == Self.schemaInstance + "nil" else {
        throw reader.unexpected("a column has an attribute other than xsi:nil")
      }
      let value = reader.withAttribute(number) { Self.truthValue($0) } ?? nil
      guard let value else { throw reader.unexpected("xsi:nil is neither true nor false") }
      isNil = value
    }
    return isNil
  }

  /// What XML Schema takes for a truth value, in which white space at both ends says nothing.
  private static func truthValue(_ text: Span<UInt8>) -> Bool? {
    var range = 0..<text.count
    while let first = range.first, isBlank(text[first]) { range.removeFirst() }
    while let last = range.last, isBlank(text[last]) { range.removeLast() }
    let word = text.extracting(range)
    if word.isEqual(to: "true") || word.isEqual(to: "1") { return true }
    return word.isEqual(to: "false") || word.isEqual(to: "0") ? false : nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private mutating func name(_ number: Int, _ reader: borrowing XMLReader) -> [UInt8] {
    while names.count <= number {
      let name = reader.names[names.count]
      let local = name.lastIndex(of: "}").map { name[name.index(after: $0)...] } ?? name[...]
      names.append(Array(local.utf8))
    }
    return names[number]
  }
}
