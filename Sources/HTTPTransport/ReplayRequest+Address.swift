import Replay

extension ReplayRequest {
  func address(below base: BaseURL) -> String {
    let slash = path.hasPrefix("/") ? "" : "/"
    let pairs = query.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
    return base.text + slash + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// Why the request cannot be written down, if it cannot.
  var objection: String? {
    for header in headers {
      guard HeaderText.isName(header.name.utf8), !HeaderText.isOurs(header.name) else {
        return "the header \(header.name) cannot be sent"
      }
      guard HeaderText.isValue(header.value.utf8) else {
        return "the value of \(header.name) cannot be sent in a header"
      }
    }
    let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Self.ends.contains($0) }
    return isPlain ? nil : "the path is not encoded"
  }

  /// What would end a path.
  private static let ends = Array("#?".utf8)

  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: text.utf8.flatMap { byte -> [UInt8] in
        if HeaderText.isLetterOrDigit(byte) || plain.contains(byte) { return [byte] }
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }, as: UTF8.self)
  }

  /// What stands for itself in a query, beside letters and digits.
  private static let plain = Array("-._~$*,".utf8)
}

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

  /// Whether the header makes a request depend on what the server has, which only the version of an
  /// operation may do.
  static func isCondition(_ name: String) -> Bool { name.lowercased().hasPrefix("if-") }

  private static let marks = Array("!#$%&'*+-.^_`|~".utf8)

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
