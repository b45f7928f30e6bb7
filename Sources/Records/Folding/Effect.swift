/// What the operations on one item come to when they are sent.
package struct Effect: Sendable, Equatable {
  /// The canonical name of the table.
  package var table: String?
  /// The item's id as the first of the operations spells it.
  package var itemID: String?
  /// What is to be done.
  package var kind: OperationKind
  /// The operations that it stands for, in push order.
  package var sequences: [Int64]
  /// The operation whose row or payload is the one that counts: the last of its kind.
  package var source: Int64
  /// The payload that counts, as JSON text; nil where the current row is sent.
  package var item: [UInt8]?
  /// The `_pk` of the row that counts.
  package var rowKey: Int64?
  /// The table of that row, where it is not `table`.
  package var rowTable: String?
  /// The version that a condition would carry.
  package var baseVersion: String?
  /// Whether the server need not have the item: a delete that follows an insert of its own.
  package var acceptsMissing = false
  /// Whether it follows another effect on the item with which no SDK would have left it.
  package var followsOddly = false
  /// Operations on the item that cannot be decoded and take no part.
  package var undecoded: [Int64] = []

  /// The effect of one operation of a kind.
  init(_ operation: PendingOperation, kind: OperationKind) {
    table = operation.table
    itemID = operation.itemID
    self.kind = kind
    sequences = [operation.sequence]
    source = operation.sequence
    item = operation.item
    rowKey = operation.rowKey
    rowTable = operation.rowTable
    baseVersion = kind == .insert ? nil : operation.baseVersion
  }

  /// Takes in a later operation on the item, as the SDKs' collapse tables say.
  ///
  /// - Returns: whether it fits; an insert never does, and after a delete only a delete does.
  mutating func fold(_ operation: PendingOperation) -> Bool {
    switch (kind, operation.kind) {
    case (.insert, .update), (.update, .update), (.delete, .delete):
      item = operation.item ?? item
    case (.insert, .delete), (.update, .delete):
      // The insert may have reached the server or not, so the delete stays and takes either.
      acceptsMissing = kind == .insert
      kind = .delete
      item = operation.item
    default:
      return false
    }
    sequences.append(operation.sequence)
    source = operation.sequence
    rowKey = operation.rowKey ?? rowKey
    rowTable = operation.rowTable ?? rowTable
    if kind != .insert { baseVersion = operation.baseVersion ?? baseVersion }
    return true
  }
}
