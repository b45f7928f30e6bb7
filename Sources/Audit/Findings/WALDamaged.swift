import Records

extension FindingKind {
  /// A log that is cut off or damaged.
  static let walDamaged = FindingKind(
    "wal-damaged", .warning,
    title: "a write-ahead log that cannot be read to its end",
    meaning:
      "A file ending in -wal lies beside the store, but it is cut off, or its contents are "
      + "not what their checksums say. The engine stops at that place, so the newest changes "
      + "behind it are not seen.",
    causes: [
      "The file was copied while the app was writing, or the copy was cut off.",
      "It was damaged, or is a file of another kind under that name.",
    ],
    remedies: [
      "Copy the store again together with its -wal.",
      "If there is no other copy, expect that the newest changes are missing.",
    ]
  )
}
