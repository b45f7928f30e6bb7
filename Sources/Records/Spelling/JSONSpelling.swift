import Bytes

extension [UInt8] {
  /// Appends a cell as JSON; `type` is its column's, and the bytes lie in `arena`.
  package mutating func appendJSON(_ cell: Cell, type: LogicalType, arena: Span<UInt8>) {
    switch cell.kind {
    case .null:
      append("null")
    case .integer:
      if type == .boolean {
        append(cell.integer != 0 ? "true" : "false")
      } else {
        appendDecimal(cell.integer)
      }
    case .real:
      appendJSONReal(cell.real)
    case .text:
      appendJSONText(arena.extracting(cell.range), type: type)
    case .binary:
      append(UInt8(ascii: "\""))
      appendBase64(arena.extracting(cell.range))
      append(UInt8(ascii: "\""))
    }
  }

  /// Texts of these types are made of digits, letters and punctuation that JSON never escapes.
  @inline(__always)
  private mutating func appendJSONText(_ text: Span<UInt8>, type: LogicalType) {
    switch type {
    case .timestamp, .decimal:
      append(UInt8(ascii: "\""))
      append(text)
      append(UInt8(ascii: "\""))
    default:
      Bytes.appendJSONString(text, to: &self)
    }
  }

  /// A finite number, or an infinity as a string.
  private mutating func appendJSONReal(_ value: Double) {
    let isFinite = value.isFinite
    if !isFinite { append(UInt8(ascii: "\"")) }
    appendReal(value)
    if !isFinite { append(UInt8(ascii: "\"")) }
  }
}
