import Records

extension FindingKind {
  /// An insert behind another operation on the item.
  static let insertAfterPending = FindingKind(
    "insert-after-pending", .warning,
    title: "an insert behind another operation on the item",
    meaning:
      "An insert waits although an update or insert of the same item waits before it. Every "
      + "SDK refuses that, so the two do not belong together.",
    causes: [
      "Duplicate ids or a race let one operation take another's place (iOS SDK before 2.2.0).",
      "Two queues were merged, or the store was edited by hand.",
    ],
    remedies: [
      "Look at both with 'rehome ops show'. They are kept in order as two effects; drop the "
        + "one that is not meant."
    ]
  ) { input, sink in
    guard !input.sdk.sendsChanges, !input.sdk.sendsBranches else { return }
    for index in input.pending where input.kind(ofOperation: index) == .insert {
      guard let earlier = input.previous(index), input.kind(ofOperation: earlier) != .delete else {
        continue
      }
      sink.raise(
        at: index,
        "an \(input.kindName(earlier)) of the item waits before this insert")
    }
  }
}
