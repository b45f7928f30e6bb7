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
