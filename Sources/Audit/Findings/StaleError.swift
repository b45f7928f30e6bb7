import Records

extension FindingKind {
  /// A failure of what the operation no longer is.
  static let staleError = FindingKind(
    "stale-error", .note,
    title: "a failure of what the operation no longer is",
    meaning:
      "The error names an operation that has changed since, or whose id was given to another "
      + "item meanwhile. It says nothing about the operation that waits now.",
    causes: [
      "Ids of operations start at 1 again when the app starts with an empty queue (all "
        + "releases of the iOS SDK).",
      "An update became a delete after it had failed.",
    ],
    remedies: [
      "Do not judge the waiting operation by this error."
    ]
  ) { input, sink in
    for (index, error) in input.queue.errors.enumerated()
    where input.assessments[index].bond == .stale {
      sink.raise(
        error, "\(input.failureText(index)); the operation has changed since, or is another one")
    }
  }
}
