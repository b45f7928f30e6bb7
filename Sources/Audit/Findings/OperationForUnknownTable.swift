import Records

extension FindingKind {
  /// An operation for a table that is not here.
  static let operationForUnknownTable = FindingKind(
    "operation-for-unknown-table", .error,
    severityNote: "A warning for a delete, which carries all that is needed.",
    title: "an operation for a table that is not here",
    meaning:
      "The operation names a table that the store does not have, so the row that it would send "
      + "cannot be found.",
    causes: [
      "The entity was renamed in a new version of the app, and the queue kept the old name.",
      "The app handles the items itself (handlesSyncTableOperations is off) and keeps them "
        + "elsewhere.",
      "The store is damaged, or was put together from several.",
    ],
    remedies: [
      "Find the table's new name in the app's models, and send the operation under that name.",
      "If the table is gone for good, mark the operation as dropped.",
    ]
  ) { input, sink in
    // Its reader knows what else an operation may name.
    guard !input.sdk.sendsChanges, !input.sdk.sendsBranches, !input.sdk.hasQueueOnly else { return }
    for index in input.pending {
      guard input.isSo(.namesTable, index), input.table(ofOperation: index) == nil else {
        continue
      }
      sink.raise(
        at: index, as: input.kind(ofOperation: index) == .delete ? .warning : nil,
        "the operation names a table that the store does not have")
    }
  }
}
