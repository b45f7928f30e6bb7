import Bytes
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
    let deleted = input.errors { $0.bond == .deletedItem }.map { ($0, ItemOfDevice($1)) }
    let inserted = input.insertedItems(among: Set(deleted.lazy.compactMap(\.1)))
    let words = "a deleted item that no delete in the queue took"
    var errors = ErrorList.Lookup(input.queue.errors)
    for (place, item) in deleted {
      let error = errors.record(at: place)
      if error.item == nil, error.raw != nil {
        sink.raise(
          error,
          words
            + "; it is no JSON object, and is kept as stored, in a converted store in rehome_error.raw"
        )
      } else if let item, inserted.contains(item) {
        sink.raise(error, as: .note, words + "; an insert of it waits")
      } else if !(error.item.map(input.sdks[error.source].hasVersion) ?? false) {
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
  /// Those of some items of which inserts wait.
  fileprivate func insertedItems(among deleted: Set<ItemOfDevice>) -> Set<ItemOfDevice> {
    guard !deleted.isEmpty else { return [] }
    return Set(
      pending.lazy.filter { kind(ofOperation: $0) == .insert }.compactMap { index in
        let operation = operations[index]
        return ItemOfDevice(operation.source, operation.table, operation.itemID)
      }.filter(deleted.contains))
  }
}
