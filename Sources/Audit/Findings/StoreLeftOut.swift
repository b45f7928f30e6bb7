import Records

extension FindingKind {
  /// A store of several that could not be read.
  static let storeLeftOut = FindingKind(
    "store-left-out", .error,
    title: "a store that could not be read",
    meaning:
      "Several stores were converted into one with --skip-unreadable, and this one could not be "
      + "read. Nothing of it is here, neither its rows nor its operations.",
    causes: [
      "The copy was cut off, or made while the app wrote to the store.",
      "The store or its backup is encrypted, or the file only has the name of one.",
    ],
    remedies: [
      "Copy it again with its -wal file, or see with 'rehome inspect --salvage' what can still be "
        + "read.",
      "Convert all stores anew when it can be read; merging it later gives it a later place in the "
        + "queue.",
    ]
  )
}
