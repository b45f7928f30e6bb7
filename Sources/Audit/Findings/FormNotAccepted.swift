import Records

extension FindingKind {
  /// Values of a plain file that are not of the type that was given.
  static let formNotAccepted = FindingKind(
    "form-not-accepted", .note,
    title: "values in a form that is not accepted",
    meaning:
      "Values of a plain file are not spelled as their column's type may be. Their cells are empty, "
      + "and the values are in rehome_reject. The message tells which forms are accepted; weeks "
      + "and days of the year, such as 2016-W40-6, and dates with the day or the month first are "
      + "not, because they cannot be told apart.",
    causes: [
      "The type was given with --type, and some values are of another kind or spelled otherwise."
    ],
    remedies: [
      "Write the rows with --rejects, correct them, and seed again with --corrected. Where all "
        + "values are of that form, --decimal-comma or --type T.C=excel-date may say how to read "
        + "them."
    ]
  )
}
