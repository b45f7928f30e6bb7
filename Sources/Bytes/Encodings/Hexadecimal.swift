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

  /// Appends a UUID that a text spells in any form, as upper-case digits with hyphens.
  package mutating func appendUUID(spelledAs text: Span<UInt8>) {
    var digits = 0
    // Brackets and the hyphens that are there already are none.
    for place in text.indices where isHexDigit(text[place]) {
      if [8, 12, 16, 20].contains(digits) { append(UInt8(ascii: "-")) }
      append(text[place] &- UInt8(ascii: "a") < 6 ? text[place] - 32 : text[place])
      digits += 1
    }
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
    let isHyphenPlace = place == 8 || place == 13 || place == 18 || place == 23
    guard isHyphenPlace ? byte == UInt8(ascii: "-") : isHexDigit(byte) else { return false }
  }
  return true
}

/// Whether a text is a UUID as any of the usual readers takes it: also without hyphens, or in brackets.
package func isUUIDInAnyForm(_ text: Span<UInt8>) -> Bool {
  switch text.count {
  case 32: return text.indices.allSatisfy { isHexDigit(text[$0]) }
  case 36: return isUUID(text)
  case 38:
    let ends = (text[0], text[37])
    return
      (ends == (UInt8(ascii: "{"), UInt8(ascii: "}"))
      || ends == (UInt8(ascii: "("), UInt8(ascii: ")")))
      && isUUID(text.extracting(1..<37))
  default: return false
  }
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  byte &- 48 < 10 || (byte | 32) &- UInt8(ascii: "a") < 6
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
