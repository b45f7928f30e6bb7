import Bytes

/// Where the texts of one operation are, found in one pass, for those who write them down.
package struct OperationTexts {
  /// What the places are in.
  package let bytes: [UInt8]
  /// The canonical name of the table.
  package let table: Range<Int>?
  /// The item's id.
  package let itemID: Range<Int>?
  /// The SDK's own id.
  package let originalID: Range<Int>?
  /// The version that a condition would carry.
  package let baseVersion: Range<Int>?
  /// The table of the row, where it is not `table`.
  package let rowTable: Range<Int>?
  /// The payload as JSON text.
  package let item: Range<Int>?

  fileprivate init(_ fields: OperationFields) {
    let places = fields.places
    bytes = fields.bytes
    table = places[OperationFields.Field.table.rawValue]
    itemID = places[OperationFields.Field.itemID.rawValue]
    originalID = places[OperationFields.Field.originalID.rawValue]
    baseVersion = places[OperationFields.Field.baseVersion.rawValue]
    rowTable = places[OperationFields.Field.rowTable.rawValue]
    item = fields.itemRange(places)
  }
}

extension PendingOperation {
  /// Where the texts are.
  package var texts: OperationTexts { OperationTexts(fields) }

  /// Whether there is a payload.
  package var hasItem: Bool { fields.itemRange(fields.places) != nil }

  /// Whether a condition would carry a version.
  package var hasBaseVersion: Bool { fields.range(of: .baseVersion) != nil }

  /// Whether the row is in another table than that of the operation.
  package var hasRowTable: Bool { fields.range(of: .rowTable) != nil }

  /// Whether the operation names a table.
  package var namesTable: Bool { fields.range(of: .table) != nil }

  /// Whether the operation names an item, by more than an empty id.
  package var namesItem: Bool { fields.with(.itemID) { !$0.isEmpty } == true }

  /// Whether the SDK's own code is a JSON string.
  package var hasQuotedCode: Bool {
    fields.with(.originalCode) { !$0.isEmpty && $0[0] == UInt8(ascii: "\"") } == true
  }

  /// The SDK's own id where it is a whole number.
  package var originalNumber: Int64? {
    fields.with(.originalID) { id in
      guard !id.isEmpty, id[0] == UInt8(ascii: "+") else { return parseDecimal(id) }
      return originalID.flatMap { Int64($0) }
    } ?? nil
  }
}
