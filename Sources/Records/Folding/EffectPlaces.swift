/// Which operations an effect takes its parts from, as places in the queue.
///
/// It holds no texts, so that the effects of a long queue can be gone through quickly.
package struct EffectPlaces: Sendable {
  /// What is to be done.
  package private(set) var kind: OperationKind
  /// The first of the operations, which names table and item.
  package let first: Int
  /// The last of them.
  private(set) var last: Int
  /// The operation whose payload counts, if it has one; else the current row is sent.
  package private(set) var payload: Int
  /// The operation from whose payload on those of the others are joined; nil where one counts alone.
  private(set) var joinedFrom: Int?
  /// The operation that is tied to the row that counts, if any is.
  package private(set) var row: Int
  /// The operation that names another table for that row, if any does.
  package private(set) var rowTable: Int
  /// The operation with the version that a condition would carry; nil for an insert.
  package internal(set) var version: Int?
  /// Whether the server need not have the item: a delete that follows an insert of its own, or of
  /// an SDK that cannot tell.
  package internal(set) var acceptsMissing = false
  /// Whether an insert takes the place of an item that the server may have: one that follows
  /// another operation than an insert.
  package private(set) var replaces = false

  init(_ place: Int, kind: OperationKind) {
    self.kind = kind
    (first, last, payload, row, rowTable) = (place, place, place, place, place)
    version = kind == .insert ? nil : place
  }

  /// Takes in a later operation on the item, as the SDKs' collapse tables say.
  ///
  /// Where payloads may be partial, an update adds to what is there; where an SDK sends changes, an
  /// insert takes its place, too.
  ///
  /// - Returns: whether it fits; an insert mostly does not, and after a delete only a delete does.
  mutating func fold(
    _ operation: OperationTraits, at place: Int, joins: Bool = false, sendsChanges: Bool = false
  ) -> Bool {
    switch (kind, operation.kind) {
    case (_, .insert) where sendsChanges:
      replaces = replaces || kind != .insert
      (kind, payload, joinedFrom, version) = (.insert, place, nil, nil)
      acceptsMissing = false
    case (.insert, .update) where joins, (.update, .update) where joins:
      guard operation.contains(.hasItem) else { break }
      joinedFrom = joinedFrom ?? payload
      payload = place
    case (.insert, .update), (.update, .update), (.delete, .delete):
      if operation.contains(.hasItem) { payload = place }
    case (.insert, .delete), (.update, .delete):
      // The insert may have reached the server or not, so the delete stays and takes either.
      acceptsMissing = kind == .insert
      (kind, payload, joinedFrom, replaces) = (.delete, place, nil, false)
    default:
      return false
    }
    last = place
    if operation.contains(.hasRow) { row = place }
    if operation.contains(.hasRowTable) { rowTable = place }
    if kind != .insert, operation.contains(.hasBaseVersion) { version = place }
    return true
  }
}
