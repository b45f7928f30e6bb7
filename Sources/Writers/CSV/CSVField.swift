import Bytes
import Formats

/// The byte that a safe file puts before a field which a spreadsheet might take for a formula.
private let marker = UInt8(ascii: "'")

extension [UInt8] {
  /// Appends text as a field of RFC 4180; it has quotes when it is empty or needs them.
  @inline(__always)
  mutating func appendCSV(_ text: Span<UInt8>, isSafe: Bool) {
    if isSafe, isFormulaLike(text) {
      var marked = [marker]
      marked.append(text)
      appendCSV(marked.span)
    } else {
      appendCSV(text)
    }
  }

  private mutating func appendCSV(_ text: Span<UInt8>) {
    guard text.isEmpty || endOfPlainField(in: text, from: 0) < text.count else {
      append(text)
      return
    }
    append(UInt8(ascii: "\""))
    var start = 0
    for place in text.indices where text[place] == UInt8(ascii: "\"") {
      appendBytes(of: text, in: start..<place, to: &self)
      append("\"\"")
      start = place + 1
    }
    appendBytes(of: text, in: start..<text.count, to: &self)
    append(UInt8(ascii: "\""))
  }
}

/// Whether a field begins as a formula does, or with the marker itself.
///
/// Because fields that begin with the marker get one as well, taking one away gives every field
/// back.
@inline(__always)
private func isFormulaLike(_ text: Span<UInt8>) -> Bool {
  guard let first = text.isEmpty ? nil : text[0] else { return false }
  switch first {
  case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A,
    0x0D, marker:
    return true
  default:
    return false
  }
}

/// The place of the next quote, comma or line break, or the end of the text.
private func endOfPlainField(in text: Span<UInt8>, from start: Int) -> Int {
  var offset = start
  while text.count - offset >= 8 {
    if mayHaveByteToQuote(loadWord(from: text, at: offset)) { break }
    offset += 8
  }
  // The last eight bytes overlap with what has been looked at, and save a look at each.
  if text.count - offset < 8, text.count >= 8,
    !mayHaveByteToQuote(loadWord(from: text, at: text.count - 8))
  {
    return text.count
  }
  while offset < text.count {
    switch text[offset] {
    case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: return offset
    default: offset += 1
    }
  }
  return offset
}

/// Whether any of eight bytes is a quote, a comma or a control character, as `hasByteToEscape`.
private func mayHaveByteToQuote(_ word: UInt64) -> Bool {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let tops: UInt64 = 0x8080_8080_8080_8080
  let quotes = word ^ (ones &* 0x22)
  let commas = word ^ (ones &* 0x2C)
  let controlHits = (word &- ones &* 0x20) & ~word
  let quoteHits = (quotes &- ones) & ~quotes
  let commaHits = (commas &- ones) & ~commas
  return (controlHits | quoteHits | commaHits) & tops != 0
}
