/// What the operations on one item come to when they are sent.
package struct Effect: Sendable, Equatable {
  /// The canonical name of the table.
  package var table: String?
  /// The item's id as the delete spells it that all comes to, or else the first of the operations.
  package var itemID: String?
  /// What is to be done.
  package var kind: OperationKind
  /// The operations that it stands for, in push order.
  package var sequences: OperationSequences
  /// The number of the source whose operations these are; 0 in a store of one.
  package var device: Int32
  /// The operation whose row or payload is the one that counts: the last of its kind.
  package var source: Int64
  /// The operation whose payload or row is sent.
  package var sent: Int64
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
  /// Whether an insert takes the place of an item that the server may have.
  package var replaces = false
  /// Whether it follows another effect on the item with which no SDK would have left it.
  var followsOddly = false
  /// Whether there are operations on the item that cannot be decoded and take no part.
  var isBesideUndecoded = false

  /// Puts an effect together; `sequences` name the operations on the item.
  init(_ places: EffectPlaces, of operations: OperationList, sequences: OperationSequences) {
    table = operations[places.first].table
    kind = places.kind
    itemID = operations[kind == .delete ? places.last : places.first].itemID
    device = operations[places.first].source
    self.sequences = sequences
    source = operations[places.last].sequence
    item = operations[places.payload].item
    sent = operations[item == nil ? places.row : places.payload].sequence
    rowKey = operations[places.row].rowKey
    rowTable = operations[places.rowTable].rowTable
    baseVersion = places.version.flatMap { operations[$0].baseVersion }
    acceptsMissing = places.acceptsMissing
    replaces = places.replaces
  }
}
