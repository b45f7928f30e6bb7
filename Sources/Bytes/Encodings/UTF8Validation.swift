/// Whether the bytes are well-formed UTF-8.
///
/// Overlong forms, surrogates and code points above U+10FFFF are not.
@inlinable
@inline(__always)
package func isValidUTF8(_ bytes: Span<UInt8>) -> Bool {
  isASCII(bytes) || isValidMultibyteUTF8(bytes)
}

/// Whether all bytes are below 128; most texts are, and need no closer look.
@inlinable
@inline(__always)
func isASCII(_ bytes: Span<UInt8>) -> Bool {
  // The words are read from inside the span, wherever they start.
  unsafe bytes.withUnsafeBytes { bytes in
    let count = bytes.count
    var seen: UInt64 = 0
    if count >= 8 {
      var place = 0
      while place < count &- 8 {
        seen |= unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        place &+= 8
      }
      // The last eight bytes may overlap with those before.
      seen |= unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
      // Here, too, the last ones may overlap with the first.
      let first = unsafe bytes.loadUnaligned(as: UInt32.self)
      let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      seen = UInt64(first | last)
    } else {
      for place in 0..<count { seen |= unsafe UInt64(bytes[place]) }
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }
}

/// As `isValidUTF8`, for texts that are not all ASCII; a word of one kind of bytes is one step in
/// them.
@usableFromInline
func isValidMultibyteUTF8(_ bytes: Span<UInt8>) -> Bool {
  var place = 0
  while place &+ 8 <= bytes.count {
    let word = loadWord(from: bytes, at: place).littleEndian
    let tops = word & 0x8080_8080_8080_8080
    if tops & 0x80 == 0 {
      place &+= tops == 0 ? 8 : tops.trailingZeroBitCount / 8
    } else if let size = runSize(in: word) {
      place &+= size
    } else {
      guard let size = sequenceSize(in: bytes, at: place) else { return false }
      place &+= size
    }
  }
  while place < bytes.count {
    if bytes[place] < 0x80 {
      place &+= 1
    } else {
      guard let size = sequenceSize(in: bytes, at: place) else { return false }
      place &+= size
    }
  }
  return true
}

/// How many bytes the well-formed sequences have that a word begins with, where all or the first are
/// of two bytes, or the first two of three; nil for anything else.
@inline(__always)
private func runSize(in word: UInt64) -> Int? {
  // Two sequences of three bytes: 1110xxxx 10xxxxxx 10xxxxxx.
  if word & 0xC0C0_F0C0_C0F0 == 0x8080_E080_80E0 {
    return isFit(word) && isFit(word >> 24) ? 6 : nil
  }
  // Two bytes are 110xxxxx 10xxxxxx, and the upper four of the five bits are not all zero.
  if word & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0 {
    let upper = word & 0x001E_001E_001E_001E
    return (upper &- 0x0002_0002_0002_0002) & 0x8000_8000_8000_8000 == 0 ? 8 : nil
  }
  return word & 0xC0E0 == 0x80C0 && word & 0x1E != 0 ? 2 : nil
}

/// Whether three bytes that look like a sequence are not overlong and no surrogate.
@inline(__always)
private func isFit(_ sequence: UInt64) -> Bool {
  // Behind E0 the second byte is A0 or more, behind ED less.
  let marks = sequence & 0x200F
  return marks != 0 && marks != 0x200D
}

/// How many bytes the sequence of two to four at a place has; nil when it is ill-formed.
///
/// The Unicode Standard 15.0, table 3-7, lists the ranges of the second byte.
@inline(__always)
private func sequenceSize(in bytes: Span<UInt8>, at place: Int) -> Int? {
  let lead = bytes[place]
  let size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  guard lead >= 0xC2, lead <= 0xF4, bytes.count &- place >= size else { return nil }
  let second = bytes[place &+ 1]
  let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
  let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
  guard second >= lowest, second <= highest else { return nil }
  for rest in 2..<max(size, 2) where bytes[place &+ rest] & 0xC0 != 0x80 { return nil }
  return size
}

/// A copy of a text in which what is no UTF-8 stands as replacement characters.
package func repairedUTF8(_ bytes: Span<UInt8>) -> [UInt8] {
  Array(String(decoding: [UInt8](copying: bytes), as: UTF8.self).utf8)
}

/// The character that begins at a place of well-formed UTF-8, and how many bytes it takes.
package func unicodeScalar(
  in text: Span<UInt8>, at place: Int
) -> (scalar: Unicode.Scalar, size: Int) {
  let lead = text[place]
  let size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  // Of the first byte those bits count that do not tell the size.
  var value = UInt32(size == 1 ? lead : lead & (0x7F >> UInt8(size)))
  for rest in (place + 1)..<max(place + 1, min(place + size, text.count)) {
    value = value << 6 | UInt32(text[rest] & 0x3F)
  }
  return (Unicode.Scalar(value) ?? "\u{FFFD}", size)
}
