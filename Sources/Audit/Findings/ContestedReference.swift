import Records

extension FindingKind {
  /// A partner that several rows claim.
  static let contestedReference = FindingKind(
    "contested-reference", .warning,
    title: "several rows that claim one partner",
    meaning:
      "In a one-to-one relationship several rows point to the same row, which can belong to "
      + "one of them only. All references are kept as they are stored.",
    causes: [
      "A tool, or an app that wrote to the file past its framework, moved the partner to "
        + "another row and left the old reference behind."
    ],
    remedies: [
      "Look at the rows that share the partner and decide which of them has it."
    ]
  )
}
