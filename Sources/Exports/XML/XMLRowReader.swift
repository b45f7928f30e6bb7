import Bytes
import Formats
import Records
import XMLFormat

/// Reads rows that are XML elements, up to the element that ends their table.
final class XMLRowReader: ExportRows {
  private let tokens: XMLTokens
  private var parser: XMLRowParser

  /// Reads the rows of a table; `first` is the event that the parser has reached.
  init(_ tokens: XMLTokens, table: Table, first: XMLEvent?) {
    self.tokens = tokens
    parser = XMLRowParser(types: table.columns.map(\.type), pending: first)
  }

  var position: String { tokens.position }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    try tokens.withReader { (reader) throws(XMLError) in
      try parser.fill(&batch, from: &reader)
    }
  }

  /// Turns the events of rows into rows.
  ///
  /// A value of its own, so that no event costs a check of who else may be using it.
  fileprivate struct XMLRowParser {
    let types: [LogicalType]
    var pending: XMLEvent?
    private var text: [UInt8] = []

    init(types: [LogicalType], pending: XMLEvent?) {
      self.types = types
      self.pending = pending
    }

    mutating func fill(
      _ batch: inout RecordBatch, from reader: inout XMLReader
    ) throws(XMLError) -> Bool {
      while !batch.isFull {
        if pending == nil { pending = try reader.next() }
        let event = pending
        if event == .startElement(XMLWord.end) { return false }
        guard event == .startElement(XMLWord.row) else {
          throw reader.unexpected("a row or the end of the table is missing")
        }
        try appendRow(to: &batch, &reader)
        pending = nil
      }
      return true
    }

    private mutating func appendRow(
      to batch: inout RecordBatch, _ reader: inout XMLReader
    ) throws(XMLError) {
      let found = reader.withAttribute(XMLWord.key) { isJSONInteger($0) ? parseDecimal($0) : nil }
      guard let key = found ?? nil else {
        throw reader.unexpected("a row has no whole number as its pk")
      }
      for (column, type) in types.enumerated() {
        // Most values are one plain text, which needs no copy.
        if reader.takeLeaf(XMLWord.value) {
          reader.withText {
            batch.append(spelled: $0, column: column, type: type, rule: .canonical)
          }
          continue
        }
        switch try reader.next() {
        case .startElement(XMLWord.null)?:
          batch.append(Cell.null)
          guard case .endElement? = try reader.next() else {
            throw reader.unexpected("something stands inside the element n")
          }
        case .startElement(XMLWord.value)?:
          try readValue(&reader)
          batch.append(spelled: text.span, column: column, type: type, rule: .canonical)
        default: throw reader.unexpected("a row has too few values")
        }
      }
      guard try reader.next() == .endElement(XMLWord.row) else {
        throw reader.unexpected("a row has too many values")
      }
      batch.endRow(key: key)
    }

    private mutating func readValue(_ reader: inout XMLReader) throws(XMLError) {
      let encoding = reader.withAttribute(XMLWord.encoding) { $0.isEqual(to: "base64") }
      text.removeAll(keepingCapacity: true)
      try reader.readText(into: &text)
      guard let encoding else { return }
      var bytes: [UInt8] = []
      guard encoding, decodeBase64(text.span, into: &bytes), isValidUTF8(bytes.span)
      else { throw reader.unexpected("a value is no base64 of a text") }
      text = bytes
    }
  }
}

/// The words of XML exports, by the numbers that the parser gives them.
enum XMLWord {
  static let all = words + BookkeepingTable.allCases.map(\.rawValue)
  private static let words = [
    "rehome", "source", "table", "column", "row", "v", "n", "end", "finding", "file", "pk", "e",
    "fact", "device", "evidence",
  ]
  static let rehome = 0
  static let source = 1
  static let table = 2
  static let column = 3
  static let row = 4
  static let value = 5
  static let null = 6
  static let end = 7
  static let finding = 8
  static let file = 9
  static let key = 10
  static let encoding = 11
  static let fact = 12
  static let device = 13
  static let evidence = 14

  static func place(of part: BookkeepingTable) -> Int {
    words.count + (BookkeepingTable.allCases.firstIndex(of: part) ?? 0)
  }
}

/// An XML file that is being read, shared by what reads its parts; errors name the file.
final class XMLTokens {
  let path: String
  private var reader: XMLReader

  init(path: String, stream: ByteStream) throws(StoreError) {
    self.path = path
    var options = XMLOptions()
    options.limits.textBytes = InputLimits.current.valueBytes
    options.allowsHugeValues = true
    do {
      let source = StreamAhead(stream: stream)
      reader = try XMLReader(
        names: XMLWord.all, options: options,
        readingAhead: { buffer in _ = try source.stream.read(into: &buffer) })
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// A stream on its way to the thread of the parser.
  ///
  /// Sendable because that thread alone reads it; who asks for its hash does so when the reader has
  /// told of the end, after which the thread no longer touches it.
  private struct StreamAhead: @unchecked Sendable {
    let stream: ByteStream
  }

  var position: String { "line \(reader.line)" }

  /// Lends the reader for many events.
  func withReader<Value>(
    _ body: (inout XMLReader) throws(XMLError) -> Value
  ) throws(StoreError) -> Value {
    do { return try body(&reader) } catch { throw StoreError(error, path: path) }
  }

  func next() throws(StoreError) -> XMLEvent? {
    do { return try reader.next() } catch { throw StoreError(error, path: path) }
  }

  func skipElement() throws(StoreError) {
    do { try reader.skipElement() } catch { throw StoreError(error, path: path) }
  }

  /// The next event, which must end an element.
  func expectEnd(_ what: String) throws(StoreError) {
    guard case .endElement? = try next() else {
      throw unexpected("something stands inside the element \(what)")
    }
  }

  /// An attribute, which must be there.
  func attribute(_ name: String) throws(StoreError) -> String {
    guard let text = try optionalAttribute(name) else {
      throw unexpected("the attribute \(name) is missing")
    }
    return text
  }

  /// An attribute that is a whole number in its one spelling.
  func wholeNumber(_ name: String) throws(StoreError) -> Int64 {
    let digits = Array(try attribute(name).utf8)
    guard isJSONInteger(digits.span), let number = parseDecimal(digits.span) else {
      throw unexpected("the attribute \(name) is no whole number")
    }
    return number
  }

  /// An attribute that is true or false.
  func flag(_ name: String) throws(StoreError) -> Bool {
    let word = Array(try attribute(name).utf8)
    guard let value = parseBoolean(word.span, rule: .canonical) else {
      throw unexpected("the attribute \(name) is neither true nor false")
    }
    return value
  }

  /// An attribute, also one that is told in base64.
  func optionalAttribute(_ name: String) throws(StoreError) -> String? {
    if let text = reader.attribute(name) { return text }
    guard let text = reader.attribute(name + "-base64") else { return nil }
    var bytes: [UInt8] = []
    let digits = Array(text.utf8)
    guard decodeBase64(digits.span, into: &bytes), isValidUTF8(bytes.span) else {
      throw unexpected("the attribute \(name)-base64 is no base64 of a text")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An error at the current event.
  func unexpected(_ message: String) -> StoreError {
    StoreError(reader.unexpected(message), path: path)
  }
}
