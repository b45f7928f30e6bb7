import Bytes
import Records
import SQLite

extension [UInt8] {
  /// Appends a time so that later ones are greater as text: without its mark and last zeros.
  mutating func append(comparable cell: Cell, type: LogicalType, _ bytes: Span<UInt8>) {
    guard cell.kind == .text else { return }
    let text = bytes.extracting(cell.range)
    let start = count
    if type == .timestamp {
      append(text)
    } else if let time = Timestamp(parsing: text) {
      appendTimestamp(time)
    }
    while count > start, let byte = last, byte == UInt8(ascii: "Z") || byte == UInt8(ascii: "0") {
      removeLast()
    }
  }

  /// Appends the zeros that make the number of a revision, at most eight digits before a hyphen, as
  /// long as any: the tenth revision comes after the ninth.
  private mutating func appendRevision(zeros text: Span<UInt8>) {
    var digits = 0
    while digits < 9, digits < text.count, text[digits] &- UInt8(ascii: "0") < 10 { digits += 1 }
    guard 1...8 ~= digits, digits + 1 < text.count, text[digits] == UInt8(ascii: "-") else {
      return
    }
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 8 - digits))
  }

  /// Appends digits, of which a whole number has no room for the value, so that greater values of up to
  /// forty digits are greater as text; false where there is anything else.
  private mutating func appendLongNumber(_ text: Span<UInt8>) -> Bool {
    var first = 0
    for place in 0..<text.count {
      guard text[place] &- UInt8(ascii: "0") < 10 else { return false }
      if first == place, text[place] == UInt8(ascii: "0") { first += 1 }
    }
    let digits = text.count - first
    guard digits > 0 else { return false }
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(0, 40 - digits)))
    append(text.extracting(first..<text.count))
    return true
  }

  /// Appends a version and tells what it is compared as: the number in a row version of SQL
  /// Server, which is eight bytes in Base64, the number that digits alone are, or else what it is.
  mutating func append(version cell: Cell, _ bytes: Span<UInt8>) -> BoundValue {
    let start = count
    switch cell.kind {
    case .null: return .null
    case .integer: return .integer(cell.integer)
    case .real: return .real(cell.real)
    case .binary:
      append(bytes.extracting(cell.range))
      return .blob(start..<count)
    case .text:
      let text = bytes.extracting(cell.range)
      if text.count == 12, decodeBase64(text, into: &self), count == start + 8 {
        return .blob(start..<count)
      }
      removeSubrange(start...)
      // The tenth change of an item comes after the ninth.
      if text.count > 0, text[0] != UInt8(ascii: "-"), let number = parseDecimal(text) {
        return .integer(number)
      }
      if !appendLongNumber(text) {
        appendRevision(zeros: text)
        append(text)
      }
      return .text(start..<count)
    }
  }
}
