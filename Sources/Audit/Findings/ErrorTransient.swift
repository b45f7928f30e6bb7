import Records

extension FindingKind {
  /// A failure that may pass by itself.
  static let errorTransient = FindingKind(
    "error-transient", .note,
    title: "a failure that may pass by itself",
    meaning:
      "The server was busy or broken, or could not be reached. The change itself was not "
      + "judged.",
    causes: [
      "An overloaded server (429, 503), an error inside it (500), a time-out, or no network."
    ],
    remedies: [
      "Replay the operation; it is tried again with growing pauses."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.transient) {
      sink.raise(error, input.failureText(index))
    }
  }
}
