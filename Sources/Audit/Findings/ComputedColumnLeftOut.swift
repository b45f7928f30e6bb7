import Records

extension FindingKind {
  /// A computed column of a plain SQLite file has no value that can be read.
  static let computedColumnLeftOut = FindingKind(
    "computed-column-left-out", .note,
    title: "a computed column cannot be read",
    meaning:
      "The expression of a generated column fails for some row, calls a function that is not "
      + "trusted or not there, or gives more than an eighth of --max-value-bytes. The column is left "
      + "out; what it is computed from is read.",
    causes: [
      "A function that only the app had registered.",
      "Contents that the expression was not made for.",
    ],
    remedies: [
      "Compute the column anew from the others, if it is needed."
    ]
  )
}
