/// A JSON number as its exact source text, so that no digit is lost.
package struct JSONNumber: Sendable {
  /// The text, spelled as RFC 8259 allows.
  package let text: String

  /// Keeps text that is already known to be a JSON number.
  init(verified text: String) {
    self.text = text
  }

  /// Takes text that is a JSON number and nothing else; nil for other text.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    var scanner = JSONScanner()
    guard let first = bytes.first, first == UInt8(ascii: "-") || first.isASCIIDigit,
      // Text that is no number is the caller's nil.
      let number = try? scanner.number(in: bytes.span), scanner.offset == bytes.count
    else { return nil }
    self = number
  }

  /// Spells an integer.
  package init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// Spells a finite number with the fewest digits that read back to it; nil for other numbers.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// The value of an integer without fraction and exponent that fits 64 bits.
  package var integer: Int64? { Int64(text) }

  /// The nearest double, or nil where the number is too large for one.
  package var real: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

extension JSONNumber: Equatable {
  /// Whether both are spelled the same; `1.0` and `1` differ.
  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    hasSameBytes(left.text, right.text)
  }
}
