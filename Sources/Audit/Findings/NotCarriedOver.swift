import Records

extension FindingKind {
  /// What a store of another kind has no place for.
  static let notCarriedOver = FindingKind(
    "not-carried-over", .warning,
    severityNote: "An error where a change would not be sent, and a note where only the form "
      + "differs.",
    title: "what the new store cannot hold as it was",
    meaning:
      "A store for an app has no place for something that the input has, or holds it in another "
      + "form. The message says what, and how often.",
    causes: [
      "The SDK for which the store is made keeps less than the one that the data come from.",
      "An operation has lost its row, or its table was left out.",
    ],
    remedies: [
      "Look at the operations concerned with 'rehome audit' on the input.",
      "Make a canonical store with 'rehome convert', which has a place for everything.",
    ]
  )

  /// Rows that the rules of a store do not let in.
  static let rowRefused = FindingKind(
    "row-refused", .error,
    title: "rows that the new store refuses",
    meaning:
      "The app's own store has rules that a row breaks, such as an id that must be there and must "
      + "differ from all others. The row is not in the new store, and counts as rejected.",
    causes: [
      "Old stores do not insist on ids, and may hold two rows with one.",
      "The app's new model demands a value that old rows do not have.",
    ],
    remedies: [
      "Find the rows with 'rehome audit' on the input, or with SQL in a canonical store.",
      "Correct them there or in an export, and seed again.",
    ]
  )
}
