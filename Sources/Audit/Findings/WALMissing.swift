import Records

extension FindingKind {
  /// The write-ahead log may be missing.
  static let walMissing = FindingKind(
    "wal-missing", .warning,
    title: "the write-ahead log may be missing",
    meaning:
      "The store says that its changes go to a file ending in -wal first, or a file ending in -shm "
      + "lies beside it, but no -wal. The newest changes, and operations that wait, may be in a log "
      + "that was not copied. Only an app that closes its store, which few do, leaves no log behind; "
      + "so it is a note where no SDK synchronises.",
    causes: [
      "The store was copied without its side files, or while the app was running."
    ],
    remedies: [
      "Copy the store again together with its -wal, and look whether the counts change."
    ]
  )
}
