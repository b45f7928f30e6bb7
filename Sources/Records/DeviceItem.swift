/// What one device would send for an operation, kept where the rows of several devices are one
/// table.
///
/// There the row may be that of another device, and its columns may have wider types.
package struct DeviceItem: Sendable, Equatable {
  /// The `sequence` of the operation.
  package var operation: Int64
  /// The number of the operation's source; 0 where there is only one.
  package var source: Int32
  /// What the device calls the table, where the store spells it otherwise.
  package var table: String?
  /// The device's own row, as an export of its store would show it.
  package var item: [UInt8]?
  /// What the device would send of that row.
  package var body: [UInt8]?
  /// The `updatedAt` of that row.
  package var updatedAt: String?
  /// The version of that row.
  package var version: String?

  /// An operation of which nothing is known but its source.
  package init(operation: Int64, source: Int32 = 0) {
    self.operation = operation
    self.source = source
  }

  /// The same, where the device's row is left out.
  package var withoutRow: DeviceItem {
    var other = DeviceItem(operation: operation, source: source)
    other.table = table
    return other
  }

  /// Whether there is anything of the device's row.
  package var hasRow: Bool { item != nil || body != nil }

  /// Whether it is what a device sends of the payload of an operation, which no row is part of.
  package var isOfPayload: Bool { item == nil && body != nil }

  /// Whether there is more than the source, which the operation itself tells.
  package var isTelling: Bool { table != nil || hasRow }
}

extension DeviceItem {
  /// What exports carry of it, which keep operations without their sources.
  package static let exportedFields = [.integer("source", \.source)] + fields

  /// What is kept of it, in the order of its columns; the operation is the key.
  package static let fields: [RecordField<Self>] = [
    .text("table", \.table), .json("item", \.item), .json("body", \.body),
    .text("updatedAt", \.updatedAt), .text("version", \.version),
  ]
}
