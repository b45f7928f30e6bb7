import Bytes
import Records

/// How freely the values of an export may be spelled.
enum SpellingRule: Sendable {
  /// Only as this tool writes them: the content hash covers each byte.
  case canonical
  /// Also as other programs write the same value; what has no one meaning is rejected.
  case common
}

extension RecordBatch {
  /// Appends the cell that `text` spells in a column of type `type`, or a reject.
  mutating func append(
    spelled text: Span<UInt8>, column: Int, type: LogicalType, rule: SpellingRule
  ) {
    switch type {
    case .integer, .reference:
      guard isJSONInteger(text), let number = parseDecimal(text) else { break }
      return append(.integer(number))
    case .real:
      guard let number = parseReal(text) else { break }
      return append(.real(number == 0 ? 0 : number))
    case .boolean:
      guard let isTrue = parseBoolean(text, rule: rule) else { break }
      return append(.integer(isTrue ? 1 : 0))
    case .timestamp:
      if appendTimestamp(text, rule: rule) { return }
    case .binary:
      var bytes: [UInt8] = []
      guard decodeBase64(text, into: &bytes) else { break }
      return appendBinary(bytes.span)
    case .decimal:
      guard rule == .canonical || parseReal(text)?.isFinite == true else { break }
      return appendText(text)
    case .text, .uuid, .uri, .json:
      return appendText(text)
    }
    reject(column: column, code: .valueOfWrongType, raw: .text(copy(of: text)))
  }

  private mutating func appendTimestamp(_ text: Span<UInt8>, rule: SpellingRule) -> Bool {
    guard
      let time = rule == .canonical
        ? Timestamp(parsing: text) : Timestamp(parsingLeniently: text)
    else { return false }
    if rule == .canonical {
      appendText(text)
    } else {
      appendText { $0.appendTimestamp(time) }
    }
    return true
  }
}

/// The bytes of a span.
func copy(of text: Span<UInt8>) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.append(text)
  return bytes
}

/// Reads `true` or `false`; the common rule also takes `1` and `0`.
func parseBoolean(_ text: Span<UInt8>, rule: SpellingRule) -> Bool? {
  switch text.count {
  case 4 where text.isEqual(to: "true"): true
  case 5 where text.isEqual(to: "false"): false
  case 1 where rule == .common && text[0] == UInt8(ascii: "1"): true
  case 1 where rule == .common && text[0] == UInt8(ascii: "0"): false
  default: nil
  }
}

/// Whether text is a whole number in its one spelling: no plus sign, no needless zero.
func isJSONInteger(_ text: Span<UInt8>) -> Bool {
  let start = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
  guard start < text.count else { return false }
  if text[start] == UInt8(ascii: "0") { return text.count == 1 }
  for place in start..<text.count where text[place] &- 48 > 9 { return false }
  return true
}
