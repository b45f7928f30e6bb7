import Bytes

/// Where a server's tables are: scheme, host, port and the path in front of every request.
package struct BaseURL: Sendable, Equatable {
  /// The text in front of a request's path, in its plain spelling, by which journals tell servers
  /// apart.
  package let text: String
  /// The host without brackets and port, in lower case.
  let host: String
  /// Whether the connection is encrypted.
  let isSecure: Bool

  /// Whether the host is this machine itself, so that nothing passes through a network.
  var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Reads an address as a person gives it.
  ///
  /// - Throws: `HTTPError` when it is no address of a server, or would send in the clear.
  package init(parsing text: String, allowsPlain: Bool = false) throws(HTTPError) {
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !Self.refused.contains($0) }) else {
      throw Self.refusal("has a character that stands in no address, or a query, or a user name")
    }
    let scheme = text.prefix { $0 != ":" }.lowercased()
    let rest = text.dropFirst(scheme.utf8.count + 3)
    guard scheme == "https" || scheme == "http",
      text.dropFirst(scheme.utf8.count).hasPrefix("://")
    else {
      throw Self.refusal("begins with neither https:// nor http://")
    }
    let authority = rest.prefix { $0 != "/" }
    let name = try Self.host(of: authority)
    let path = rest[authority.endIndex...]
    guard !path.split(separator: "/").contains(where: Self.isDots) else {
      throw Self.refusal("has . or .. in its path")
    }
    host = String(name.drop { $0 == "[" }.prefix { $0 != "]" })
    isSecure = scheme == "https"
    self.text = plainServerAddress(text)
    guard isSecure || isLoopback || allowsPlain else {
      throw HTTPError(
        .usage, "the server's address is http, which sends everything in the clear",
        hint: "use https, or --allow-http where nobody listens in")
    }
  }

  /// `" # < > ? @ \ ^ \` { | }`, which no part of an address may hold here.
  private static let refused = Array("\"#<>?@\\^`{|}".utf8)

  /// Whether a step of a path is one that is taken away before a request leaves.
  private static func isDots(_ step: Substring) -> Bool {
    [".", ".."].contains(step.lowercased().replacing("%2e", with: "."))
  }

  /// The host, in lower case and with its brackets; a port may stand behind it.
  private static func host(of authority: Substring) throws(HTTPError) -> String {
    let isNumeric = authority.hasPrefix("[")
    let end = isNumeric ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":")
    let name = authority[..<(end ?? authority.endIndex)]
    var rest = authority[(end ?? authority.endIndex)...]
    if isNumeric {
      guard rest.first == "]" else { throw refusal("has an open bracket") }
      rest.removeFirst()
    }
    let host = isNumeric ? name.dropFirst() : name
    guard !host.isEmpty, host.utf8.allSatisfy({ isHostByte($0, isNumeric) }) else {
      throw refusal("has no host")
    }
    guard rest.isEmpty || port(rest) != nil else {
      throw refusal("has a port that is no number")
    }
    return isNumeric ? "[\(host.lowercased())]" : host.lowercased()
  }

  private static func isHostByte(_ byte: UInt8, _ isNumeric: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "_"): !isNumeric
    case UInt8(ascii: ":"): isNumeric
    default: false
    }
  }

  private static func port(_ text: Substring) -> UInt16? {
    guard text.first == ":", text.dropFirst().allSatisfy(\.isNumber) else { return nil }
    return UInt16(text.dropFirst()).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func refusal(_ what: String) -> HTTPError {
    HTTPError(
      .usage, "the server's address " + what,
      hint: "give it as https://host[:port][/path]")
  }
}
