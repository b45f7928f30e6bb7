/// The encodings that a document can be in.
enum XMLEncoding: Sendable {
  case utf8
  case utf16LittleEndian
  case utf16BigEndian
}

/// What the first bytes of a document say about its encoding.
struct XMLSignature {
  /// The encoding that the bytes show.
  let encoding: XMLEncoding
  /// How many bytes of it are a byte order mark, which is no part of the document.
  let markSize: Int

  /// The number of bytes that are enough to tell.
  static let size = 4

  /// Looks at the first bytes; fewer than `size` only when there are no more.
  init(_ bytes: Span<UInt8>) {
    let first = bytes.count > 0 ? bytes[0] : 0
    let second = bytes.count > 1 ? bytes[1] : 0
    let third = bytes.count > 2 ? bytes[2] : 0
    let less = UInt8(ascii: "<")
    (encoding, markSize) =
      switch (first, second, third) {
      case (0xEF, 0xBB, 0xBF): (.utf8, 3)
      case (0xFF, 0xFE, _): (.utf16LittleEndian, 2)
      case (0xFE, 0xFF, _): (.utf16BigEndian, 2)
      case (less, 0, _) where bytes.count > 1: (.utf16LittleEndian, 0)
      case (0, less, _): (.utf16BigEndian, 0)
      default: (.utf8, 0)
      }
  }

  /// Whether a document that shows this signature may declare an encoding, or none.
  func permits(_ declared: String?) -> Bool {
    guard let declared else { return encoding == .utf8 || markSize > 0 }
    return switch encoding {
    case .utf8: declared.lowercased() == "utf-8"
    case .utf16LittleEndian: ["utf-16", "utf-16le"].contains(declared.lowercased())
    case .utf16BigEndian: ["utf-16", "utf-16be"].contains(declared.lowercased())
    }
  }
}
