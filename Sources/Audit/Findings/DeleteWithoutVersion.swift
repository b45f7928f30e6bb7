import Records

extension FindingKind {
  /// A delete without a condition.
  static let deleteWithoutVersion = FindingKind(
    "delete-without-version", .note,
    title: "a delete without a condition",
    meaning:
      "The deleted item was kept without a version, so the delete would be sent without a "
      + "condition.",
    causes: [
      "The app passed only an id to delete:, which is allowed.",
      "The SDK for Cordova keeps only the version of a deleted item, and there was none.",
      "The item had never been confirmed by the server, or its table has no versions.",
    ],
    remedies: [
      "Nothing, unless others may have changed the item meanwhile; then compare with the "
        + "server's copy first."
    ]
  ) { input, sink in
    guard !input.sdk.sendsBranches else { return }
    for index in input.pending where input.kind(ofOperation: index) == .delete {
      guard !input.isSo(.hasBaseVersion, index),
        input.isSo(.hasItem, index) || !input.sdk.keepsDeletedItems,
        !input.followsInsert(index), input.hasVersionColumn(index)
      else { continue }
      sink.raise(at: index, "the deleted item was kept without a version")
    }
  }
}
