import Records

extension FindingKind {
  /// One store under two names.
  static let sourceGivenTwice = FindingKind(
    "source-given-twice", .warning,
    title: "two stores with the same bytes",
    meaning:
      "Several stores were converted into one, and two of them are the same, byte for byte. "
      + "Items with an id are kept once, but the operations of the store, and rows that have no "
      + "id, are there twice.",
    causes: [
      "A backup was copied, or a pattern of names matches a store and a link to it."
    ],
    remedies: [
      "Convert again, and give the store once. Do not replay the queue of this one: its "
        + "operations would be sent twice."
    ]
  )
}
