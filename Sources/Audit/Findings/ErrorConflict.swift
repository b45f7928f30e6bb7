import Records

extension FindingKind {
  /// A change that the server did not take because it has another version.
  static let errorConflict = FindingKind(
    "error-conflict", .warning,
    severityNote:
      "A note where the server's copy equals what would be sent, apart from its own fields.",
    title: "a change that the server did not take because it has another version",
    meaning:
      "The server answered 409 or 412: it has the item already, or somebody else has changed "
      + "it since the device last saw it. Nothing was overwritten; the change still waits.",
    causes: [
      "Somebody else edited the item.",
      "The insert or an earlier update did reach the server, and its answer was lost.",
      "The answer to an earlier update was thrown away because another operation was "
        + "pending, so the version here is old (issue 612 of azure-mobile-services).",
    ],
    remedies: [
      "Compare both copies, which the audit shows field by field, and choose a policy: "
        + "'rehome replay --on-conflict'."
    ]
  ) { input, sink in
    for (index, error) in input.currentErrors(.conflict) {
      let fields = input.assessments[index].differences?.filter { !$0.isSystemField }.map(\.field)
      let details =
        fields.map {
          $0.isEmpty ? "; both copies say the same" : "; they differ in " + $0.shortList
        } ?? ""
      sink.raise(error, as: fields == [] ? .note : nil, input.failureText(index) + details)
    }
  }
}
