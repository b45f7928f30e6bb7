import Bytes
import Records

extension FindingKind {
  /// A table that is pulled only from a time after its newest row.
  static let tokenNewerThanRows = FindingKind(
    "token-newer-than-rows", .note,
    title: "a table that is pulled only from a time after its newest row",
    meaning:
      "The delta token is newer than every row. The next pull asks only for later changes, so "
      + "rows that are missing here stay missing.",
    causes: [
      "The newest rows were deleted on the server, or were skipped because operations on "
        + "them waited; both are ordinary.",
      "A plain purge removed the rows and kept the token (iOS SDK).",
    ],
    remedies: [
      "Do not carry the token over unless the table is known to be complete; a pull from the "
        + "start is always safe."
    ]
  ) { input, sink in
    // There a token is the time of the pull, which no row can be newer than.
    guard !input.sdk.hasTokensOfPulls else { return }
    for token in input.queue.tokens {
      guard let time = token.time, let facts = input.facts(ofTable: token.table) else { continue }
      guard let newest = facts.newestTime else {
        if facts.rows == 0, time > Timestamp.epoch {
          sink.raise(
            table: token.table, "the table is empty, and its token says that it was pulled")
        }
        continue
      }
      if time > newest { sink.raise(table: token.table, "the token is newer than every row") }
    }
  }
}
