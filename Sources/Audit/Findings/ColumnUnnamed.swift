import Records

extension FindingKind {
  /// A column with values under an empty name.
  static let columnUnnamed = FindingKind(
    "column-unnamed", .note,
    title: "a column of a plain file without a name",
    meaning:
      "The header of a CSV file has an empty name over a column that has values. The column is "
      + "called column and its number. Columns at the end with neither name nor value are left out.",
    causes: [
      "pandas writes the index of a table without a name; spreadsheets have cells beside the table."
    ],
    remedies: [
      "Give the column a name in the file where it matters."
    ]
  )
}
