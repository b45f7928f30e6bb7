/// Turns text of one encoding into UTF-8, a piece at a time, and takes the mark at its start away.
struct TextDecoder {
  private let encoding: TextEncoding
  /// What was read and is not yet turned: less than a character, or than the mark.
  private var rest: [UInt8] = []
  private var isStarted = false
  /// How many bytes were turned.
  private var offset = 0

  init(_ encoding: TextEncoding) {
    self.encoding = encoding
  }

  /// Whether what follows is UTF-8 already.
  var isDone: Bool { isStarted && encoding == .utf8 && rest.isEmpty }

  /// Turns the next bytes; without any, the text has come to its end.
  ///
  /// - Throws: `FormatError` when the bytes are none of the encoding.
  mutating func decode(_ bytes: [UInt8], into text: inout [UInt8]) throws(FormatError) {
    rest += bytes
    if !isStarted {
      guard rest.count >= encoding.mark.count || bytes.isEmpty else { return }
      isStarted = true
      if !encoding.mark.isEmpty, rest.starts(with: encoding.mark) {
        rest.removeFirst(encoding.mark.count)
        offset += encoding.mark.count
      }
    }
    let used: Int
    switch encoding {
    case .utf8:
      text += rest
      used = rest.count
    case .windows1252, .latin1: used = try decodeBytes(into: &text)
    case .utf16LittleEndian, .utf16BigEndian:
      used = try decodeUnits(into: &text, isAtEnd: bytes.isEmpty)
    }
    rest.removeFirst(used)
    offset += used
  }

  private func decodeBytes(into text: inout [UInt8]) throws(FormatError) -> Int {
    text.reserveCapacity(text.count + rest.count + rest.count / 4)
    for (place, byte) in rest.enumerated() {
      guard byte >= 0x80 else {
        text.append(byte)
        continue
      }
      var scalar = UInt32(byte)
      if encoding == .windows1252, byte < 0xA0 {
        scalar = Self.windows1252[Int(byte) - 0x80]
        guard scalar != 0 else {
          throw FormatError(
            .invalid, at: offset + place, "a byte stands for no character of Windows-1252")
        }
      }
      append(scalar, to: &text)
    }
    return rest.count
  }

  private func decodeUnits(
    into text: inout [UInt8], isAtEnd: Bool
  ) throws(FormatError) -> Int {
    text.reserveCapacity(text.count + rest.count)
    var place = 0
    while place + 2 <= rest.count {
      let unit = unit(at: place)
      guard unit & 0xF800 == 0xD800 else {
        append(UInt32(unit), to: &text)
        place += 2
        continue
      }
      guard unit < 0xDC00 else { throw loneSurrogate(at: place) }
      guard place + 4 <= rest.count else { break }
      let low = self.unit(at: place + 2)
      guard low & 0xFC00 == 0xDC00 else { throw loneSurrogate(at: place) }
      append(0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(low & 0x3FF), to: &text)
      place += 4
    }
    guard !isAtEnd || place == rest.count else {
      throw FormatError(
        .truncated, at: offset + place, "the text ends inside a character of UTF-16")
    }
    return place
  }

  private func unit(at place: Int) -> UInt16 {
    let (first, second) = (UInt16(rest[place]), UInt16(rest[place + 1]))
    return encoding == .utf16BigEndian ? first << 8 | second : second << 8 | first
  }

  private func loneSurrogate(at place: Int) -> FormatError {
    FormatError(.invalid, at: offset + place, "half a character of UTF-16 stands alone")
  }

  /// Appends a character that is no surrogate.
  private func append(_ scalar: UInt32, to text: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift & 0x3F | 0x80) }
    switch scalar {
    case ..<0x80: text.append(UInt8(truncatingIfNeeded: scalar))
    case ..<0x800:
      text.append(UInt8(truncatingIfNeeded: scalar >> 6 | 0xC0))
      text.append(tail(0))
    case ..<0x10000:
      text.append(UInt8(truncatingIfNeeded: scalar >> 12 | 0xE0))
      text.append(tail(6))
      text.append(tail(0))
    default:
      text.append(UInt8(truncatingIfNeeded: scalar >> 18 | 0xF0))
      text.append(tail(12))
      text.append(tail(6))
      text.append(tail(0))
    }
  }

  /// The characters of the bytes 0x80 to 0x9F; zero for those that stand for none.
  private static let windows1252: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]
}

/// How the characters of a text file are written as bytes.
package enum TextEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"
  case windows1252 = "windows-1252"
  case latin1

  /// The bytes of U+FEFF, which may stand before the text to tell its encoding; empty for none.
  package var mark: [UInt8] {
    switch self {
    case .utf8: [0xEF, 0xBB, 0xBF]
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    case .windows1252, .latin1: []
    }
  }

  /// The encoding that the mark at the start of a text tells; nil where there is none.
  package init?(markedIn bytes: [UInt8]) {
    let marked = [TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian]
    guard let encoding = marked.first(where: { bytes.starts(with: $0.mark) }) else { return nil }
    self = encoding
  }

  /// What people call it.
  package var title: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16, little-endian"
    case .utf16BigEndian: "UTF-16, big-endian"
    case .windows1252: "Windows-1252"
    case .latin1: "Latin 1"
    }
  }
}
