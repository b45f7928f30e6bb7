import Records

extension FindingKind {
  /// A delete that does not hold the deleted item.
  static let deleteWithoutItem = FindingKind(
    "delete-without-item", .warning,
    title: "a delete that does not hold the deleted item",
    meaning:
      "A delete keeps a copy of the item with its version. This one has none, so its SDK can "
      + "never send it, and only the id is known.",
    causes: [
      "The first preview of the iOS SDK (1.3 alpha1, June 2014) did not read the copy back.",
      "The operation was rewritten with modifyOperationType: without an item, or by another tool.",
    ],
    remedies: [
      "Send the delete with the id of the operation; it then carries no condition.",
      "Until it is sent or dropped, the app cannot pull the table.",
    ]
  ) { input, sink in
    guard input.sdk.keepsDeletedItems else { return }
    for index in input.pending where input.kind(ofOperation: index) == .delete {
      guard !input.isSo(.hasItem, index) else { continue }
      sink.raise(
        at: index, "the delete holds no item; only the operation's own id is known")
    }
  }
}
