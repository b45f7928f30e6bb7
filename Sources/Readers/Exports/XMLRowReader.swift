import Bytes
import Records
import XMLFormat

/// Reads rows that are XML elements, up to the element that ends their table.
final class XMLRowReader: ExportRows {
  private let tokens: XMLTokens
  private let types: [LogicalType]
  private var pending: XMLEvent?
  private var text: [UInt8] = []

  /// Reads the rows of a table; `first` is the event that the parser has reached.
  init(_ tokens: XMLTokens, table: Table, first: XMLEvent?) {
    self.tokens = tokens
    types = table.columns.map(\.type)
    pending = first
  }

  var position: String { tokens.position }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    while !batch.isFull {
      if pending == nil { pending = try tokens.next() }
      let event = pending
      if event == .startElement(XMLWord.end) { return false }
      guard event == .startElement(XMLWord.row) else {
        throw tokens.unexpected("a row or the end of the table is missing")
      }
      try appendRow(to: &batch)
      pending = nil
    }
    return true
  }

  private func appendRow(to batch: inout RecordBatch) throws(StoreError) {
    guard let key = tokens.withAttribute(XMLWord.key, { parseDecimal($0) }) ?? nil else {
      throw tokens.unexpected("a row has no whole number as its pk")
    }
    for (column, type) in types.enumerated() {
      switch try tokens.next() {
      case .startElement(XMLWord.null)?:
        batch.append(Cell.null)
        try tokens.expectEnd("n")
      case .startElement(XMLWord.value)?:
        try readValue()
        batch.append(spelled: text.span, column: column, type: type, rule: .canonical)
      default: throw tokens.unexpected("a row has too few values")
      }
    }
    guard try tokens.next() == .endElement(XMLWord.row) else {
      throw tokens.unexpected("a row has too many values")
    }
    batch.endRow(key: key)
  }

  private func readValue() throws(StoreError) {
    let encoding = tokens.withAttribute(XMLWord.encoding) {
      String(decoding: copy(of: $0), as: UTF8.self)
    }
    text.removeAll(keepingCapacity: true)
    try tokens.readText(into: &text)
    guard let encoding else { return }
    var bytes: [UInt8] = []
    guard encoding == "base64", decodeBase64(text.span, into: &bytes), isValidUTF8(bytes.span)
    else { throw tokens.unexpected("a value is no base64 of a text") }
    text = bytes
  }
}
