import Records

extension FindingKind {
  /// An insert that may be on the server, followed by a delete.
  static let insertThenDelete = FindingKind(
    "insert-then-delete", .warning,
    title: "an insert that may be on the server, followed by a delete",
    meaning:
      "The item was inserted and deleted before the insert was confirmed. An SDK normally "
      + "drops both; that it kept them means the insert was being sent, or had failed, and "
      + "nobody knows whether it reached the server.",
    causes: [
      "The item was deleted while its insert was being sent, or after the insert had failed "
        + "(iOS SDK up to 3.0.0)."
    ],
    remedies: [
      "Send the delete, and take 404 for success. Dropping both could leave an item on the "
        + "server that nobody wanted."
    ]
  ) { input, sink in
    guard !input.sdk.sendsBranches else { return }
    for index in input.pending where input.kind(ofOperation: index) == .delete {
      guard input.followsInsert(index) else { continue }
      sink.raise(
        at: index, as: input.sdk.sendsChanges ? .note : nil,
        "the insert before this delete may have reached the server; folded to a delete that takes 404"
      )
    }
  }
}
