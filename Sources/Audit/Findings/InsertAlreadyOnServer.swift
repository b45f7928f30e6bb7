import Records

extension FindingKind {
  /// An insert of a row that the server has confirmed.
  static let insertAlreadyOnServer = FindingKind(
    "insert-already-on-server", .warning,
    title: "an insert of a row that the server has confirmed",
    meaning:
      "An insert waits, but its row has a version, which only the server gives. The insert was "
      + "most likely carried out already, and sending it again will be answered with 409.",
    causes: [
      "The app ended, or the operation could not be removed (error -1154), after the server "
        + "had answered.",
      "An SDK before 2.0.0 allowed an insert over a row that was there already.",
    ],
    remedies: [
      "Send it with a policy for conflicts; a 409 whose server copy equals the row counts as done."
    ]
  ) { input, sink in
    guard !input.sdk.sendsBranches else { return }
    for index in input.pending where input.kind(ofOperation: index) == .insert {
      guard input.sendsRowWithVersion(index) else { continue }
      sink.raise(at: index, "the row to be inserted has a version, so the server seems to have it")
    }
  }
}
