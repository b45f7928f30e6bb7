import Bytes
import Formats
package import Records

/// An item as the server shows it.
struct ServerItem: Sendable, Equatable {
  let object: JSONObject
  /// Its id as the server spells it.
  let id: JSONValue
  /// Its text.
  let json: [UInt8]
  /// Its version, from the header, else from the item itself.
  let version: String?
  let isDeleted: Bool
  /// When it was last changed, as the server spells it.
  let updatedAt: String?

  private static let limits = FormatLimits(maxObjects: 1_000_000, maxBytes: 64 << 20)

  /// Reads the item with an id from an answer; nil when the answer shows none, or another.
  init?(_ answer: ReplayAnswer, id: String, _ dialect: Dialect) {
    self.init(answer, dialect)
    guard isCalled(id) else { return nil }
  }

  /// Reads whatever item an answer shows; nil when it shows none that has an id.
  init?(_ answer: ReplayAnswer, _ dialect: Dialect) {
    // An answer that shows no item is asked about again, whatever it holds.
    guard let (shown, json) = answeredJSON(answer, limits: Self.limits),
      case .object(let object) = shown
    else { return nil }
    self.object = object
    self.json = json
    var version: String?
    var isDeleted = false
    var updatedAt: String?
    var id: JSONValue?
    let mark = dialect.systemPrefix
    for member in object.members {
      switch (member.key.lowercased(), member.value) {
      case (dialect.idMember, .string), (dialect.idMember, .number): id = member.value
      case (mark + "version", .string(let text)): version = text
      case (mark + "deleted", let value): isDeleted = truth(value) ?? isDeleted
      case (mark + "updatedat", .string(let text)): updatedAt = text
      default: continue
      }
    }
    // Without the version that it has, a change would go over it without a condition.
    guard let id, version?.contains("\u{FFFD}") != true else { return nil }
    self.id = id
    self.version = usable(answer.etag.flatMap(unquoted)) ?? usable(version)
    self.isDeleted = isDeleted
    self.updatedAt = updatedAt
  }

  /// Whether an id is the item's; letter case tells no two ids of a service apart.
  func isCalled(_ id: String) -> Bool {
    switch self.id {
    case .string(let text): ExactText(folding: text) == ExactText(folding: id)
    case .number(let number): number.text == id
    default: false
    }
  }
}

/// The version that an entity tag holds; nil when it is none.
package func unquoted(_ etag: String) -> String? {
  let text = etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
  guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
    // Some proxies take the quotes away.
    return etag.utf8.contains(UInt8(ascii: "\"")) ? nil : etag
  }
  var version: [UInt8] = []
  for byte in text.utf8.dropFirst().dropLast() {
    // Only quotes are ever escaped.
    if byte == UInt8(ascii: "\""), version.last == UInt8(ascii: "\\") { version.removeLast() }
    version.append(byte)
  }
  return String(decoding: version, as: UTF8.self)
}

/// A version as an entity tag.
package func quoted(_ version: String, _ dialect: Dialect) -> String {
  guard dialect != .toolkit, version.utf8.contains(UInt8(ascii: "\"")) else {
    return "\"" + version + "\""
  }
  return "\"" + version.replacing(byte: UInt8(ascii: "\""), with: "\\\"") + "\""
}

/// A version that can be the condition of a later request.
private func usable(_ version: String?) -> String? {
  guard let version, !version.isEmpty, isHeaderText(version) else { return nil }
  return version
}
