import Bytes

/// How many bytes a text of so many takes at most: a reference has six at most.
///
/// Of a long text it is not this guess, which could be six times too large.
func xmlSize(of text: Span<UInt8>) -> Int {
  guard text.count > 512 else { return text.count &* 6 }
  var size = text.count
  for place in text.indices where isCloselyLookedAt(text[place]) { size += 5 }
  return size
}

extension [UInt8] {
  /// Appends text as the content of an element; false, and nothing appended, where XML 1.0 has no
  /// way to write it.
  mutating func appendXML(content text: Span<UInt8>) -> Bool {
    var isWritten = false
    append(addingCapacity: xmlSize(of: text)) { isWritten = $0.appendXML(content: text) }
    return isWritten
  }

  /// As `appendXML(content:)`, for the value of an attribute in double quotes.
  mutating func appendXML(attribute text: Span<UInt8>) -> Bool {
    var isWritten = false
    append(addingCapacity: xmlSize(of: text)) { isWritten = $0.appendXML(attribute: text) }
    return isWritten
  }
}

extension OutputSpan<UInt8> {
  /// Appends text as the content of an element; false, and nothing appended, where XML 1.0 has no
  /// way to write it.
  ///
  /// There must be room for `xmlSize` bytes.
  mutating func appendXML(content text: Span<UInt8>) -> Bool {
    appendXML(text, isAttribute: false)
  }

  /// As `appendXML(content:)`, for the value of an attribute in double quotes.
  mutating func appendXML(attribute text: Span<UInt8>) -> Bool {
    appendXML(text, isAttribute: true)
  }

  @inline(__always)
  private mutating func appendXML(_ text: Span<UInt8>, isAttribute: Bool) -> Bool {
    let start = count
    var place = 0
    while true {
      place = appendWords(of: text, from: place) { !mayHaveMarkup($0) }
      let end = Swift.min(place &+ 8, text.count)
      while place < end {
        let byte = text[place]
        if !isCloselyLookedAt(byte) {
          append(byte)
        } else if !appendReference(
          to: byte, isAttribute: isAttribute, isNonCharacter(text, at: place))
        {
          removeLast(count - start)
          return false
        }
        place &+= 1
      }
      if place == text.count { return true }
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

/// Whether a byte may have to be written as a reference, or may be one that XML cannot carry.
@inline(__always)
private func isCloselyLookedAt(_ byte: UInt8) -> Bool {
  switch byte {
  case ..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0xEF:
    true
  default: false
  }
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
