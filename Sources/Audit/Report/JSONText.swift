import Bytes
import Formats
import Records

/// JSON text that is written member by member into a buffer.
struct JSONText {
  var bytes: [UInt8] = []
  private var needsComma = false

  /// Nothing yet.
  init() {}

  /// Takes over what was written of a list, of which the first element has no comma before it.
  init(continuing bytes: inout [UInt8], isFirst: Bool) {
    swap(&self.bytes, &bytes)
    needsComma = !isFirst
  }

  /// Opens an object or array: `{` or `[`.
  mutating func open(_ bracket: Unicode.Scalar, _ name: StaticString? = nil) {
    begin(name)
    bytes.append(UInt8(ascii: bracket))
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

  /// Appends text or null.
  mutating func add(_ name: StaticString? = nil, _ text: String?) {
    begin(name)
    defer { needsComma = true }
    guard let text else { return bytes.append("null") }
    bytes.appendJSONString(text.utf8Span.span)
  }

  /// Appends a whole number or null.
  mutating func add(_ name: StaticString? = nil, _ number: Int64?) {
    begin(name)
    defer { needsComma = true }
    guard let number else { return bytes.append("null") }
    bytes.appendDecimal(number)
  }

  /// Appends true or false.
  mutating func add(_ name: StaticString, _ truth: Bool) {
    begin(name)
    bytes.append(truth ? "true" : "false")
    needsComma = true
  }

  /// Appends JSON that comes from a store: as it is when it is JSON, otherwise as a string.
  mutating func add(_ name: StaticString, json: [UInt8]?) {
    begin(name)
    defer { needsComma = true }
    guard let json else { return bytes.append("null") }
    // Text that does not parse is shown, only not as structure.
    if (try? JSONValue(parsing: json.span)) != nil {
      bytes.append(contentsOf: json)
    } else {
      let text = Array(String(decoding: json, as: UTF8.self).utf8)
      bytes.appendJSONString(text.span)
    }
  }

  /// Appends JSON that this tool has spelled.
  mutating func add(_ name: StaticString, trusted json: [UInt8]) {
    begin(name)
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Appends a value, null where there is none.
  mutating func add(_ name: StaticString, _ value: JSONValue?) {
    begin(name)
    (value ?? .null).append(to: &bytes)
    needsComma = true
  }

  private mutating func begin(_ name: StaticString?) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
    guard let name else { return }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(name)
    bytes.append("\":")
  }
}
