import Bytes
import Formats
import Records
import SyncSDKs

extension FindingKind {
  /// A deleted item that no delete took.
  static let deletedItemLeft = FindingKind(
    "deleted-item-left", .warning,
    severityNote: "A note where the item has no version, or an insert of it waits.",
    title: "a deleted item that no delete in the queue took",
    meaning:
      "The SDK keeps deleted items apart until their deletes have been tried. No delete in the queue "
      + "took this one. Without a version it was never on the server as far as can be told. With one, "
      + "nobody can tell whether the server ever heard of a delete: this may be its only trace, and the "
      + "last copy of the item. It is kept among the errors, with the code "
      + "\(OperationError.codeOfDeletedItem).",
    causes: [
      "The item was added and deleted before it was ever sent: the SDK for Android removes both "
        + "operations and leaves the item here. This is ordinary.",
      "A push of the SDK for Android failed and the app was ended: it takes operations that failed "
        + "out of the queue and puts them back at its end.",
      "The app undid the delete, or another tool changed the queue.",
      "The delete waits and does not say on which item; or it took the last of several items with one "
        + "id, and this is another, or one without an id that can be read.",
    ],
    remedies: [
      "Look on the server for an item that has a version. Where it is still there and no delete of it "
        + "waits, delete it by hand if the app shows it no more."
    ]
  ) { input, sink in
    let inserted = input.insertedItems
    let words = "a deleted item that no delete in the queue took"
    for (_, error) in input.deletedItems {
      if error.item == nil, error.raw != nil {
        sink.raise(error, words + "; it is no JSON object, and is kept as stored")
      } else if let item = ItemOfDevice(error), inserted.contains(item) {
        sink.raise(error, as: .note, words + "; an insert of it waits")
      } else if !input.hasVersion(error) {
        sink.raise(
          error, as: .note,
          words + "; it has no version, so it was never on the server as far as can be told")
      } else {
        sink.raise(error, words)
      }
    }
  }
}

/// An item of one device, byte by byte.
private struct ItemOfDevice: Hashable {
  let source: Int32
  let table: ExactText?
  let id: ExactText

  init?(_ error: OperationError) {
    self.init(error.source, error.table, error.itemID)
  }

  init?(_ source: Int32, _ table: String?, _ id: String?) {
    guard let id else { return nil }
    self.source = source
    self.table = table.map { ExactText($0) }
    self.id = ExactText(id)
  }
}

extension AuditInput {
  fileprivate var deletedItems: some Sequence<(Int, OperationError)> {
    errors { $0.bond == .deletedItem }
  }

  /// Those of the deleted items of which inserts wait.
  fileprivate var insertedItems: Set<ItemOfDevice> {
    let deleted = Set(deletedItems.lazy.compactMap { ItemOfDevice($1) })
    guard !deleted.isEmpty else { return [] }
    return Set(
      pending.lazy.filter { kind(ofOperation: $0) == .insert }.compactMap { index in
        let operation = operations[index]
        return ItemOfDevice(operation.source, operation.table, operation.itemID)
      }.filter(deleted.contains))
  }

  /// Whether a deleted item has a version, under any name that the SDK has for it.
  fileprivate func hasVersion(_ error: OperationError) -> Bool {
    guard let item = error.item.flatMap({ JSONObject(parsing: $0.span) }) else { return false }
    return sdks[error.source].systemPrefixes.contains { prefix in
      if case .string(let version)? = item[prefix + "version"] { !version.isEmpty } else { false }
    }
  }
}
