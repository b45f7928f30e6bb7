import Records

extension FindingKind {
  /// A failure whose operation is no longer there.
  static let errorWithoutOperation = FindingKind(
    "error-without-operation", .note,
    title: "a failure whose operation is no longer there",
    meaning:
      "An error was written down, but the operation that failed is not in the queue: it was "
      + "sent, cancelled or discarded later. Whether its change reached the server cannot be "
      + "told from here.",
    causes: [
      "The app ended during a push, and the operation was removed afterwards; the SDK "
        + "deletes left-over errors at the end of the next push.",
      "Errors of the 2014 previews of the iOS SDK do not name their operation.",
    ],
    remedies: [
      "Compare the item with the server's copy if the change matters."
    ]
  ) { input, sink in
    for (index, error) in input.queue.errors.enumerated()
    where input.assessments[index].bond == .orphan {
      sink.raise(error, "\(input.failureText(index)); its operation is not in the queue")
    }
  }
}
