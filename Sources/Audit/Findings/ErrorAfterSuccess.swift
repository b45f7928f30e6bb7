import Records

extension FindingKind {
  /// A change that the server took and the app never noticed.
  static let errorAfterSuccess = FindingKind(
    "error-after-success", .warning,
    title: "a change that the server took and the app never noticed",
    meaning:
      "The server answered with success, but the SDK could not read the answer, kept the "
      + "operation and wrote an error. The change is most likely on the server.",
    causes: [
      "A server that answers with 204, 304 or an empty body, which the iOS SDK takes for a "
        + "failure of inserts and updates."
    ],
    remedies: [
      "Replay it with a policy for conflicts; an insert may be answered with 409, an update "
        + "with 412."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.answered) {
      sink.raise(error, input.failureText(index))
    }
  }
}
