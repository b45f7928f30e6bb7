import Records

extension FindingKind {
  /// An operation that a replay could not finish.
  static let replayUnfinished = FindingKind(
    "replay-unfinished", .warning,
    title: "an operation that a replay could not finish",
    meaning:
      "The journal in the canonical store says that the latest replay ended with a conflict about "
      + "the operation, or that the server refused it. It still waits.",
    causes: [
      "Somebody else has changed the item, and no policy was given.",
      "The server does not take the item as it is, or fails at it.",
      "The table has another name there, or the address was wrong.",
    ],
    remedies: [
      "Look at both copies and the server's words in the report of 'rehome replay', choose "
        + "'--on-conflict' or correct the cause, and run the same command again.",
      "Give the operation up with 'rehome ops drop'.",
    ]
  ) { input, sink in
    for index in input.pending {
      guard let delivery = input.delivery(of: index),
        delivery.outcome == .conflict || delivery.outcome == .rejected
      else { continue }
      let status = delivery.status.map { ", status \($0)" } ?? ""
      let detail = delivery.detail.map { ": \($0)" } ?? ""
      sink.raise(
        at: index,
        "the operation was \(delivery.outcome.words) at \(delivery.target)\(status)\(detail)")
    }
  }
}
