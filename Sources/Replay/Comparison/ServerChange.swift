import Bytes
package import Formats
import Records

/// A field that the server keeps otherwise than it was sent, although it took the change.
package struct ServerChange: Sendable, Equatable {
  /// The field's name as it was sent.
  package let field: String
  /// What was sent, as JSON.
  package let sent: JSONValue
  /// What the server shows; nil where it leaves the field out.
  package var kept: JSONValue?
}

/// The fields of an item that a server shows otherwise than they were sent.
///
/// Its own properties do not count, nor do spellings of the same number, truth, moment or UUID. An
/// answer that shows none of the fields says nothing about them.
func changes(of sent: SentItem, by item: ServerItem, _ dialect: Dialect) -> [ServerChange] {
  var shown: [ExactText: JSONValue] = [:]
  for member in item.object.members { shown[ExactText(folding: member.key)] = member.value }
  let members = appMembers(of: sent.object, dialect)
  let isSilent = members.allSatisfy { shown[ExactText(folding: $0.key)] == nil }
  return isSilent
    ? []
    : members.compactMap { member in
      let kept = item.object[member.key] ?? shown[ExactText(folding: member.key)]
      let isSame = kept.map { means(member.value, $0, exactly: true) } ?? isNothing(member.value)
      return isSame ? nil : ServerChange(field: member.key, sent: member.value, kept: kept)
    }
}
