import Bytes
import Records

extension FindingKind {
  /// A delta token from the future.
  static let tokenInFuture = FindingKind(
    "token-in-future", .warning,
    title: "a delta token from the future",
    meaning:
      "The token is later than the present moment. Until then the app would pull nothing that "
      + "changed before.",
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
}
