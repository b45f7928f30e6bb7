/// Where the texts of one operation are in what it is packed in, found in one pass.
package struct OperationTexts {
  /// The canonical name of the table.
  package let table: Range<Int>?
  /// The item's id.
  package let itemID: Range<Int>?
  /// The SDK's own id.
  package let originalID: Range<Int>?
  /// The SDK's own code for the kind.
  let originalCode: Range<Int>?
  /// The version that a condition would carry.
  package let baseVersion: Range<Int>?
  /// The table of the row, where it is not `table`.
  package let rowTable: Range<Int>?
  /// The payload as JSON text.
  package let item: Range<Int>?

  fileprivate init(_ fields: borrowing OperationFields) {
    let places = fields.places
    table = places[.table]
    itemID = places[.itemID]
    originalID = places[.originalID]
    originalCode = places[.originalCode]
    baseVersion = places[.baseVersion]
    rowTable = places[.rowTable]
    item = fields.itemRange(places)
  }
}

extension PendingOperation {
  /// What the operation is packed in, perhaps with others around it.
  package var packed: [UInt8] { fields.bytes }

  /// Where its texts are in there.
  package var texts: OperationTexts { OperationTexts(fields) }

  /// Lends what the operation is packed in, and where its texts are in there.
  package func withTexts<Result>(
    _ body: (OperationTexts, _ packed: Span<UInt8>) -> Result
  ) -> Result {
    body(texts, fields.bytes.span)
  }
}
