import Records

extension FindingKind {
  /// A log that ends with an unfinished change.
  static let walUncommitted = FindingKind(
    "wal-uncommitted", .note,
    title: "a write-ahead log with a change that was never finished",
    meaning:
      "The last pages of the write-ahead log belong to a change that the app had begun and "
      + "not committed. The app would not see it either, and it is left out.",
    causes: [
      "The app was stopped while it was writing."
    ],
    remedies: [
      "Nothing."
    ]
  )
}
