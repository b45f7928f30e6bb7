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
  /// A value of the row that it would send could not be taken over, and null would be sent instead.
  case withoutValue
  /// Its table, id or version has characters that no address or header can carry safely.
  case notSendable
  /// An earlier operation on the item is not done.
  case afterUnfinished
  /// Another device's later change of the item was sent before, and this one would end on top of it.
  case overtaken
  /// Another device's later change of the item was sent, and it is not known whether it arrived.
  case afterDoubt
  /// It points to an object of the device that the server does not have.
  case withoutTarget
  /// It changes an object of the device that the server does not have.
  case withoutObject
  /// It holds a file that was never uploaded, and whose bytes are not in the store.
  case withoutFile
  /// The changes that it names are not in the store.
  case withoutChanges
  /// It is a command that changes no object, such as a sign-up or an event.
  case noChange
  /// It was sent, and nobody can tell whether it arrived, so that a person must decide.
  case undecided
  /// It deletes a branch of a document of which another branch stays.
  case otherBranchStays
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
