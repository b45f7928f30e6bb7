/// How many bytes a UUID takes as text.
@inlinable package var uuidSize: Int { 36 }

extension [UInt8] {
  /// Appends two lower-case hexadecimal digits for each byte.
  package mutating func appendHex(_ bytes: Span<UInt8>) {
    append(addingCapacity: bytes.count * 2) { $0.appendHex(bytes) }
  }

  /// Appends 16 bytes as a UUID: upper-case digits with hyphens.
  package mutating func appendUUID(_ bytes: Span<UInt8>) {
    append(addingCapacity: uuidSize) { $0.appendUUID(bytes) }
  }

  /// Makes room for `size` more bytes, and for more than that when it has to move anyway.
  mutating func reserveForAppending(_ size: Int) {
    // An exact reservation would make repeated appending quadratic.
    if capacity - count < size { reserveCapacity(Swift.max(count + size, capacity * 2)) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends 16 bytes as a UUID: upper-case digits with hyphens, for which there must be room.
  package mutating func appendUUID(_ bytes: Span<UInt8>) {
    precondition(bytes.count == 16, "a UUID has 16 bytes")
    for place in bytes.indices {
      if place == 4 || place == 6 || place == 8 || place == 10 { append(UInt8(ascii: "-")) }
      append(hexDigit(bytes[place] >> 4, firstLetter: UInt8(ascii: "A")))
      append(hexDigit(bytes[place] & 15, firstLetter: UInt8(ascii: "A")))
    }
  }

  /// Appends two lower-case hexadecimal digits for each byte, for which there must be room.
  package mutating func appendHex(_ bytes: Span<UInt8>) {
    for place in bytes.indices {
      append(hexDigit(bytes[place] >> 4, firstLetter: UInt8(ascii: "a")))
      append(hexDigit(bytes[place] & 15, firstLetter: UInt8(ascii: "a")))
    }
  }
}

@inline(__always)
private func hexDigit(_ value: UInt8, firstLetter: UInt8) -> UInt8 {
  value < 10 ? 48 &+ value : firstLetter &+ (value &- 10)
}

/// Whether a text is a UUID of 32 hexadecimal digits in either case, with its four hyphens.
package func isUUID(_ text: Span<UInt8>) -> Bool {
  guard text.count == 36 else { return false }
  for place in text.indices {
    let byte = text[place]
    let isDigit = byte &- 48 < 10 || (byte | 32) &- UInt8(ascii: "a") < 6
    let isHyphenPlace = place == 8 || place == 13 || place == 18 || place == 23
    guard isHyphenPlace ? byte == UInt8(ascii: "-") : isDigit else { return false }
  }
  return true
}

/// A part of an address without its escapes; what is no escape stays as it is.
package func percentDecoded(_ text: some StringProtocol) -> String {
  var bytes: [UInt8] = []
  var rest = Substring(text).utf8[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), rest.count >= 2,
      let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
    {
      bytes.append(code)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
