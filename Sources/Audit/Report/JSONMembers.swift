import Bytes

/// Members of a JSON object behind others, for each of which there must be room.
extension ByteRoom {
  /// The room for a member besides a text: its name, signs, and a number or a word.
  static var memberSize: Int { 48 }

  /// Adds a text that is packed with others, or null.
  @inline(__always)
  mutating func add(_ name: StaticString, _ range: Range<Int>?, of packed: Span<UInt8>) {
    begin(name)
    guard let range else { return append("null") }
    appendJSONString(packed, range)
  }

  /// Adds a short word of the tool's own, for which the member's room is enough, or null.
  @inline(__always)
  mutating func add(_ name: StaticString, word: String?) {
    begin(name)
    guard let word else { return append("null") }
    let bytes = word.utf8Span.span
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
  /// How much room some members take, of which one or two are texts that are packed in these bytes.
  func room(forMembers count: Int, _ first: Range<Int>?, _ second: Range<Int>? = nil) -> Int {
    count * ByteRoom.memberSize + jsonSize(of: first) + jsonSize(of: second)
  }

  private func jsonSize(of range: Range<Int>?) -> Int {
    range.map { jsonStringSize(of: extracting($0)) } ?? 0
  }
}
