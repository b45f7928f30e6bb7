import Bytes
import Formats
package import Records

/// What the payload of an insert or update has of the columns of which its SDK sends values.
package struct SentFields: Sendable {
  /// The payload without anything else.
  package let item: [UInt8]?
  /// Whether the rest refers to items whose keys only the row may have, so that without its row the item
  /// would reach the server as one that refers to nothing.
  package let needsRow: Bool

  /// Looks at an operation's payload; nil where there is none, or where nobody knows its columns.
  package init?(
    of operation: borrowing PendingOperation, _ catalogue: Catalogue, _ style: SDKStyle
  ) {
    guard operation.kind != .delete, let item = operation.item,
      let table = operation.table.flatMap({ catalogue.index(ofTable: $0) }),
      // What is no object is refused when it is to be sent.
      let object = JSONObject(parsing: item.span)
    else { return nil }
    let columns = catalogue.tables[table].columns.filter(style.sends)
    guard !object.isRow else {
      self.item = JSONObject(Self.members(ofRow: object, columns))?.json
      needsRow = false
      return
    }
    let names = Set(columns.flatMap { [ExactText($0.sourceName), ExactText($0.name)] })
    let members = object.members.filter { names.contains(ExactText($0.key)) }
    self.item = JSONObject(members)?.json
    needsRow =
      members.count < columns.count
      && object.members.contains {
        !names.contains(ExactText($0.key)) && Self.refersToItem($0.value)
      }
  }

  /// Whether a member of a payload holds another item, or the key of one.
  private static func refersToItem(_ value: JSONValue) -> Bool {
    // What names the fields of other items stands for those that refer to this one.
    guard case .object(let item) = value, item["dataStoreAssociatedFields"] == nil else {
      return false
    }
    return item["identifiers"] != .array([])
  }

  /// The values of a payload that is shown as a row, under the names that the app gave them; what is
  /// JSON in the row's text is that again.
  private static func members(
    ofRow object: JSONObject, _ columns: [Column]
  ) -> [JSONObject.Member] {
    columns.compactMap { column in
      guard let value = object[column.name] else { return nil }
      var member = JSONObject.Member(key: column.sourceName, value: value)
      if column.type == .json, case .string(let text) = value,
        let nested = try? JSONValue(parsing: text.utf8Span.span)
      {
        member.value = nested
      }
      return member
    }
  }
}

extension JSONObject {
  /// Whether it is a row as lists show it, which begins with a key that no SDK sends.
  fileprivate var isRow: Bool {
    guard let first = members.first, hasSameBytes(first.key, "_pk"), case .number = first.value
    else { return false }
    return true
  }
}
