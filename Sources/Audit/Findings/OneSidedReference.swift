import Records

extension FindingKind {
  /// A one-to-one relationship that only one side knows.
  static let oneSidedReference = FindingKind(
    "one-sided-reference", .note,
    title: "a one-to-one relationship that only one side knows",
    meaning:
      "Of two rows that should point to each other, only one does. The other side is filled in "
      + "from it.",
    causes: [
      "The framework normally writes both sides; a tool or a crash left one out."
    ],
    remedies: [
      "Nothing, unless the relationship looks wrong."
    ]
  )
}
