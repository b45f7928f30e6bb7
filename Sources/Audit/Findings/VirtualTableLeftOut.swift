import Records

extension FindingKind {
  /// A virtual table is not read as such.
  static let virtualTableLeftOut = FindingKind(
    "virtual-table-left-out", .note,
    title: "a virtual table is not read as such",
    meaning:
      "The rows of a virtual table are made by a module of SQLite: full-text search, boxes, or one "
      + "that only the app has. No module is run. The rows of full-text tables (fts3, fts4, fts5) "
      + "are taken from their content tables, and boxes (rtree) from their nodes, under the name of "
      + "the virtual table; indexes are left out. It is a warning where the rows cannot be taken.",
    causes: [
      "The app searches texts or places.",
      "A full-text table without texts of its own, or a module that only the app has.",
    ],
    remedies: [
      "Make the index anew in the new store; a full-text index comes from the texts alone.",
      "Where rows are missing, let the app itself export them.",
    ]
  )
}
