/// What became of an operation.
package enum ReplayOutcome: String, Sendable, CaseIterable {
  /// The server took it in this run or an earlier one.
  case applied
  /// The server had it already: an answer was lost, or nothing was left to do.
  case alreadyApplied
  /// The server's item differs, and no policy decided.
  case conflict
  /// The server refused it for good.
  case rejected
  /// It was not sent, or surely without effect; running again may finish it.
  case pending
  /// It was sent and nobody could be asked whether it arrived.
  case inDoubt
  /// A person or the policy decided for the server's item.
  case dropped

  /// Whether a later run has nothing left to do for it.
  package var isFinal: Bool {
    switch self {
    case .applied, .alreadyApplied, .dropped: true
    case .conflict, .rejected, .pending, .inDoubt: false
    }
  }
}

/// Why an operation is pending or was not sent, in a word that scripts may rely on.
package enum PendingReason: String, Sendable, CaseIterable {
  /// It cannot be decoded.
  case unreadable
  /// Another operation on the item cannot be decoded, so that the item's state is not known.
  case besideUnreadable
  /// It names no item; an insert without id could be carried out twice.
  case withoutItem
  /// It names no table.
  case withoutTable
  /// The row that it would send is gone.
  case withoutRow
  /// Its table, id or version has characters that no address or header can carry safely.
  case notSendable
  /// An earlier operation on the item is not done.
  case afterUnfinished
  /// The server or the network failed again and again.
  case retryLater
  /// The server asked for credentials, or they do not suffice.
  case notPermitted
  /// The run was stopped before its turn came.
  case stopped

  /// Whether nothing but running again, perhaps with other credentials, may finish it.
  package var isTemporary: Bool {
    switch self {
    case .retryLater, .notPermitted, .stopped: true
    default: false
    }
  }
}
