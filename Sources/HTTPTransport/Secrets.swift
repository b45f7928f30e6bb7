import Bytes

/// Headers that only the server itself may see.
///
/// No text can be made of the value. What a server sends back is data, in which a value may stand by
/// chance; it is cleared where it is told or kept.
package struct Secrets: Sendable {
  private let headers: [(name: String, value: [UInt8])]
  /// Everything that is cleared away from what a server sends back.
  private let hidden: [HiddenText]
  /// Whether a token came without the name of its header.
  package let hasUnnamedToken: Bool

  /// No secrets at all.
  package init() {
    headers = []
    hidden = []
    hasUnnamedToken = false
  }

  /// Reads headers, one a line, as `Name: value`; empty lines and those with `#` do not count.
  ///
  /// A single line without a colon is a token, sent under `name`.
  ///
  /// - Throws: `HTTPError` that names the line, and nothing of what stands there.
  package init(
    parsing bytes: [UInt8], defaultName name: String = "X-ZUMO-AUTH", path: String? = nil
  ) throws(HTTPError) {
    var headers: [(name: String, value: [UInt8])] = []
    var hasUnnamedToken = false
    // Editors of Windows put a mark in front of UTF-8.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = Self.trimmed(line)
      if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
      guard let header = Self.header(text, defaultName: name) else {
        throw HTTPError(
          .usage, path: path, "line \(index + 1) of the secrets is no header",
          hint: "write one header a line, as Name: value, or nothing but a token; those of the "
            + "connection, and conditions such as If-Match, are not for you to set")
      }
      if !text.contains(UInt8(ascii: ":")) {
        // The second half of a token that an editor has broken would be sent as one of its own.
        guard !hasUnnamedToken else {
          throw HTTPError(
            .usage, path: path, "line \(index + 1) of the secrets is a second token",
            hint: "write a token in one line, and of several each behind its Name:")
        }
        hasUnnamedToken = true
      }
      headers.append(header)
    }
    guard !headers.isEmpty else {
      throw HTTPError(.usage, path: path, "there are no secrets to read")
    }
    self.headers = headers
    self.hasUnnamedToken = hasUnnamedToken
    hidden = Self.hidden(of: headers)
  }

  private static func header(
    _ line: ArraySlice<UInt8>, defaultName: String
  ) -> (name: String, value: [UInt8])? {
    guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      return line.contains(UInt8(ascii: " ")) ? nil : (defaultName, Array(line))
    }
    let name = line[..<colon]
    let value = trimmed(line[(colon + 1)...])
    guard HeaderText.isName(name), !value.isEmpty else { return nil }
    let spelled = String(decoding: name, as: UTF8.self)
    guard !HeaderText.isOurs(spelled), !HeaderText.isCondition(spelled) else { return nil }
    return (spelled, Array(value))
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let start = line.drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return [] }
    return start[...end]
  }

  /// The header lines, for nobody but the connection.
  var lines: [[UInt8]] {
    headers.map { Array($0.name.utf8) + [0x3A, 0x20] + $0.value }
  }

  func sets(_ name: String) -> Bool {
    headers.contains { $0.name.lowercased() == name.lowercased() }
  }
}

extension Secrets: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "secrets" }
  package var debugDescription: String { "secrets" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secrets {
  /// Shorter ones would be found in everything; nobody hands out such tokens.
  private static let shortestHidden = 6
  private static let mark = Array("[secret]".utf8)

  /// Whether anything is looked for in what is told.
  package var hidesAnything: Bool { !hidden.isEmpty }

  /// The bytes without the secrets that a server may have echoed, as JSON, addresses and pages spell them.
  package func hidden(in bytes: [UInt8]) -> [UInt8] {
    hidden.reduce(bytes) { bytes, secret in secret.replaced(by: Self.mark, in: bytes) }
  }

  /// The text without the secrets.
  package func hidden(in text: String) -> String {
    headers.isEmpty ? text : String(decoding: hidden(in: Array(text.utf8)), as: UTF8.self)
  }

  private static func hidden(of headers: [(name: String, value: [UInt8])]) -> [HiddenText] {
    let values = headers.map(\.value)
    // `Bearer abc` is also hidden where only `abc` comes back.
    let all = values + values.compactMap { $0.split(separator: 0x20).last.map(Array.init) }
    let parts = headers.flatMap(SecretParts.parts)
    // The longest first, so that no rest of a longer one stays.
    return Set(all.filter { $0.count >= shortestHidden } + parts).sorted { $0.count > $1.count }
      .map { HiddenText($0) }
  }
}
