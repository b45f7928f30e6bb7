import Bytes
import Formats

/// The byte that a safe file puts before a field which a spreadsheet might take for a formula.
private let marker = UInt8(ascii: "'")

/// How many bytes a field of CSV takes at most when its text has `count`.
func csvSize(ofTextOf count: Int) -> Int { count &* 2 &+ 3 }

extension OutputSpan<UInt8> {
  /// Appends text as a field of RFC 4180; it has quotes when it is empty or needs them.
  ///
  /// There must be room for `csvSize` bytes.
  @inline(__always)
  mutating func appendCSV(_ text: Span<UInt8>, isSafe: Bool) {
    let start = count
    let isMarked = isSafe && isFormulaLike(text)
    if isMarked { append(marker) }
    if !text.isEmpty, appendUnquoted(text) { return }
    removeLast(count - start)
    append(UInt8(ascii: "\""))
    if isMarked { append(marker) }
    appendDoublingQuotes(text)
    append(UInt8(ascii: "\""))
  }

  /// Appends text as it is; false, and something appended, when a field cannot hold it so.
  @inline(__always)
  private mutating func appendUnquoted(_ text: Span<UInt8>) -> Bool {
    var place = 0
    while true {
      place = appendWords(of: text, from: place) { !mayHaveByteToQuote($0) }
      let end = Swift.min(place &+ 8, text.count)
      while place < end {
        guard !needsQuotes(text[place]) else { return false }
        append(text[place])
        place &+= 1
      }
      if place == text.count { return true }
    }
  }

  private mutating func appendDoublingQuotes(_ text: Span<UInt8>) {
    var start = 0
    for place in text.indices where text[place] == UInt8(ascii: "\"") {
      append(text.extracting(start...place))
      append(UInt8(ascii: "\""))
      start = place + 1
    }
    append(text.extracting(start...))
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

/// Whether a field with this byte has quotes.
@inline(__always)
private func needsQuotes(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: true
  default: false
  }
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
