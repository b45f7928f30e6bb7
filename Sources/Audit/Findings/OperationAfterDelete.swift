import Records

extension FindingKind {
  /// An operation behind a delete of the item.
  static let operationAfterDelete = FindingKind(
    "operation-after-delete", .warning,
    title: "an operation behind a delete of the item",
    meaning:
      "The item has a pending delete, and another operation on it waits behind. Every SDK "
      + "refuses changes to a deleted item, so the two do not belong together.",
    causes: [
      "A race, or two sync contexts on one store (iOS SDK before 2.2.0).",
      "Two queues were merged, or the store was edited by hand.",
    ],
    remedies: [
      "Decide whether the item shall live; drop the delete, or what follows it."
    ]
  ) { input, sink in
    guard !input.sdk.sendsBranches else { return }
    for index in input.pending {
      guard let earlier = input.previous(index), input.kind(ofOperation: earlier) == .delete else {
        continue
      }
      sink.raise(
        at: index, as: input.sdk.sendsChanges ? .note : nil,
        "a delete of the item waits before this operation")
    }
  }
}
