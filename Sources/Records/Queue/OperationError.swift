/// A failure of an operation that the SDK had written down.
package struct OperationError: Sourced, Sendable, Equatable {
  /// The canonical name of the table, if told.
  package var table: String?
  /// The item's id, from the payload or the operation.
  package var itemID: String?
  /// What the failed operation was.
  package var kind: OperationKind?
  /// The HTTP status; nil when no answer came.
  package var status: Int64?
  /// The SDK's own code, as text.
  package var code: String?
  /// The server's or the SDK's words.
  package var message: String?
  /// What had been sent, as JSON text.
  package var item: [UInt8]?
  /// The server's copy, as JSON text.
  package var serverItem: [UInt8]?
  /// The `sequence` of the operation, if it can be told.
  package var operation: Int64?
  /// The SDK's own id of the error.
  package var originalID: String?
  /// The SDK's own id of the operation.
  package var originalOperationID: String?
  /// The payload as stored.
  package var raw: RawValue?
  /// The number of its source in a store of several sources; 0 in others.
  package var source: Int32 = 0

  /// An error about which nothing is known yet.
  package init() {}
}

extension OperationError {
  /// The code of what is no failure, but a deleted item that an SDK keeps apart and that no delete in
  /// the queue took; no SDK has it.
  package static let codeOfDeletedItem = "deleted-item"

  /// Whether it is such an item.
  package var isDeletedItem: Bool {
    kind == .delete && operation == nil && status == nil && code == Self.codeOfDeletedItem
  }

  /// What is kept of an error, in the order of its columns.
  package static let fields: [RecordField<Self>] = [
    .text("table", \.table), .text("itemId", \.itemID), .word("kind", \.kind),
    .integer("status", \.status), .text("code", \.code), .text("message", \.message),
    .json("item", \.item), .json("serverItem", \.serverItem), .integer("operation", \.operation),
    .text("originalId", \.originalID), .text("originalOperationId", \.originalOperationID),
    .raw("raw", \.raw),
  ]
}
