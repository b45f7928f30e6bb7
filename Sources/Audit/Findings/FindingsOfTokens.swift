import Bytes
import Formats
import Records
import SyncSDKs

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
    for token in input.queue.tokens where !input.isKnown(token.table) {
      if token.table == nil, input.sdks[token.source].hasTokensOfStore { continue }
      sink.raise(table: token.table, "the token names no table of the store")
    }
  }

  static let tokenInFuture = FindingKind(
    "token-in-future", .warning,
    title: "a delta token from the future",
    meaning:
      "The token is more than a day later than the present moment. Until then the app would pull "
      + "nothing that changed before.",
    causes: [
      "The clock of the server or of this machine is wrong.",
      "Rows were written to the server with a made-up updatedAt.",
    ],
    remedies: [
      "Do not carry the token over; pull from the start."
    ]
  ) { input, sink in
    for token in input.queue.tokens {
      guard let time = token.time, time.secondsSince1970 - input.now.secondsSince1970 > 86_400
      else { continue }
      sink.raise(table: token.table, "the token is more than a day later than now")
    }
  }

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
    for token in input.queue.tokens {
      let sdk = input.sdks[token.source]
      // There a token is the time of the pull, which no row can be newer than.
      if sdk.hasTokensOfPulls { continue }
      guard let time = token.time, let facts = input.facts(ofTable: token.table) else { continue }
      guard let newest = facts.newestTime else {
        if facts.rows == 0, time > Timestamp.epoch {
          sink.raise(
            table: token.table, "the table is empty, and its token says that it was pulled")
        }
        continue
      }
      // A row that was rounded may be of a moment up to half a millisecond later.
      let leeway: Int32 = sdk.hasTokensFinerThanRows ? 500_000 : 0
      guard time.isLater(than: newest, by: leeway) else { continue }
      sink.raise(table: token.table, "the token is newer than every row")
    }
  }

  /// A delta token that is no time.
  static let tokenUnreadable = FindingKind(
    "token-unreadable", .note,
    severityNote: "A warning where the token of a whole store is a word.",
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
    for token in input.queue.tokens where token.updatedAt == nil {
      let sdk = input.sdks[token.source]
      // No value at all says that there was no pull yet.
      if sdk.sendsBranches || sdk.hasTokensOfPulls && token.raw == nil { continue }
      // A number may be the count of a server that has no times; a word is nothing at all.
      let isWord = token.raw.flatMap { JSONNumber($0) } == nil
      sink.raise(
        isWord && sdk.hasTokensOfStore ? .warning : nil, table: token.table,
        "the token is no time")
    }
  }
}

extension Timestamp {
  /// Whether it comes after another moment by more than so many nanoseconds, less than a second.
  fileprivate func isLater(than other: Timestamp, by leeway: Int32) -> Bool {
    let seconds = secondsSince1970 - other.secondsSince1970
    // Two seconds on the clock are more than one between any moments within them.
    guard (0...1).contains(seconds) else { return seconds > 1 }
    return Int64(nanoseconds - other.nanoseconds) + seconds * 1_000_000_000 > Int64(leeway)
  }
}
