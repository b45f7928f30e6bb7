import Bytes
import Formats

/// Members of a JSON object behind others, for each of which there must be room.
extension ByteRoom {
  /// The room for a member besides its text: its name, signs and what is no text.
  static var memberSize: Int { 48 }

  /// Adds a text that is packed with others, or null.
  @inline(__always)
  mutating func add(_ name: StaticString, _ range: Range<Int>?, of packed: Span<UInt8>) {
    begin(name)
    guard let range else { return append("null") }
    appendJSONString(packed, range)
  }

  /// Adds a text, or null.
  @inline(__always)
  mutating func add(_ name: StaticString, _ text: String?) {
    begin(name)
    guard let text else { return append("null") }
    let bytes = text.utf8Span.span
    appendJSONString(bytes, 0..<bytes.count)
  }

  @inline(__always)
  mutating func add(_ name: StaticString, _ number: Int64) {
    begin(name)
    appendDecimal(number)
  }

  /// Adds true or false.
  @inline(__always)
  mutating func add(_ name: StaticString, _ truth: Bool) {
    begin(name)
    if truth { append("true") } else { append("false") }
  }

  @inline(__always)
  private mutating func begin(_ name: StaticString) {
    append(",\"")
    append(name)
    append("\":")
  }
}

extension Span<UInt8> {
  /// How much room a text takes that is packed in these bytes.
  func jsonStringSize(of range: Range<Int>?) -> Int {
    range.map { Bytes.jsonStringSize(of: extracting($0)) } ?? 0
  }
}
