import Records

extension FindingKind {
  /// A delta token that is no time.
  static let tokenUnreadable = FindingKind(
    "token-unreadable", .note,
    title: "a delta token that is no time",
    meaning:
      "The value of the token cannot be read as a time. The SDK then pulls the whole table and "
      + "writes a new one.",
    causes: [
      "Another tool, or another version of the app, wrote it."
    ],
    remedies: [
      "Nothing; the raw value is kept."
    ]
  ) { input, sink in
    guard !input.sdk.sendsBranches else { return }
    for token in input.queue.tokens where token.updatedAt == nil {
      // No value at all says that there was no pull yet.
      if input.sdk.hasTokensOfPulls, token.raw == nil { continue }
      // A number may be the count of a server that has no times; a word is nothing at all.
      let isWord = token.raw.flatMap { Double($0) } == nil
      sink.raise(
        isWord && input.sdk.hasTokensOfStore ? .warning : nil, table: token.table,
        "the token is no time")
    }
  }
}
