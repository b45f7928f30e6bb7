import Bytes
import Records

/// Which types all values of a column so far can have without losing a character.
struct TypeEvidence {
  private var isBoolean = true
  private var isInteger = true
  private var isReal = true
  private var isTimestamp = true
  private var isContainer = true
  private var isSmall = true
  private var hasNumber = false
  private var hasValue = false
  /// The value once more as this tool spells it.
  private var spelled: [UInt8] = []

  /// Takes one value; `isText` says that the format itself calls it a text.
  mutating func add(_ text: Span<UInt8>, isText: Bool, isContainer: Bool = false) {
    hasValue = true
    self.isContainer = self.isContainer && isContainer
    guard !isContainer else {
      isBoolean = false
      isInteger = false
      isReal = false
      isTimestamp = false
      return
    }
    if isBoolean { isBoolean = !isText && parseBoolean(text, rule: .canonical) != nil }
    if isReal { addNumber(text, isText: isText) } else { isInteger = false }
    if isTimestamp { isTimestamp = isTimestamp(text) }
  }

  private mutating func addNumber(_ text: Span<UInt8>, isText: Bool) {
    if !isText, isJSONInteger(text), let number = parseDecimal(text) {
      hasNumber = true
      // A double holds whole numbers up to 2^53; others keep the column from being real.
      isSmall = isSmall && number.magnitude <= 1 << 53
      return
    }
    isInteger = false
    isReal = isReal(text, isText: isText)
    if isReal, !isText { hasNumber = true }
  }

  /// The narrowest type that fits every value; text where there is none.
  var type: LogicalType {
    guard hasValue else { return .text }
    if isBoolean { return .boolean }
    if isInteger { return .integer }
    if isReal, hasNumber, isSmall { return .real }
    if isTimestamp { return .timestamp }
    return isContainer ? .json : .text
  }

  private mutating func isReal(_ text: Span<UInt8>, isText: Bool) -> Bool {
    guard let number = parseReal(text), !isText || !number.isFinite else { return false }
    spelled.removeAll(keepingCapacity: true)
    spelled.appendReal(number)
    return text.isEqual(to: spelled.span)
  }

  private mutating func isTimestamp(_ text: Span<UInt8>) -> Bool {
    guard let time = Timestamp(parsing: text) else { return false }
    spelled.removeAll(keepingCapacity: true)
    spelled.appendTimestamp(time)
    return text.isEqual(to: spelled.span)
  }
}
