import Records

extension FindingKind {
  /// An operation that was being sent.
  static let operationInDoubt = FindingKind(
    "operation-in-doubt", .warning,
    title: "an operation that was being sent",
    meaning:
      "The SDK had marked the operation as attempted and never noted an outcome, or a replay of "
      + "a canonical store ended so. The server may have the change already.",
    causes: [
      "The app ended, or the network went, between the request and its answer (.NET, "
        + "Datasync and Android SDKs; that for iOS keeps no state)."
    ],
    remedies: [
      "Let 'rehome replay' ask the server for the item before it sends."
    ]
  ) { input, sink in
    for index in input.pending where input.isSo(.isAttempted, index) {
      sink.raise(at: index, "a request was started, and its outcome was never noted")
    }
  }
}
