import Records

extension FindingKind {
  /// The write-ahead log may be missing.
  static let walMissing = FindingKind(
    "wal-missing", .warning,
    title: "the write-ahead log may be missing",
    meaning:
      "A file ending in -shm lies beside the store, but no -wal. The newest changes may be in "
      + "a log that was not copied.",
    causes: [
      "The store was copied without its side files, or while the app was running."
    ],
    remedies: [
      "Copy the store again together with its -wal, and look whether the counts change."
    ]
  )
}
