import Bytes
import Records

/// Which types all values of a column so far can have without losing a character.
struct TypeEvidence {
  /// The types that are still possible.
  private var types: Candidates = .all
  private var isSmall = true
  private var hasNumber = false
  private var hasValue = false
  private var exceptions = TypeExceptions()
  /// The value once more as this tool spells it.
  private var spelled: [UInt8] = []

  /// Takes the value of a row; `isText` says that the format itself calls it a text.
  mutating func add(
    _ text: Span<UInt8>, row: Int, isText: Bool, isContainer: Bool = false
  ) {
    let before = types
    let wasSmall = isSmall
    if isContainer {
      types.formIntersection(.json)
    } else {
      types.remove(.json)
      if types.contains(.boolean), isText || parseBoolean(text, rule: .canonical) == nil {
        types.remove(.boolean)
      }
      if types.contains(.real) { addNumber(text, isText: isText) }
      if types.contains(.timestamp), !isTimestamp(text) { types.remove(.timestamp) }
    }
    let lost = before.subtracting(types)
    if !lost.isEmpty || wasSmall != isSmall {
      let value = TypeExceptions.Value(text, row: row, isText: isText)
      exceptions.add(value, ruledOut: lost, isFirst: !hasValue, isLarge: !isSmall)
    }
    hasValue = true
  }

  /// Takes what was seen of the rows that follow `count` others.
  mutating func add(_ later: TypeEvidence, after count: Int) {
    guard later.hasValue else { return }
    exceptions.add(later.exceptions, after: count, while: types, isFirst: !hasValue)
    if types.contains(.real) {
      hasNumber = hasNumber || later.hasNumber
      isSmall = isSmall && later.isSmall
    }
    types.formIntersection(later.types)
    hasValue = true
  }

  private mutating func addNumber(_ text: Span<UInt8>, isText: Bool) {
    if !isText, isJSONInteger(text), let number = parseDecimal(text) {
      hasNumber = true
      // A double holds whole numbers up to 2^53; others keep the column from being real.
      isSmall = isSmall && number.magnitude <= 1 << 53
      return
    }
    types.remove(.integer)
    guard isReal(text, isText: isText) else {
      types.remove(.real)
      return
    }
    if !isText { hasNumber = true }
  }

  /// The narrowest type that fits every value; text where there is none.
  var type: LogicalType {
    guard hasValue else { return .text }
    if types.contains(.boolean) { return .boolean }
    if types.contains(.integer) { return .integer }
    if types.contains(.real), hasNumber, isSmall { return .real }
    if types.contains(.timestamp) { return .timestamp }
    return types.contains(.json) ? .json : .text
  }

  /// Why the column has its type: the value that is too wide for a narrower one.
  var reason: String {
    guard hasValue else { return "no values" }
    let reason =
      switch type {
      case .real: exceptions.integerReason
      case .text: exceptions.textReason
      default: nil as String?
      }
    return reason ?? "every value fits"
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

/// Types that a column can turn out to have.
struct Candidates: OptionSet {
  let rawValue: UInt8

  static let boolean = Candidates(rawValue: 1)
  static let integer = Candidates(rawValue: 2)
  static let real = Candidates(rawValue: 4)
  static let timestamp = Candidates(rawValue: 8)
  static let json = Candidates(rawValue: 16)
  static let all: Candidates = [.boolean, .integer, .real, .timestamp, .json]
}
