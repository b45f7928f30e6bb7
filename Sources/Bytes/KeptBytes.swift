extension String {
  /// Names whose bytes are no UTF-8, as a file may hold them, without a loss.
  ///
  /// Each byte that belongs to no character becomes two: one that Unicode has for no text, and one from
  /// the end of what it leaves to private use. So no text that anybody writes is taken for kept bytes.
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
        scalars.append(Self.mark)
        scalars.append(Unicode.Scalar(Self.firstKept + UInt32(byte)) ?? Self.mark)
        rest = rest.dropFirst()
      }
    }
    self.init(scalars)
  }

  /// Whether there are bytes that are no UTF-8.
  package var hasKeptBytes: Bool {
    let bytes = utf8Span.span
    guard bytes.count >= 8 else { return false }
    for place in 0...(bytes.count - 8) where bytes[place] == 0xF4 && Self.isKept(bytes, at: place) {
      return true
    }
    return false
  }

  /// The bytes as the file holds them.
  package var keptBytes: [UInt8] {
    guard hasKeptBytes else { return Array(utf8) }
    var bytes: [UInt8] = []
    forEachPart {
      bytes.append($0)
    } text: {
      bytes.append(contentsOf: String($0).utf8)
    }
    return bytes
  }

  /// The name as a person can read it: what is no UTF-8 becomes the sign for that.
  package var mended: String { hasKeptBytes ? String(decoding: keptBytes, as: UTF8.self) : self }

  /// The name with such bytes as hexadecimal digits, so that two names are told apart.
  package var withKeptBytesSpelled: String {
    guard hasKeptBytes else { return self }
    var spelled = ""
    forEachPart {
      spelled += "\\x" + String($0, radix: 16, uppercase: true)
    } text: {
      spelled.unicodeScalars.append($0)
    }
    return spelled
  }

  /// What stands before the character of a byte.
  private static let mark: Unicode.Scalar = "\u{10FFFE}"
  /// What is added to a byte to get its character; bytes of ASCII have none.
  private static let firstKept: UInt32 = 0x10FF00

  /// Whether the eight bytes from a place are those of a mark and the character of a byte.
  private static func isKept(_ bytes: Span<UInt8>, at place: Int) -> Bool {
    bytes[place + 1] == 0x8F && bytes[place + 2] == 0xBF && bytes[place + 3] == 0xBE
      && bytes[place + 4] == 0xF4 && bytes[place + 5] == 0x8F && bytes[place + 6] >= 0xBE
  }

  /// Lends the bytes that are kept, and the characters between them.
  private func forEachPart(_ byte: (UInt8) -> Void, text: (Unicode.Scalar) -> Void) {
    var isMarked = false
    for scalar in unicodeScalars {
      if isMarked, scalar.value >= Self.firstKept + 0x80 {
        byte(UInt8(truncatingIfNeeded: scalar.value))
        isMarked = false
        continue
      }
      if isMarked { text(Self.mark) }
      isMarked = scalar == Self.mark
      if !isMarked { text(scalar) }
    }
    if isMarked { text(Self.mark) }
  }

  /// How many bytes the first character has; 0 where its bytes are none, or are those of the mark.
  private static func lengthOfCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator),
      scalar != mark
    else { return 0 }
    return UTF8.width(scalar)
  }
}
