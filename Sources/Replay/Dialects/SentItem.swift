import Formats
import Records

/// The item that a step sends, without what its dialect keeps out of a body.
struct SentItem: Sendable {
  /// Its members; the id comes first.
  private(set) var object: JSONObject
  /// What the SDK leaves out, with the default values that services take these members for.
  let leftOut: [JSONObject.Member]
  /// The members, in lower case, that are the SDK's and not the app's.
  let sdkMembers: Set<String>
  /// What the device calls the id, in lower case.
  let idMember: String?
  /// When the device had changed it.
  let updatedAt: String?
  /// What the SDK calls the change, by which a server may know that it comes again.
  let changeID: String?
  private let dialect: Dialect

  /// Prepares an item; nil when its text is no JSON object.
  init?(_ item: ReplayItem, id: String, _ dialect: Dialect) {
    // What cannot be read cannot be sent, which the caller tells.
    guard
      case .object(let given)? = try? JSONValue(
        parsing: item.json.span, limits: .standard.inside(levels: 1))
    else { return nil }
    let id = JSONObject.Member(key: dialect.idMember, value: .string(id))
    var members = dialect.sendsSets ? [] : [id]
    var time = item.updatedAt
    for member in given.members {
      let name = member.key.lowercased()
      if time == nil, case .string(let text) = member.value, isUpdateTime(name) { time = text }
      if !dialect.sendsSets, name == dialect.idMember || dialect.isStripped(name) { continue }
      // Datasync takes a version from anybody.
      let isKept = dialect == item.sdkDialect || dialect == .v3 && name == "version"
      if item.sdkMembers.contains(name), !isKept { continue }
      members.append(member)
    }
    guard let object = JSONObject(members) else { return nil }
    self.object = object
    self.dialect = dialect
    leftOut = item.leftOut
    sdkMembers = item.sdkMembers
    idMember = item.idMember
    updatedAt = time
    changeID = item.changeID
  }

  /// The same change with pointers by the server's names; nil where one leads to no known object.
  func resolved(by pointers: LocalPointers) -> SentItem? {
    guard case .object(let resolved)? = pointers.resolved(.object(object)) else { return nil }
    var sent = self
    sent.object = resolved
    return sent
  }

  /// The same change as it is shown before anything is sent, and sent where the names of devices do,
  /// too.
  func shown(by pointers: LocalPointers) -> SentItem {
    guard !pointers.objects.isEmpty, case .object(let shown) = pointers.shown(.object(object))
    else { return self }
    var sent = self
    sent.object = shown
    return sent
  }

  /// The body of a request whose condition is on a version, or of one without condition.
  ///
  /// Where the item is merged with what the server has, nothing is left out.
  func body(condition: String?, isAlive: Bool, isMerged: Bool = false) -> [UInt8] {
    var object = object
    if isMerged, !leftOut.isEmpty { object = JSONObject(object.members + leftOut) ?? object }
    if condition != nil || isAlive {
      let members = object.members.map { member in
        changed(member, condition: condition, isAlive: isAlive)
      }
      object = JSONObject(members) ?? object
    }
    return object.json
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
