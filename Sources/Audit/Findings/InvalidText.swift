import Records

extension FindingKind {
  /// Text that is not UTF-8.
  static let invalidText = FindingKind(
    "invalid-text", .warning,
    title: "text that is not UTF-8",
    meaning:
      "The bytes of a text are not valid. The cell is left empty, and the raw bytes are kept.",
    causes: [
      "The app stored text in another encoding, or the file was damaged."
    ],
    remedies: [
      "Look at the raw values in the table rehome_reject of the converted store."
    ]
  ) { input, sink in
    input.raiseRejects(.invalidText, &sink) { "\($0) texts are not UTF-8" }
  }
}
