/// Appends UTF-8 text as a JSON string, quotes included.
///
/// Only `"`, `\` and control characters below U+0020 are escaped.
@inlinable
package func appendJSONString(_ text: Span<UInt8>, to output: inout [UInt8]) {
  output.append(0x22)
  var start = 0
  while true {
    let end = endOfPlainRun(in: text, from: start)
    if end > start { appendBytes(of: text, in: start..<end, to: &output) }
    guard end < text.count else { break }
    appendJSONEscape(of: text[end], to: &output)
    start = end + 1
  }
  output.append(0x22)
}

/// The place of the next byte that a JSON string must escape, or the end of the text.
@inlinable
package func endOfPlainRun(in text: Span<UInt8>, from start: Int) -> Int {
  var offset = start
  while text.count - offset >= 8, !hasByteToEscape(loadWord(from: text, at: offset)) {
    offset += 8
  }
  // The last eight bytes overlap with what has been looked at, and save a look at each.
  if text.count - offset < 8, text.count >= 8,
    !hasByteToEscape(loadWord(from: text, at: text.count - 8))
  {
    return text.count
  }
  while offset < text.count {
    let byte = text[offset]
    if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
    offset += 1
  }
  return offset
}

/// Whether any of eight bytes is a quote, a backslash or a control character.
///
/// Subtracting borrows from a byte's top bit exactly where the lowest such byte is too small;
/// borrows that run on into higher bytes come only after one that counts.
@inlinable
package func hasByteToEscape(_ word: UInt64) -> Bool {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let tops: UInt64 = 0x8080_8080_8080_8080
  let quotes = word ^ (ones &* 0x22)
  let backslashes = word ^ (ones &* 0x5C)
  let controlHits = (word &- ones &* 0x20) & ~word
  let quoteHits = (quotes &- ones) & ~quotes
  let backslashHits = (backslashes &- ones) & ~backslashes
  return (controlHits | quoteHits | backslashHits) & tops != 0
}

/// Appends the escape of one byte that a JSON string must escape.
@usableFromInline
package func appendJSONEscape(of byte: UInt8, to output: inout [UInt8]) {
  output.append(UInt8(ascii: "\\"))
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
  case 0x0A: output.append(UInt8(ascii: "n"))
  case 0x0D: output.append(UInt8(ascii: "r"))
  case 0x09: output.append(UInt8(ascii: "t"))
  case 0x08: output.append(UInt8(ascii: "b"))
  case 0x0C: output.append(UInt8(ascii: "f"))
  default:
    output.append(contentsOf: "u00".utf8)
    for digit in [byte >> 4, byte & 15] {
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
