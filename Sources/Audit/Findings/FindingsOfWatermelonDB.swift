import Records

/// What only stores of WatermelonDB show; their reader sees it.
extension FindingKind {
  /// A state that the SDK never pushes.
  static let unknownSyncStatus = FindingKind(
    "unknown-sync-status", .warning,
    title: "a row whose state is none of the four words",
    meaning:
      "The state of the row is missing or is none of synced, created, updated and deleted. The SDK "
      + "never pushes such a row, so it counts as no operation.",
    causes: ["The app wrote the state by hand, or with SQL of its own."],
    remedies: ["Compare the row with the server's; send it by hand where it is missing there."])

  /// Changed columns that will not be pushed.
  static let changedWithoutStatus = FindingKind(
    "changed-without-status", .note,
    title: "changed columns in a row that counts as sent",
    meaning:
      "The row names changed columns, but its state is synced: the changes are not pushed, and a "
      + "later pull may overwrite them.",
    causes: ["The app wrote the row by hand.", "An old version did not repair such rows."],
    remedies: ["Compare the row with the server's."])

  /// An update that names no column.
  static let updateWithoutChanges = FindingKind(
    "update-without-changes", .note,
    title: "an update that names no changed column",
    meaning: "The row counts as updated, but names no column that has changed.",
    causes: ["The app set the state by hand."],
    remedies: ["Nothing: the whole row is sent in any case."])

  /// A changed column that is not there.
  static let changedNamesUnknownColumn = FindingKind(
    "changed-names-unknown-column", .note,
    title: "a changed column that the table does not have",
    meaning: "The row names a column as changed that its table lacks.",
    causes: ["A newer version of the app renamed or removed the column."],
    remedies: ["Nothing: the value is gone, the rest of the row is sent."])

  /// A time that is likely to be none.
  static let timestampImplausible = FindingKind(
    "timestamp-implausible", .warning,
    title: "times that are not in milliseconds of our age",
    meaning:
      "Times of the column are neither 0 nor between the years 1973 and 2286. They are kept as the "
      + "milliseconds that they would be.",
    causes: ["The app stored seconds, or a number that is no time."],
    remedies: ["Where the column holds no times, give its type with --type."])

  /// Types that the file does not declare.
  static let typesInferred = FindingKind(
    "types-inferred", .note,
    title: "types that follow from values and names",
    meaning:
      "The file declares no types. What the columns hold was concluded from all of their values and "
      + "from their names.",
    causes: ["WatermelonDB keeps the app's schema in the app alone."],
    remedies: ["Compare the types with the app's schema; --type TABLE.COLUMN=TYPE decides."])

  /// Columns that were never pulled.
  static let migrationSyncPending = FindingKind(
    "migration-sync-pending", .note,
    title: "a pull for new columns is due",
    meaning:
      "The last pull was made for an older version of the app's schema. Columns and tables that came "
      + "later were never fetched for rows that the server had before.",
    causes: ["The app was updated and not online since.", "It does not enable such pulls."],
    remedies: ["Take the values of the newer columns from the server."])

  /// Deleted rows that wait.
  static let tombstones = FindingKind(
    "tombstones", .note,
    title: "deleted rows that wait",
    meaning:
      "Rows that the app has deleted are still in the file, hidden from every query, until the "
      + "server has taken their deletes. Here they are payloads of deletes, and no rows.",
    causes: ["They were deleted since the last push.", "The app never pushes."],
    remedies: ["Nothing: whether the server has them, the file does not tell; a 404 is as good."])
}
