import Records

extension FindingKind {
  /// A failure that does not tell its cause.
  static let errorOfUnknownCause = FindingKind(
    "error-of-unknown-cause", .warning,
    title: "a failure that does not tell its cause",
    meaning: "An error belongs to the operation, but its payload is empty or cannot be read.",
    causes: [
      "Another tool rewrote the errors, or the file was damaged."
    ],
    remedies: [
      "Look at the raw payload with 'rehome ops show'; replaying the operation will give the "
        + "cause again."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.unknown) {
      sink.raise(error, input.failureText(index))
    }
  }
}
