import Bytes
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
}

/// Turns the events of rows into rows.
///
/// A value of its own, so that no event costs a check of who else may be using it.
private struct XMLRowParser {
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
    guard let key = reader.withAttribute(XMLWord.key, { parseDecimal($0) }) ?? nil else {
      throw reader.unexpected("a row has no whole number as its pk")
    }
    for (column, type) in types.enumerated() {
      switch try reader.next() {
      case .startElement(XMLWord.null)?:
        batch.append(Cell.null)
        guard case .endElement? = try reader.next() else {
          throw reader.unexpected("something stands inside the element n")
        }
      case .startElement(XMLWord.value)?:
        try appendValue(to: &batch, column, type, &reader)
      default: throw reader.unexpected("a row has too few values")
      }
    }
    guard try reader.next() == .endElement(XMLWord.row) else {
      throw reader.unexpected("a row has too many values")
    }
    batch.endRow(key: key)
  }

  private mutating func appendValue(
    to batch: inout RecordBatch, _ column: Int, _ type: LogicalType, _ reader: inout XMLReader
  ) throws(XMLError) {
    // Most values are one plain text, which needs no copy.
    guard reader.attributeCount == 0, reader.takeWholeText() else {
      try readValue(&reader)
      return batch.append(spelled: text.span, column: column, type: type, rule: .canonical)
    }
    reader.withText {
      batch.append(spelled: $0, column: column, type: type, rule: .canonical)
    }
    _ = try reader.next()
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
