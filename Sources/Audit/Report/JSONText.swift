import Bytes
import Formats
import Records

/// JSON text that is written member by member into a buffer.
struct JSONText {
  var bytes: [UInt8] = []
  private var needsComma = false

  init() {}

  /// Takes over what was written of a list, of which the first element has no comma before it.
  init(continuing bytes: inout [UInt8], isFirst: Bool) {
    swap(&self.bytes, &bytes)
    needsComma = !isFirst
  }

  /// Opens an object or array: `{` or `[`.
  mutating func open(_ bracket: Unicode.Scalar, _ name: StaticString? = nil) {
    append(name, room: 1) { $0.append(UInt8(ascii: bracket)) }
    needsComma = false
  }

  /// Closes an object or array.
  mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  /// Begins a line, so that a large report stays readable and comparable.
  mutating func breakLine() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func add(_ name: StaticString? = nil, _ text: String?) {
    guard let text else { return addNull(name) }
    add(name, text.utf8Span.span)
  }

  /// Appends a text that is packed with others, or null.
  mutating func add(_ name: StaticString, _ range: Range<Int>?, of packed: Span<UInt8>) {
    guard let range else { return addNull(name) }
    add(name, packed.extracting(range))
  }

  private mutating func add(_ name: StaticString?, _ text: Span<UInt8>) {
    append(name, room: jsonStringSize(of: text)) { $0.appendJSONString(text) }
  }

  mutating func add(_ name: StaticString? = nil, _ number: Int64?) {
    guard let number else { return addNull(name) }
    append(name, room: decimalSize) { $0.appendDecimal(number) }
  }

  /// Appends true or false.
  mutating func add(_ name: StaticString, _ truth: Bool) {
    append(name, room: 5) { $0.append(truth ? "true" : "false") }
  }

  /// Appends JSON that comes from a store: as it is when it is JSON, otherwise as a string.
  mutating func add(_ name: StaticString, json: Span<UInt8>) {
    // Text that does not parse is shown, only not as structure.
    guard !isJSON(json) else { return add(name, trusted: json) }
    add(name, String(decoding: [UInt8](copying: json), as: UTF8.self))
  }

  /// Appends JSON that comes from a store, or null.
  mutating func add(_ name: StaticString, json: [UInt8]?) {
    guard let json else { return addNull(name) }
    add(name, json: json.span)
  }

  /// Appends JSON that this tool has spelled.
  mutating func add(_ name: StaticString, trusted json: Span<UInt8>) {
    append(name, room: json.count) { $0.append(json) }
  }

  /// Appends a value, null where there is none.
  mutating func add(_ name: StaticString, _ value: JSONValue?) {
    append(name, room: 0) { _ in }
    (value ?? .null).append(to: &bytes)
  }

  /// Appends members that are not the first of their object, in room made once for all of them.
  mutating func addMembers(upTo size: Int, _ write: (inout ByteRoom) -> Void) {
    bytes.append(roomFor: size, write)
    needsComma = true
  }

  mutating func addNull(_ name: StaticString?) {
    append(name, room: 4) { $0.append("null") }
  }

  /// Appends a comma where one is due, a name, and what `write` has room for; all in one go.
  @inline(__always)
  private mutating func append(
    _ name: StaticString?, room: Int, _ write: (inout OutputSpan<UInt8>) -> Void
  ) {
    let size = room &+ (name?.utf8CodeUnitCount ?? 0) &+ 4
    bytes.append(addingCapacity: size) { output in
      if needsComma { output.append(UInt8(ascii: ",")) }
      if let name {
        output.append(UInt8(ascii: "\""))
        output.append(name)
        output.append("\":")
      }
      write(&output)
    }
    needsComma = true
  }
}
