/// One request as it goes out, without the secrets.
struct HTTPRequest: Sendable {
  /// The caller's mark, given back with the outcome.
  var mark = 0
  /// `GET`, `POST`, `PATCH`, `PUT` or `DELETE`.
  var method: String
  /// The path below the base URL, percent-encoded already.
  var path: String
  /// Names and values as they are; they are encoded here.
  var query: [(name: String, value: String)] = []
  /// Names and values; a value that would leave its line stops the request.
  var headers: [(name: String, value: String)] = []
  /// The bytes of the body, if it has one.
  var body: [UInt8]?

  /// The whole address below a base.
  func address(below base: BaseURL) -> String {
    let slash = path.hasPrefix("/") ? "" : "/"
    let pairs = query.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
    return base.text + slash + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// Why the request cannot be written down, if it cannot.
  var objection: String? {
    for (name, value) in headers {
      guard HeaderText.isName(name.utf8), !HeaderText.isOurs(name) else {
        return "the header \(name) cannot be sent"
      }
      guard HeaderText.isValue(value.utf8) else {
        return "the value of \(name) cannot be sent in a header"
      }
    }
    let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
    return isPlain && !path.contains("?") ? nil : "the path is not encoded"
  }

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

/// What became of a request.
enum HTTPOutcome: Sendable, Equatable {
  /// The server answered, and the answer is whole.
  case answer(AnswerHead, body: [UInt8])
  /// The request surely never reached the server.
  case notSent(String)
  /// Nobody knows whether the server carried it out.
  case unknown(String)
  /// The server points elsewhere; nothing was sent there.
  case redirected(String)
}
