import Bytes
package import SQLite

/// What became of a value on its way into a column.
package enum ColumnValue {
  case taken(BoundValue)
  /// The column has no room for all of it.
  case changed(BoundValue)
  /// It is not of the column's type.
  case rejected

  /// A spelled decimal as a column keeps it that holds numbers, of which about 15 digits are certain.
  package init(numberOf text: Span<UInt8>) {
    if let whole = parseDecimal(text) {
      self = .taken(.integer(whole))
      return
    }
    guard let number = parseReal(text), number.isFinite else {
      self = .rejected
      return
    }
    var shortest: [UInt8] = []
    shortest.appendReal(number)
    let isSame = Self.significantDigits(of: text) == Self.significantDigits(of: shortest.span)
    self = isSame ? .taken(.real(number)) : .changed(.real(number))
  }

  /// The digits of a spelled number without zeros at either end, and without its exponent.
  private static func significantDigits(of text: Span<UInt8>) -> ArraySlice<UInt8> {
    var digits: [UInt8] = []
    for place in text.indices {
      if text[place] | 0x20 == UInt8(ascii: "e") { break }
      if text[place] &- 0x30 < 10 { digits.append(text[place]) }
    }
    while digits.last == 0x30 { digits.removeLast() }
    return digits.drop { $0 == 0x30 }
  }
}
