import Records

extension FindingKind {
  /// Columns of one name that differ.
  static let columnTypesDiffer = FindingKind(
    "column-types-differ", .note,
    title: "a column that is not the same in all stores",
    meaning:
      "Several stores were converted into one, and a column of this name has another type or "
      + "purpose in some of them. Where one type holds the values of all, the column has that "
      + "type: integer for truth values, real or decimal for whole numbers, otherwise text, in "
      + "the spelling that an export has. A whole number that a real column cannot hold exactly "
      + "is rejected, and kept in rehome_reject. Bytes, references and the columns of the SDK are never "
      + "mixed with values: they get a column of their own, with a number behind the name.",
    causes: [
      "The stores come from different versions of the app, or from different platforms."
    ],
    remedies: [
      "Nothing, as no value is lost. A program that reads the store must expect the "
        + "wider type."
    ]
  )
}
