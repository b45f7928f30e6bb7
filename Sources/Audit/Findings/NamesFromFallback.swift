import Records

extension FindingKind {
  /// Names that were guessed from columns.
  static let namesFromFallback = FindingKind(
    "names-from-fallback", .note,
    severityNote: "A warning where the store has a model that cannot be used.",
    title: "names that were guessed from columns",
    meaning:
      "The store carries no model, so tables and columns have the names that the SDK is known "
      + "to use, or those of the columns in upper case.",
    causes: [
      "Stores of systems before 2016 have no embedded model."
    ],
    remedies: [
      "Give the app's model with --model FILE; any version that fits the store will do."
    ]
  )
}
