extension String {
  /// Names whose bytes are no UTF-8, as a file may hold them, without a loss.
  ///
  /// Each byte that belongs to no character becomes a character of its own, from the end of what
  /// Unicode leaves to private use. Where those stand in a name themselves, their bytes are kept so.
  package init(keepingBytes bytes: [UInt8]) {
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while let byte = rest.first {
      let count = Self.lengthOfCharacter(rest)
      if count > 0 {
        let character = String(decoding: rest.prefix(count), as: UTF8.self)
        scalars.append(contentsOf: character.unicodeScalars)
        rest = rest.dropFirst(count)
      } else {
        scalars.append(Unicode.Scalar(Self.firstKept + UInt32(byte)) ?? "\u{FFFD}")
        rest = rest.dropFirst()
      }
    }
    self.init(scalars)
  }

  /// Whether there are bytes that are no UTF-8.
  package var hasKeptBytes: Bool {
    let bytes = utf8Span.span
    guard bytes.count >= 4 else { return false }
    for place in 0...(bytes.count - 4)
    where bytes[place] == 0xF4 && bytes[place + 1] == 0x8F && bytes[place + 2] >= 0xBE {
      return true
    }
    return false
  }

  /// The bytes as the file holds them.
  package var keptBytes: [UInt8] {
    guard hasKeptBytes else { return Array(utf8) }
    var bytes: [UInt8] = []
    for scalar in unicodeScalars {
      if scalar.value >= Self.firstKept + 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
      }
    }
    return bytes
  }

  /// The name as a person can read it: what is no UTF-8 becomes the sign for that.
  package var mended: String { hasKeptBytes ? String(decoding: keptBytes, as: UTF8.self) : self }

  /// The name with such bytes as hexadecimal digits, so that two names are told apart.
  package var withKeptBytesSpelled: String {
    guard hasKeptBytes else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.value >= Self.firstKept + 0x80 {
        text += "\\x" + String(UInt8(truncatingIfNeeded: scalar.value), radix: 16, uppercase: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// What is added to a byte to get its character; bytes of ASCII have none.
  private static let firstKept: UInt32 = 0x10FF00

  /// How many bytes the first character has; 0 where its bytes are none, or are those of one that
  /// stands for a byte.
  private static func lengthOfCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator),
      scalar.value < firstKept + 0x80
    else { return 0 }
    return UTF8.width(scalar)
  }
}
