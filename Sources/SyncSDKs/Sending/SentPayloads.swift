import Bytes
import Formats
package import Records

/// Looks at what the payloads of a store's operations have of its columns, device by device.
package struct SentPayloads {
  private let catalogue: Catalogue
  private let places: [ExactText: Int]
  /// The columns by the places of their tables, as the SDKs met so far send them.
  private var columns: [Int: [(style: SDKStyle, sent: SentColumns)]] = [:]

  package init(_ catalogue: Catalogue) { (self.catalogue, places) = (catalogue, catalogue.places) }

  /// What the payload of an insert or update has; nil where there is none, or where nobody knows its
  /// columns.
  package mutating func fields(
    of operation: borrowing PendingOperation, _ style: SDKStyle
  ) -> SentFields? {
    guard operation.kind != .delete, let item = operation.item,
      let table = operation.table.flatMap({ places[ExactText($0)] })
    else { return nil }
    let known = columns[table]?.first { $0.style == style }
    let sent = known?.sent ?? SentColumns(of: catalogue.tables[table], style)
    if known == nil { columns[table, default: []].append((style, sent)) }
    return SentFields(of: item, sent)
  }

  /// What is sent of a payload that is shown as a row; nil for another one.
  package mutating func itemOfRow(
    _ operation: borrowing PendingOperation, _ style: SDKStyle
  ) -> [UInt8]? {
    guard operation.item?.starts(with: JSONObject.startOfRow) == true else { return nil }
    return fields(of: operation, style)?.item
  }

  /// Whether the payload of an insert or update refers to items whose keys only the row may have.
  package mutating func needsRow(
    _ operation: borrowing PendingOperation, _ style: SDKStyle
  ) -> Bool {
    // What refers to an item is an object inside of the payload.
    guard operation.item?.dropFirst().contains(UInt8(ascii: "{")) == true else { return false }
    return fields(of: operation, style)?.needsRow ?? false
  }
}

/// The columns of a table of which an SDK sends values, under all names that a payload may have for them.
private struct SentColumns {
  let columns: [Column]
  let names: Set<ExactText>

  init(of table: Table, _ style: SDKStyle) {
    columns = table.columns.filter(style.sends)
    names = Set(columns.flatMap { [ExactText($0.sourceName), ExactText($0.name)] })
  }
}

/// What the payload of an insert or update has of the columns of which its SDK sends values.
package struct SentFields: Sendable {
  private let members: [JSONObject.Member]
  /// The payload without anything else.
  package var item: [UInt8]? { JSONObject(members)?.json }
  /// Whether the rest refers to items whose keys only the row may have, so that without its row the item
  /// would reach the server as one that refers to nothing.
  package let needsRow: Bool

  /// Looks at a payload; nil where it is no object, which is refused when it is to be sent.
  fileprivate init?(of item: [UInt8], _ sent: SentColumns) {
    guard let object = JSONObject(parsing: item.span) else { return nil }
    guard !object.isRow else {
      members = Self.members(ofRow: object, sent.columns)
      needsRow = false
      return
    }
    members = object.members.filter { sent.names.contains(ExactText($0.key)) }
    needsRow =
      members.count < sent.columns.count
      && object.members.contains {
        !sent.names.contains(ExactText($0.key)) && Self.refersToItem($0.value)
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
  /// What the text of a row begins with.
  fileprivate static let startOfRow = Array("{\"_pk\":".utf8)

  /// Whether it is a row as lists show it, which begins with a key that no SDK sends.
  var isRow: Bool {
    guard let first = members.first, hasSameBytes(first.key, "_pk"), case .number = first.value
    else { return false }
    return true
  }
}
