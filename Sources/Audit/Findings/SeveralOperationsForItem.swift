import Records

extension FindingKind {
  /// Several operations for one item.
  static let severalOperationsForItem = FindingKind(
    "several-operations-for-item", .note,
    severityNote:
      "A warning where the SDK keeps at most one operation for an item: every SDK but those "
      + "for iOS and Cordova.",
    title: "several operations for one item",
    meaning:
      "More than one operation on the item waits. They are folded into one effect; all of them "
      + "are listed with it.",
    causes: [
      "The item was edited while an operation on it was being sent (all releases of the iOS SDK).",
      "The item was edited after a failed push; in the iOS SDK up to 3.0.0 the failed "
        + "operation stays locked until the app restarts.",
      "Races in the concurrent write queue of the iOS SDK before 2.2.0.",
    ],
    remedies: [
      "Nothing: send the effect, not the single operations."
    ]
  ) { input, sink in
    for index in input.pending {
      guard input.previous(index) == nil, input.next(index) != nil else { continue }
      let count = input.chain(from: index).reduce(0) { count, _ in count + 1 }
      let kinds = input.chain(from: index).prefix(6).map { input.kindName($0) }
      sink.raise(
        at: index, as: input.sdk.keepsSeveralOperations ? nil : .warning,
        count > 6
          ? "\(count) operations wait for the item"
          : "waiting for the item: " + kinds.joined(separator: ", "))
    }
  }
}
