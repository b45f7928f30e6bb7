/// Which operations an effect takes its parts from, as places in the queue.
///
/// It holds no texts, so that the effects of a long queue can be gone through quickly.
package struct EffectPlaces: Sendable {
  /// What is to be done.
  package private(set) var kind: OperationKind
  /// The first of the operations, which names table and item.
  package let first: Int
  /// The last of them.
  package private(set) var last: Int
  /// The operation whose payload counts, if it has one; else the current row is sent.
  package private(set) var payload: Int
  /// The operation that is tied to the row that counts, if any is.
  package private(set) var row: Int
  /// The operation that names another table for that row, if any does.
  package private(set) var rowTable: Int
  /// The operation with the version that a condition would carry; nil for an insert.
  package private(set) var version: Int?
  /// Whether the server need not have the item: a delete that follows an insert of its own.
  package private(set) var acceptsMissing = false

  /// The effect of the operation at a place.
  init(_ place: Int, kind: OperationKind) {
    self.kind = kind
    (first, last, payload, row, rowTable) = (place, place, place, place, place)
    version = kind == .insert ? nil : place
  }

  /// Takes in a later operation on the item, as the SDKs' collapse tables say.
  ///
  /// - Returns: whether it fits; an insert never does, and after a delete only a delete does.
  mutating func fold(_ operation: PendingOperation, at place: Int) -> Bool {
    switch (kind, operation.kind) {
    case (.insert, .update), (.update, .update), (.delete, .delete):
      if operation.hasItem { payload = place }
    case (.insert, .delete), (.update, .delete):
      // The insert may have reached the server or not, so the delete stays and takes either.
      acceptsMissing = kind == .insert
      kind = .delete
      payload = place
    default:
      return false
    }
    last = place
    if operation.rowKey != nil { row = place }
    if operation.hasRowTable { rowTable = place }
    if kind != .insert, operation.hasBaseVersion { version = place }
    return true
  }
}
