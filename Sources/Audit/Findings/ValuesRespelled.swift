import Records

extension FindingKind {
  /// Dates and truth words that were read as such.
  static let valuesRespelled = FindingKind(
    "values-respelled", .note,
    title: "values of a plain file that are spelled otherwise now",
    meaning:
      "All values of a column are dates or times, or words for true and false, so the column has "
      + "that type. They are kept in its one spelling: 2016-10-01 is 2016-10-01T00:00:00.000Z, and "
      + "TRUE or yes is true. A time without an offset counts as UTC.",
    causes: [
      "Spreadsheets, databases and programs each spell these in their own way."
    ],
    remedies: [
      "Seed with --exact to keep what the file says to the letter, as text, or give a column "
        + "another type with --type. Where times are local ones, add the offset before."
    ]
  )
}
