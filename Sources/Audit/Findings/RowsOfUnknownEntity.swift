import Records

extension FindingKind {
  /// Rows that belong to no entity.
  static let rowsOfUnknownEntity = FindingKind(
    "rows-of-unknown-entity", .error,
    title: "rows that belong to no entity",
    meaning:
      "Rows carry an entity number that the model does not have. The app does not see them, "
      + "and no table can take them.",
    causes: [
      "An entity was removed from the model and its rows stayed, or the file was damaged."
    ],
    remedies: [
      "Read the rows with any SQLite tool if they matter."
    ]
  )
}
