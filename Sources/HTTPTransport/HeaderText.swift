/// What may stand in a header, so that no value can begin another one.
enum HeaderText {
  /// Whether the bytes are a header's name.
  static func isName(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { marks.contains($0) || isLetterOrDigit($0) }
  }

  /// Whether the bytes are a value that stays in its line.
  static func isValue(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
  }

  /// Whether the header belongs to the connection, and nobody else may set it.
  static func isOurs(_ name: String) -> Bool {
    ["host", "content-length", "transfer-encoding", "connection", "expect", "te", "upgrade"]
      .contains(name.lowercased())
  }

  private static let marks = Array("!#$%&'*+-.^_`|~".utf8)

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
