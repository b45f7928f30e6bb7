import Bytes
import Records

/// A member of a JSON row: what kind of value it has, and where its text lies.
enum JSONCell: Equatable {
  case absent
  case null
  case boolean(Range<Int>)
  case number(Range<Int>)
  case string(Range<Int>)
  case container(Range<Int>)

  /// Where the text lies; nil without a value.
  var range: Range<Int>? {
    switch self {
    case .absent, .null: nil
    case .boolean(let range), .number(let range), .string(let range), .container(let range): range
    }
  }

  var isNumber: Bool { if case .number = self { true } else { false } }
  var isString: Bool { if case .string = self { true } else { false } }
  var isContainer: Bool { if case .container = self { true } else { false } }

  /// Whether such a value may stand for one of the type.
  func fits(_ type: LogicalType, rule: SpellingRule, text: Span<UInt8>) -> Bool {
    // Other values would be texts that are none, and base64 by chance.
    if rule == .common { return type != .binary || isString }
    switch (self, type) {
    case (.boolean, .boolean), (.number, .integer), (.number, .reference), (.number, .real):
      return true
    case (.string, .real): return text.count >= 8
    case (.string, .boolean), (.string, .integer), (.string, .reference): return false
    case (.string, _): return true
    default: return false
    }
  }
}
