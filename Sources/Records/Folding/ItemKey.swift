/// An item as the SDKs tell items apart: the table as spelled, the id without regard to case.
package struct ItemKey: Hashable, Sendable {
  /// The canonical name of the table.
  package let table: String
  /// The item's id in lower case.
  package let foldedID: String

  /// The key of an item.
  package init(table: String, itemID: String) {
    self.table = table
    foldedID = itemID.lowercased()
  }

  /// The key of an operation's item; nil when the operation names no table or no item.
  package init?(_ operation: PendingOperation) {
    guard let table = operation.table, let itemID = operation.itemID, !itemID.isEmpty
    else { return nil }
    self.init(table: table, itemID: itemID)
  }
}
