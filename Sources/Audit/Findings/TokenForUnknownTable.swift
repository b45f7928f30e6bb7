import Records

extension FindingKind {
  /// A delta token of a table that is not here.
  static let tokenForUnknownTable = FindingKind(
    "token-for-unknown-table", .note,
    title: "a delta token of a table that is not here",
    meaning: "The token names no table, or one that the store does not have.",
    causes: [
      "The entity was renamed or removed in a new version of the app.",
      "A helper of the iOS SDK's own tests wrote tokens without a table.",
    ],
    remedies: [
      "Nothing; tokens are not needed to move the data."
    ]
  ) { input, sink in
    for token in input.queue.tokens where token.table != nil || !input.sdk.hasTokensOfStore {
      guard input.place(ofTable: token.table) == nil else { continue }
      sink.raise(table: token.table, "the token names no table of the store")
    }
  }
}
