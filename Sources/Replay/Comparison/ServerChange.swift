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

  /// A field with what was sent, and with what the server shows.
  package init(field: String, sent: JSONValue, kept: JSONValue?) {
    self.field = field
    self.sent = sent
    self.kept = kept
  }
}

/// The fields of an item that a server shows otherwise than they were sent.
///
/// Its own properties do not count, nor do spellings of the same number, truth, moment or UUID. An
/// answer that shows none of the fields says nothing about them.
func changes(of sent: SentItem, by item: ServerItem, _ dialect: Dialect) -> [ServerChange] {
  let shown = item.foldedMembers
  let members = appMembers(of: sent, dialect)
  let isSilent = (members + sent.leftOut).allSatisfy { shown[ExactText(folding: $0.key)] == nil }
  guard !isSilent else { return [] }
  let changes = members.compactMap { member -> ServerChange? in
    let kept = item.object[member.key] ?? shown[ExactText(folding: member.key)]
    let isSame = kept.map { means(member.value, $0, exactly: true) } ?? isNothing(member.value)
    return isSame ? nil : ServerChange(field: member.key, sent: member.value, kept: kept)
  }
  return changes
    + otherDefaults(of: sent, in: item).filter { !isNamed($0.kept, $0.member.value) }
    .map { ServerChange(field: $0.member.key, sent: $0.member.value, kept: $0.kept) }
}

/// Whether a server may show a number by a name, as it does with those of an enumeration.
private func isNamed(_ kept: JSONValue, _ number: JSONValue) -> Bool {
  if case (.string, .number) = (kept, number) { true } else { false }
}
