import Glibc

/// The first place from `start` on of a byte that a plain JSON string cannot hold as it is.
///
/// These are the quote, the backslash and control characters; `bytes.count` when there is none.
package func endOfPlainJSON(in bytes: Span<UInt8>, from start: Int) -> Int {
  place(in: bytes, from: start) { word in
    lanes(of: word, equalTo: UInt8(ascii: "\"")) | lanes(of: word, equalTo: UInt8(ascii: "\\"))
      | lanes(of: word, below: 0x20)
  } where: { byte in
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}

/// The first place from `start` on of a byte that a field of CSV without quotes cannot hold.
///
/// These are comma, quote, line ends and NUL; `bytes.count` when there is none.
package func endOfPlainCSV(in bytes: Span<UInt8>, from start: Int) -> Int {
  place(in: bytes, from: start) { word in
    // All of them are below the minus sign, and most bytes of most files are not.
    guard lanes(of: word, below: UInt8(ascii: "-")) != 0 else { return 0 }
    return lanes(of: word, equalTo: UInt8(ascii: ",")) | lanes(of: word, equalTo: 0x0A)
      | lanes(of: word, equalTo: 0x0D) | lanes(of: word, equalTo: UInt8(ascii: "\""))
      | lanes(of: word, equalTo: 0)
  } where: { byte in
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
      || byte == 0
  }
}

/// The first place from `start` on of a byte that a field without quotes cannot hold, where fields
/// are separated by something else than commas.
///
/// These are separator, quote, line ends and NUL; `bytes.count` when there is none.
package func endOfPlainField(
  in bytes: Span<UInt8>, from start: Int, separator: UInt8
) -> Int {
  endOfField(in: bytes, from: start, separator: separator, mark: UInt8(ascii: "\""))
}

/// The first place from `start` on of a byte that a field whose odd bytes are escaped cannot hold.
///
/// These are separator, backslash, line ends and NUL; `bytes.count` when there is none.
package func endOfEscapedField(
  in bytes: Span<UInt8>, from start: Int, separator: UInt8
) -> Int {
  endOfField(in: bytes, from: start, separator: separator, mark: UInt8(ascii: "\\"))
}

@inline(__always)
private func endOfField(
  in bytes: Span<UInt8>, from start: Int, separator: UInt8, mark: UInt8
) -> Int {
  place(in: bytes, from: start) { word in
    lanes(of: word, equalTo: separator) | lanes(of: word, equalTo: 0x0A)
      | lanes(of: word, equalTo: 0x0D) | lanes(of: word, equalTo: mark)
      | lanes(of: word, equalTo: 0)
  } where: { byte in
    byte == separator || byte == mark || byte == 0x0A || byte == 0x0D || byte == 0
  }
}

/// The first place from `start` on of a byte to look at inside quotes of CSV.
///
/// These are quote, NUL and the byte that ends lines, which is a line feed in most files;
/// `bytes.count` when there is none.
package func endOfQuotedCSV(
  in bytes: Span<UInt8>, from start: Int, lineEnd: UInt8 = 0x0A
) -> Int {
  place(in: bytes, from: start) { word in
    lanes(of: word, equalTo: UInt8(ascii: "\"")) | lanes(of: word, equalTo: lineEnd)
      | lanes(of: word, equalTo: 0)
  } where: { byte in
    byte == UInt8(ascii: "\"") || byte == lineEnd || byte == 0
  }
}

/// The first place from `start` on of a byte to look at in the text of an XML document.
///
/// These are angle brackets, the ampersand, control characters, and the first byte of U+FFFE and
/// U+FFFF, which no document may have; `bytes.count` when there is none.
package func endOfPlainXML(in bytes: Span<UInt8>, from start: Int) -> Int {
  place(in: bytes, from: start) { word in
    // The brackets differ in one bit.
    lanes(of: word & (ones &* 0xFD), equalTo: UInt8(ascii: "<"))
      | lanes(of: word, equalTo: UInt8(ascii: "&")) | lanes(of: word, below: 0x20)
      | lanes(of: word, equalTo: 0xEF)
  } where: { byte in
    byte & ~2 == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte < 0x20 || byte == 0xEF
  }
}

/// The first place from `start` on of a line feed; `bytes.count` when there is none.
package func endOfLine(in bytes: Span<UInt8>, from start: Int) -> Int {
  place(in: bytes, from: start) {
    lanes(of: $0, equalTo: 0x0A)
  } where: {
    $0 == 0x0A
  }
}

/// The first place from `start` on of a backslash; `bytes.count` when there is none.
package func placeOfBackslash(in bytes: Span<UInt8>, from start: Int) -> Int {
  place(in: bytes, from: start) {
    lanes(of: $0, equalTo: UInt8(ascii: "\\"))
  } where: {
    $0 == UInt8(ascii: "\\")
  }
}

/// The first place of a byte that is looked for, sixteen and then eight bytes at a time.
///
/// `lanes` sets the high bit of each byte of a word that is looked for; above the lowest such byte
/// it may set others, too.
@inline(__always)
private func place(
  in bytes: Span<UInt8>, from start: Int, lanes: (UInt64) -> UInt64, where isFound: (UInt8) -> Bool
) -> Int {
  // Every word and byte that is read lies between `start` and the span's end.
  unsafe bytes.withUnsafeBytes { bytes in
    var place = max(0, start)
    func found(at place: Int) -> UInt64 {
      unsafe lanes(
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
    }
    while place &+ 16 <= bytes.count {
      let (first, second) = (found(at: place), found(at: place &+ 8))
      if first | second != 0 {
        return first != 0
          ? place &+ first.trailingZeroBitCount / 8
          : place &+ 8 &+ second.trailingZeroBitCount / 8
      }
      place &+= 16
    }
    if place &+ 8 <= bytes.count {
      let last = found(at: place)
      if last != 0 { return place &+ last.trailingZeroBitCount / 8 }
      place &+= 8
    }
    while place < bytes.count, unsafe !isFound(bytes[place]) { place &+= 1 }
    return place
  }
}

private let ones: UInt64 = 0x0101_0101_0101_0101
private let highBits: UInt64 = 0x8080_8080_8080_8080

/// Sets the high bit of the lowest byte below `limit`, which is at most 128.
@inline(__always)
private func lanes(of word: UInt64, below limit: UInt8) -> UInt64 {
  // Borrows only reach the bytes above the lowest that is found.
  (word &- ones &* UInt64(limit)) & ~word & highBits
}

@inline(__always)
private func lanes(of word: UInt64, equalTo byte: UInt8) -> UInt64 {
  lanes(of: word ^ (ones &* UInt64(byte)), below: 1)
}

/// Appends a run of bytes in one copy.
@inlinable
package func appendBytes(of source: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) {
  // The buffer is read only inside the closure, while the span keeps its memory alive.
  unsafe source.extracting(range).withUnsafeBufferPointer {
    unsafe output.append(contentsOf: $0)
  }
}

/// The eight bytes from `offset` on, in the machine's order; `offset + 8` must be inside.
@inlinable
@inline(__always)
package func loadWord(from source: Span<UInt8>, at offset: Int) -> UInt64 {
  precondition(offset >= 0 && offset <= source.count &- 8, "out of bounds")
  // All eight bytes are inside, and any bytes are an integer.
  return unsafe source.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
}

extension Span<UInt8> {
  /// Whether the bytes are the same.
  package func isEqual(to other: Span<UInt8>) -> Bool {
    count == other.count && order(of: self, and: other) == 0
  }

  /// Whether the bytes differ at most in the case of ASCII letters.
  package func isEqualIgnoringASCIICase(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for place in indices where self[place] != other[place] {
      let letter = self[place] | 0x20
      guard letter == other[place] | 0x20, letter &- 0x61 < 26 else { return false }
    }
    return true
  }

  /// Whether the bytes are those of a literal.
  package func isEqual(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // The loop stays below the count of both.
    return text.withUTF8Buffer { other in
      for place in indices where unsafe self[place] != other[place] { return false }
      return true
    }
  }
}

/// How two runs of bytes compare, as C says it: the first bytes that differ decide, then the size.
package func order(of left: Span<UInt8>, and right: Span<UInt8>) -> Int {
  let count = min(left.count, right.count)
  // Both have at least `count` bytes, and the call only reads them.
  let order = unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in
      guard count > 0, let left = left.baseAddress, let right = right.baseAddress
      else { return 0 }
      return unsafe Int(memcmp(left, right, count))
    }
  }
  return order == 0 ? left.count &- right.count : order
}
