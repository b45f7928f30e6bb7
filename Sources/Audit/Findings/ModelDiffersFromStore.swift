import Records

extension FindingKind {
  /// The model and the tables are not the same.
  static let modelDiffersFromStore = FindingKind(
    "model-differs-from-store", .warning,
    severityNote: "A note where everything is read all the same.",
    title: "the model and the tables are not the same",
    meaning:
      "The store's model says something else than its tables. What is in the tables is read; "
      + "what only the model knows is left out.",
    causes: [
      "A migration by hand, or a tool that changed the file."
    ],
    remedies: [
      "Check the tables and columns named in the message against the app."
    ]
  )
}
