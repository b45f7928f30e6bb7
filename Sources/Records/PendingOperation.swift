/// What an operation does to its item.
package enum OperationKind: String, Sendable, CaseIterable {
  case insert
  case update
  case delete
}

/// How far an operation has come.
package enum OperationState: String, Sendable, CaseIterable {
  /// Not tried, or the SDK keeps no state.
  case pending
  /// A request was started; its outcome is unknown.
  case attempted
  /// The server refused it, or the request failed.
  case failed
  /// The server has taken it.
  case completed
  /// A person has decided that it must not be sent.
  case dropped
}

/// A change that the device had made and the server had not confirmed.
package struct PendingOperation: Sendable, Equatable {
  /// The place in push order, from 1.
  package var sequence: Int64 = 0
  /// The canonical name of the table, or the source's name where no such table exists.
  package var table: String?
  /// The item's id as the operation spells it.
  package var itemID: String?
  /// What it does; nil when that cannot be decoded.
  package var kind: OperationKind?
  /// How far it has come.
  package var state: OperationState = .pending
  /// The stored payload as JSON text: of a delete, or a snapshot that the SDK keeps.
  package var item: [UInt8]?
  /// The version that a condition would carry.
  package var baseVersion: String?
  /// The `_pk` of the row that an insert or update would send.
  package var rowKey: Int64?
  /// The table of that row, where it is not `table`: a row of a subentity.
  package var rowTable: String?
  /// The SDK's own id, as text.
  package var originalID: String?
  /// The SDK's own code for the kind, as text.
  package var originalCode: String?
  /// The payload as stored.
  package var raw: RawValue?

  /// An operation about which nothing is known yet.
  package init() {}
}
