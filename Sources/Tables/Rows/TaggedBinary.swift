/// A binary value that Core Data may keep in a file of its own; its first byte tells.
package enum TaggedBinary: Equatable {
  /// The bytes follow the tag.
  case inline
  /// The bytes are in the file of this name.
  case file(String)

  /// The tag before bytes that follow it.
  package static let inlineTag: UInt8 = 1

  /// Reads the tag; nil when the value does not begin with one.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return nil }
    switch bytes[0] {
    case Self.inlineTag: self = .inline
    case 2:
      guard let name = Self.fileName(bytes) else { return nil }
      self = .file(name)
    default: return nil
    }
  }

  /// The 36 characters of a UUID between the tag and a zero byte.
  private static func fileName(_ bytes: Span<UInt8>) -> String? {
    guard bytes.count == 38, bytes[37] == 0 else { return nil }
    var name = ""
    for index in 1..<37 {
      let byte = bytes[index]
      let isHyphenPlace = index == 9 || index == 14 || index == 19 || index == 24
      let isHexDigit = byte &- 0x30 < 10 || byte &- 0x41 < 6
      guard isHyphenPlace ? byte == UInt8(ascii: "-") : isHexDigit else { return nil }
      name.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return name
  }
}
