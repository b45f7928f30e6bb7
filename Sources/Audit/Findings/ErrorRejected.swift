import Records

extension FindingKind {
  /// A change that the server or the SDK refused.
  static let errorRejected = FindingKind(
    "error-rejected", .error,
    title: "a change that the server or the SDK refused",
    meaning:
      "The request was refused for what it is: a field that is not allowed, a missing right, "
      + "an item that is not there, or an item that cannot be sent at all. Sent again as it is, "
      + "it will be refused again.",
    causes: [
      "The server's rules or its table changed after the app was written.",
      "The item was deleted on the server (404, 410).",
      "The iOS SDK could not build the request: the row is gone (-1101), has no valid id "
        + "(-1102, -1105), or holds binary data (-1103).",
    ],
    remedies: [
      "Read the message, repair the item in a copy, or mark the operation as dropped. While "
        + "it waits, it blocks every pull of its table."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.rejected) {
      sink.raise(error, input.failureText(index))
    }
  }
}
