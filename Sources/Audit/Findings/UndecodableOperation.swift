import Records

extension FindingKind {
  /// An operation whose payload cannot be read.
  static let undecodableOperation = FindingKind(
    "undecodable-operation", .error,
    title: "an operation whose payload cannot be read",
    meaning:
      "The payload is missing, is not what the SDK writes, or does not say what kind of "
      + "operation it is. The iOS SDK itself would take it for an insert, the others stop at it; "
      + "rehome does not guess.",
    causes: [
      "A migration or another tool rewrote the queue.",
      "The file was damaged and repaired.",
    ],
    remedies: [
      "Look at the raw payload with 'rehome ops show'.",
      "Compare the row with the server's copy to see what the change was, then mark the "
        + "operation as dropped.",
    ]
  ) { input, sink in
    for index in input.pending where input.kind(ofOperation: index) == nil {
      guard !input.hasUnknownCode(index), !input.isCommand(index) else { continue }
      sink.raise(
        at: index, "the payload does not tell what kind of operation this is")
    }
    for index in input.pending where input.hasStrangePayload(index) {
      sink.raise(at: index, "the payload is no JSON object")
    }
  }
}
