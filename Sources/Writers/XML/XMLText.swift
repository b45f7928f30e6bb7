import Bytes
import Formats

extension [UInt8] {
  /// Appends text as the content of an element; false, and nothing appended, where XML 1.0 has no
  /// way to write it.
  mutating func appendXML(content text: Span<UInt8>) -> Bool {
    appendXML(text, isAttribute: false)
  }

  /// As `appendXML(content:)`, for the value of an attribute in double quotes.
  mutating func appendXML(attribute text: Span<UInt8>) -> Bool {
    appendXML(text, isAttribute: true)
  }

  private mutating func appendXML(_ text: Span<UInt8>, isAttribute: Bool) -> Bool {
    let length = count
    var start = 0
    while true {
      let end = endOfPlainXML(in: text, from: start)
      if end > start { appendBytes(of: text, in: start..<end, to: &self) }
      guard end < text.count else { return true }
      guard appendReference(to: text[end], isAttribute: isAttribute, isNonCharacter(text, at: end))
      else {
        removeLast(count - length)
        return false
      }
      start = end + 1
    }
  }

  /// Appends one byte as it is or as a reference; false where XML cannot carry it.
  private mutating func appendReference(
    to byte: UInt8, isAttribute: Bool, _ isNonCharacter: Bool
  ) -> Bool {
    switch byte {
    case UInt8(ascii: "&"): append("&amp;")
    case UInt8(ascii: "<"): append("&lt;")
    case UInt8(ascii: ">"): append("&gt;")
    case UInt8(ascii: "\"") where isAttribute: append("&quot;")
    // A parser turns a plain CR into LF, and any of the three in an attribute into a blank.
    case 0x0D: append("&#13;")
    case 0x0A where isAttribute: append("&#10;")
    case 0x09 where isAttribute: append("&#9;")
    case 0x0A, 0x09, 0x20...: if isNonCharacter { return false } else { append(byte) }
    default: return false
    }
    return true
  }
}

/// Whether U+FFFE or U+FFFF begins here; XML 1.0 excludes both.
private func isNonCharacter(_ text: Span<UInt8>, at place: Int) -> Bool {
  text[place] == 0xEF && place + 2 < text.count && text[place + 1] == 0xBF
    && text[place + 2] >= 0xBE
}

/// The place of the next byte that needs a closer look, or the end of the text.
private func endOfPlainXML(in text: Span<UInt8>, from start: Int) -> Int {
  var offset = start
  while text.count - offset >= 8, !mayHaveMarkup(loadWord(from: text, at: offset)) {
    offset += 8
  }
  // The last eight bytes overlap with what has been looked at, and save a look at each.
  if text.count - offset < 8, text.count >= 8,
    !mayHaveMarkup(loadWord(from: text, at: text.count - 8))
  {
    return text.count
  }
  while offset < text.count {
    switch text[offset] {
    case ..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0xEF:
      return offset
    default:
      offset += 1
    }
  }
  return offset
}

/// Whether any of eight bytes is a control character, `&`, `<`, `>`, `"` or 0xEF.
///
/// Works as `hasByteToEscape` does; `<` and `>` differ in one bit, which is set first.
private func mayHaveMarkup(_ word: UInt64) -> Bool {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let tops: UInt64 = 0x8080_8080_8080_8080
  let quotes = word ^ (ones &* 0x22)
  let ampersands = word ^ (ones &* 0x26)
  let brackets = (word | (ones &* 0x02)) ^ (ones &* 0x3E)
  let highs = word ^ (ones &* 0xEF)
  var hits = (word &- ones &* 0x20) & ~word
  hits |= (quotes &- ones) & ~quotes
  hits |= (ampersands &- ones) & ~ampersands
  hits |= (brackets &- ones) & ~brackets
  hits |= (highs &- ones) & ~highs
  return hits & tops != 0
}
