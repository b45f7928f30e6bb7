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

/// The first place from `start` on of a line feed; `bytes.count` when there is none.
package func endOfLine(in bytes: Span<UInt8>, from start: Int) -> Int {
  place(in: bytes, from: start) {
    lanes(of: $0, equalTo: 0x0A)
  } where: {
    $0 == 0x0A
  }
}

/// The first place of a byte that is looked for, eight bytes at a time.
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
    while place &+ 8 <= bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let found = lanes(UInt64(littleEndian: word))
      if found != 0 { return place &+ found.trailingZeroBitCount / 8 }
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
