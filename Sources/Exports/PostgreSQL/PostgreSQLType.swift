import Bytes
import Formats
import Records

/// The types of PostgreSQL, and which values they hold exactly.
enum PostgreSQLType: String {
  case text
  case bigint
  case double = "double precision"
  case boolean
  case timestamp = "timestamptz"
  case numeric
  case uuid
  case binary = "bytea"
  case json

  init(_ type: LogicalType) {
    switch type {
    case .text, .uri: self = .text
    case .integer, .reference: self = .bigint
    case .real: self = .double
    case .boolean: self = .boolean
    case .timestamp: self = .timestamp
    case .decimal: self = .numeric
    case .uuid: self = .uuid
    case .binary: self = .binary
    case .json: self = .json
    }
  }

  /// Whether a text without NUL comes back from the server as it was.
  func holds(_ text: Span<UInt8>) -> Bool {
    switch self {
    case .text: true
    case .timestamp: Self.isTimestamp(text)
    case .numeric: Self.isNumeric(text)
    case .uuid: isUUID(text)
    case .json: isJSON(text)
    case .bigint, .double, .boolean, .binary: true
    }
  }

  /// The expression that spells a column of the type as the canonical text, in a letter case where it
  /// has letters.
  func canonicalText(_ column: String, _ letters: LetterCases) -> String {
    switch self {
    case .timestamp:
      """
      to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.') || CASE WHEN \
      (extract(microseconds FROM \(column))::bigint % 1000) = 0 THEN \
      to_char(\(column) AT TIME ZONE 'UTC', 'MS') ELSE \
      to_char(\(column) AT TIME ZONE 'UTC', 'US') || '000' END || 'Z'
      """
    case .uuid where letters == .upper: "upper(\(column)::text)"
    default: "\(column)::text"
    }
  }

  /// The server keeps six digits of a second, and gives back three where those behind are zeros.
  private static func isTimestamp(_ text: Span<UInt8>) -> Bool {
    if text.count == 24 { return true }
    guard text.count == 30 else { return false }
    for place in 26..<29 where text[place] != UInt8(ascii: "0") { return false }
    return (23..<26).contains { text[$0] != UInt8(ascii: "0") }
  }

  /// The server keeps digits behind the point, but neither signs nor zeros that mean nothing.
  private static func isNumeric(_ text: Span<UInt8>) -> Bool {
    var place = 0
    if text.count > 0, text[0] == UInt8(ascii: "-") { place = 1 }
    let start = place
    var point: Int?
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case UInt8(ascii: ".") where point == nil: point = place
      default: return false
      }
      place += 1
    }
    let whole = (point ?? text.count) - start
    let fraction = point.map { text.count - $0 - 1 }
    guard whole > 0, whole <= 131_072, fraction != 0, fraction ?? 0 <= 16_383 else { return false }
    if whole > 1, text[start] == UInt8(ascii: "0") { return false }
    return start == 0 || hasDigitAboveZero(text)
  }

  private static func hasDigitAboveZero(_ text: Span<UInt8>) -> Bool {
    for place in 0..<text.count where text[place] > UInt8(ascii: "0") { return true }
    return false
  }
}
