import Formats

/// The item that a step sends, without what its dialect keeps out of a body.
struct SentItem: Sendable {
  /// Its members; the id comes first.
  let object: JSONObject
  /// When the device had changed it.
  let updatedAt: String?
  private let dialect: Dialect

  private static let limits = FormatLimits(maxDepth: 64, maxObjects: 1_000_000)

  /// Prepares an item; nil when its text is no JSON object.
  init?(_ item: ReplayItem, id: String, _ dialect: Dialect) {
    // What cannot be read cannot be sent, which the caller tells.
    guard
      case .object(let given)? = try? JSONValue(parsing: item.json.span, limits: Self.limits)
    else { return nil }
    var members = [JSONObject.Member(key: dialect.idMember, value: .string(id))]
    var time = item.updatedAt
    for member in given.members {
      let name = member.key.lowercased()
      if time == nil, case .string(let text) = member.value, isUpdateTime(name) { time = text }
      if name == dialect.idMember || dialect.isStripped(name) { continue }
      members.append(member)
    }
    guard let object = JSONObject(members) else { return nil }
    self.object = object
    self.dialect = dialect
    updatedAt = time
  }

  /// The body of a request whose condition is on a version, or of one without condition.
  func body(condition: String?, isAlive: Bool) -> [UInt8] {
    var object = object
    if condition != nil || isAlive {
      let members = object.members.map { member in
        changed(member, condition: condition, isAlive: isAlive)
      }
      object = JSONObject(members) ?? object
    }
    var bytes: [UInt8] = []
    JSONValue.object(object).append(to: &bytes)
    return bytes
  }

  /// A member as it stands in a body with a condition, or in one that brings the item back.
  private func changed(
    _ member: JSONObject.Member, condition: String?, isAlive: Bool
  ) -> JSONObject.Member {
    let name = member.key.lowercased()
    // Elsewhere the app has a member of its own with that name.
    guard dialect.isSystemProperty(name) else { return member }
    var member = member
    if name == "version", let condition { member.value = .string(condition) }
    if name == "deleted", isAlive { member.value = .boolean(false) }
    return member
  }
}

/// Whether a member, its name in lower case, tells when an item was last changed.
func isUpdateTime(_ name: String) -> Bool {
  name == "updatedat" || name == "__updatedat" || name == "ms_updatedat"
}
