import Records

extension FindingKind {
  /// A name that had to give way.
  static let nameChanged = FindingKind(
    "name-changed", .note,
    title: "a table or column that has another name here",
    meaning:
      "The name that the app uses is reserved, or taken by another table or column when "
      + "letter case does not count. The catalogue keeps the app's own name as the source "
      + "name.",
    causes: [
      "Names that begin with rehome_ or sqlite_, a column named _pk, or names that differ "
        + "only in letter case."
    ],
    remedies: [
      "Use the new name with rehome and the old one with the app."
    ]
  )
}
