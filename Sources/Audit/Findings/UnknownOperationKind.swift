import Records

extension FindingKind {
  /// An operation of a kind that the SDK does not have.
  static let unknownOperationKind = FindingKind(
    "unknown-operation-kind", .error,
    title: "an operation of a kind that the SDK does not have",
    meaning:
      "The payload is readable, but its code stands for no kind of operation that any known "
      + "release writes.",
    causes: [
      "Another tool, or a modified SDK, wrote into the queue."
    ],
    remedies: [
      "Find out what the code meant to the app; then send the change by hand and mark the "
        + "operation as dropped."
    ]
  ) { input, sink in
    for index in input.pending where input.kind(ofOperation: index) == nil {
      guard input.hasUnknownCode(index), !input.isCommand(index) else { continue }
      sink.raise(at: index, "the code of the operation stands for no known kind")
    }
  }
}
