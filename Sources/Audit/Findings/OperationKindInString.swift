import Records

extension FindingKind {
  /// An operation whose kind is a number in a string.
  static let operationKindInString = FindingKind(
    "operation-kind-in-string", .note,
    title: "an operation whose kind is a number in a string",
    meaning:
      "The payload gives the kind as text instead of a number. The iOS SDK converts it, and so "
      + "does rehome.",
    causes: [
      "Another tool, or a custom serialiser, rewrote the payload."
    ],
    remedies: [
      "Nothing; check that other parts of the payload are as expected."
    ]
  ) { input, sink in
    guard input.sdk.hasKindsInPayloads else { return }
    for index in input.pending where input.isSo(.hasQuotedCode, index) {
      guard input.kind(ofOperation: index) != nil else { continue }
      sink.raise(
        at: index, "the kind is a number in a string; read as the SDK reads it")
    }
  }
}
