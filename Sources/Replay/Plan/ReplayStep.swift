package import Formats
package import Records

/// One change of one item that is to be sent.
package struct ReplayStep: Sendable, Equatable {
  /// Its place in the plan, from 0.
  package let id: Int
  /// What the operations on the item come to.
  package let effect: Effect
  /// The table as the device calls it.
  package let table: String
  /// The canonical name of the table.
  package let knownTable: String
  /// The item's id as the device spells it.
  package let itemID: String
  /// The version that the server's item should have; nil where nothing is known of it.
  let baseVersion: String?
  /// The step on the same item that comes before it.
  let predecessor: Int?
  /// Whether an earlier run sent it and never learnt the outcome.
  package let isInDoubt: Bool
  /// Whether the server said that it took it, and did not show the item.
  var isPromised = false
  /// Whether that was so, and a policy has sent it once more.
  var wasSentAgain = false
  /// What the journal keeps of how the server's item was before that.
  package var mark: String?
  /// Whether a later change of another device was sent behind it, on top of which no policy sends it.
  var isOvertaken = false
  /// Whether it is a branch of the item, whose version is its own whatever the step before left.
  var isBranch = false
  /// Whether the step before deletes the item, after which there is no version to expect.
  var followsDelete = false
}

/// What a step sends, as the SDK of the device would.
package struct ReplayItem: Sendable, Equatable {
  /// The item as a JSON object, without what the dialect strips anyway.
  package var json: [UInt8]
  /// What the SDK leaves out of it, with the default values that services take these members for.
  package var leftOut: [JSONObject.Member] = []
  /// When the device had changed it, as the row says it; nil when that is not known.
  var updatedAt: String?
  /// What the SDK calls the change.
  package var changeID: String?
  /// The members, in lower case, that are none of the app's fields, but ones that the SDK sends to its
  /// own service.
  package var sdkMembers: Set<String> = []
  /// What that service speaks.
  package var sdkDialect: Dialect?
  /// What the device calls the id, in lower case; a server that calls it otherwise may have no member
  /// of that name.
  package var idMember: String?

  /// An item with its JSON text.
  package init(json: [UInt8], updatedAt: String? = nil) {
    self.json = json
    self.updatedAt = updatedAt
  }
}

/// An operation for which nothing is left to do.
package struct DoneBefore: Sendable, Equatable {
  /// The operation.
  package let sequence: Int64
  /// What became of it.
  package let outcome: ReplayOutcome
}

/// An operation that is not sent.
package struct HeldBack: Sendable, Equatable {
  /// The operation.
  package let sequence: Int64
  /// Why.
  package let reason: PendingReason
  /// Whether an earlier run sent it and never learnt the outcome.
  package let isInDoubt: Bool
}
