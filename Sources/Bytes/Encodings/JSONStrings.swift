/// How many bytes a JSON string of this text takes at most, quotes included.
///
/// Of a long text that is not guessed, which could be six times too large: quotes, backslashes and
/// control characters are counted.
@inlinable
package func jsonStringSize(of text: Span<UInt8>) -> Int {
  text.count <= 512 ? text.count &* 6 &+ 2 : text.count &+ sizeOfEscapes(in: text) &+ 2
}

/// How many bytes the escapes of a text take at most, beyond one for each byte that has one.
@usableFromInline
func sizeOfEscapes(in text: Span<UInt8>) -> Int {
  var (escapes, controls) = (0, 0)
  var place = 0
  while place &+ 16 <= text.count {
    let words = SIMD2(loadWord(from: text, at: place), loadWord(from: text, at: place &+ 8))
    // A borrow may set the bit of a byte above, but none is lost.
    let found = bytesToEscape(words)
    escapes &+= found.x.nonzeroBitCount &+ found.y.nonzeroBitCount
    let small = bytesOfControls(words)
    controls &+= small.x.nonzeroBitCount &+ small.y.nonzeroBitCount
    place &+= 16
  }
  while place < text.count {
    if isEscapedInJSON(text[place]) { escapes &+= 1 }
    if text[place] < 0x20 { controls &+= 1 }
    place &+= 1
  }
  // A backslash before it, or six bytes in its place.
  return escapes &+ 4 &* controls
}

/// Sets a bit where any byte of two words is a control character, as `bytesToEscape` does.
@inline(__always)
private func bytesOfControls(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
  (words &- SIMD2(repeating: 0x2020_2020_2020_2020)) & ~words
    & SIMD2(repeating: 0x8080_8080_8080_8080)
}

extension OutputSpan<UInt8> {
  /// Appends UTF-8 text as a JSON string, quotes included; `jsonStringSize` tells how much room it
  /// needs.
  ///
  /// Only `"`, `\` and control characters below U+0020 are escaped.
  @inlinable
  package mutating func appendJSONString(_ text: Span<UInt8>) {
    append(0x22)
    var place = 0
    while true {
      place = appendWords(of: text, from: place) { !hasByteToEscape($0) }
      guard place < text.count else { break }
      // At most seven plain bytes, then one to escape or the end.
      while place < text.count, !isEscapedInJSON(text[place]) {
        append(text[place])
        place &+= 1
      }
      guard place < text.count else { break }
      appendJSONEscape(of: text[place])
      place &+= 1
    }
    append(0x22)
  }

  /// Appends the escape of one byte that a JSON string must escape.
  @usableFromInline
  mutating func appendJSONEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    if let letter = jsonEscapeLetter(of: byte) { return append(letter) }
    append("u00")
    for digit in [byte >> 4, byte & 15] {
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

extension [UInt8] {
  /// Appends UTF-8 text as a JSON string, quotes included.
  @inlinable
  package mutating func appendJSONString(_ text: Span<UInt8>) {
    append(addingCapacity: jsonStringSize(of: text)) { $0.appendJSONString(text) }
  }
}

@inlinable
@inline(__always)
func isEscapedInJSON(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == 0x22 || byte == 0x5C
}

/// The letter behind the backslash; nil where the escape is a number.
private func jsonEscapeLetter(of byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
  case 0x0A: UInt8(ascii: "n")
  case 0x0D: UInt8(ascii: "r")
  case 0x09: UInt8(ascii: "t")
  case 0x08: UInt8(ascii: "b")
  case 0x0C: UInt8(ascii: "f")
  default: nil
  }
}

/// Whether any of eight bytes is a quote, a backslash or a control character.
@inlinable
@inline(__always)
func hasByteToEscape(_ word: UInt64) -> Bool { bytesToEscape(SIMD2(word, word)).x != 0 }

/// Sets a bit where any byte of two words is a quote, a backslash or a control character.
///
/// Subtracting borrows from a byte's top bit exactly where the lowest such byte is too small;
/// borrows that run on into higher bytes come only after one that counts. A quote becomes a blank
/// when its second bit is turned, and no byte above a blank becomes one or less.
@inlinable
@inline(__always)
func bytesToEscape(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
  let ones = SIMD2<UInt64>(repeating: 0x0101_0101_0101_0101)
  let tops = SIMD2<UInt64>(repeating: 0x8080_8080_8080_8080)
  let quotesAndControls = (words ^ (ones &* 0x02)) &- ones &* 0x21
  let backslashes = (words ^ (ones &* 0x5C)) &- ones
  return (quotesAndControls | backslashes) & ~words & tops
}

extension ByteRoom {
  /// Appends a range of UTF-8 text as a JSON string, as an `OutputSpan` does.
  ///
  /// `jsonStringSize` tells the room it needs. Quickest where bytes of the source follow the range.
  @inlinable
  @inline(__always)
  package mutating func appendJSONString(_ text: Span<UInt8>, _ range: Range<Int>) {
    guard text.count &- range.upperBound >= Self.blockSize else {
      return append(upTo: left) { $0.appendJSONString(text.extracting(range)) }
    }
    append(0x22)
    var place = range.lowerBound
    while true {
      place = append(text, place..<range.upperBound, upTo: bytesToEscape)
      guard place < range.upperBound else { break }
      let byte = text[place]
      if byte == 0x22 || byte == 0x5C {
        // By far the most frequent ones.
        append(0x5C)
        append(byte)
      } else {
        append(upTo: min(6, left)) { $0.appendJSONEscape(of: byte) }
      }
      place &+= 1
    }
    append(0x22)
  }
}

extension [UInt8] {
  /// Appends a string as JSON.
  package mutating func appendJSON(_ text: String) {
    let bytes = Array(text.utf8)
    appendJSONString(bytes.span)
  }
}
