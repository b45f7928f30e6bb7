import Formats
import Records

/// Whether the server has every field that was sent, with the value that was sent.
///
/// What a server adds does not matter, nor how it spells names, numbers, truth and moments.
func isCarried(_ sent: SentItem, by item: ServerItem, _ dialect: Dialect) -> Bool {
  // A service that shows some such value leaves out none but null.
  let omitsNothings = !item.object.members.contains { isNothing($0.value) }
  return areCarried(
    appMembers(of: sent.object, dialect), by: item.object, omittingNothings: omitsNothings)
}

/// Whether the server's item shows at least one value that was sent.
func isCarriedInPart(_ sent: SentItem, by item: ServerItem, _ dialect: Dialect) -> Bool {
  appMembers(of: sent.object, dialect).contains { member in
    !isNothing(member.value)
      && areCarried([member], by: item.object, omittingNothings: false)
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
  /// A mark of what the app keeps in it.
  func mark(_ dialect: Dialect) -> String {
    var mark = ValueMark()
    mark.add(.object(JSONObject(appMembers(of: object, dialect)) ?? object))
    return mark.digits
  }
}
