import Records

extension FindingKind {
  /// Metadata that is no property list.
  static let metadataUnreadable = FindingKind(
    "metadata-unreadable", .warning,
    title: "a store's metadata that cannot be read",
    meaning:
      "The property list in Z_METADATA is damaged. The app itself cannot open such a store; "
      + "its rows are read all the same, only without the hashes by which a model is "
      + "recognised.",
    causes: [
      "The file was damaged, or a tool wrote to the table."
    ],
    remedies: [
      "Look for another copy of the store; if there is none, check the tables and their "
        + "names with care."
    ]
  )
}
