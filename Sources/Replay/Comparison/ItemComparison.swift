import Bytes
import Formats
import Records

/// Whether the server has every field that was sent, with the value that was sent, and no other than
/// default values in those that the SDK leaves out.
///
/// What a server adds does not matter, nor how it spells names, numbers, truth and moments.
func isCarried(_ sent: SentItem, by item: ServerItem, _ dialect: Dialect) -> Bool {
  areCarried(
    appMembers(of: sent, dialect), by: item.object,
    omittingNothings: mayOmitNothings(item.object))
    && otherDefaults(of: sent, in: item).isEmpty
}

/// What the SDK leaves out, and the server has with other than default values.
func otherDefaults(
  of sent: SentItem, in item: ServerItem
) -> [(member: JSONObject.Member, kept: JSONValue)] {
  guard !sent.leftOut.isEmpty else { return [] }
  let shown = item.foldedMembers
  return sent.leftOut.compactMap { member in
    guard let kept = item.object[member.key] ?? shown[ExactText(folding: member.key)],
      !isDefault(kept, as: member.value)
    else { return nil }
    return (member, kept)
  }
}

/// Whether a value is the default one for which a member was left out.
private func isDefault(_ value: JSONValue, as leftOut: JSONValue) -> Bool {
  if case .string(let text) = value, isEmptyText(text) { return true }
  return value == .null || means(leftOut, value)
}

/// Whether the server's item shows at least one value that was sent.
func isCarriedInPart(_ sent: SentItem, by item: ServerItem, _ dialect: Dialect) -> Bool {
  appMembers(of: sent, dialect).contains { member in
    !isNothing(member.value)
      && areCarried([member], by: item.object, omittingNothings: false)
  }
}

/// The members of a change that are the app's own, and neither the SDK's nor the id once more.
func appMembers(of sent: SentItem, _ dialect: Dialect) -> [JSONObject.Member] {
  appMembers(of: sent.object, dialect).filter { member in
    let name = member.key.lowercased()
    return name != sent.idMember && !sent.sdkMembers.contains(name)
  }
}

/// The members of an item that are the app's own.
func appMembers(of object: JSONObject, _ dialect: Dialect) -> [JSONObject.Member] {
  object.members.filter { member in
    let name = member.key.lowercased()
    return name != dialect.idMember && !dialect.isSystemProperty(name)
  }
}

extension ServerItem {
  /// Its members by their names without regard to letter case.
  var foldedMembers: [ExactText: JSONValue] {
    var members: [ExactText: JSONValue] = [:]
    for member in object.members { members[ExactText(folding: member.key)] = member.value }
    return members
  }

  /// A mark of what the app keeps in it.
  func mark(_ dialect: Dialect) -> String {
    var mark = ValueMark()
    mark.add(.object(JSONObject(appMembers(of: object, dialect)) ?? object))
    return mark.digits
  }
}
