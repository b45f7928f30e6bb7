import Bytes

/// The rows of a store in which a value is missing that a request needs, since no column could take it.
///
/// Where it stood the row has NULL, which would overwrite what the server has, or let the change do so
/// without a condition.
package struct RowsWithGaps: Sendable {
  /// A table, and the source whose rows they are.
  private struct Place: Hashable {
    let table: ExactText
    let source: Int32
  }

  private var rows: [Place: [KeyLookup]] = [:]
  /// Rows that were added since these were packed.
  private var loose: [Place: [Int64]] = [:]
  private static let mostLoose = 1 << 16

  /// No rows.
  package init() {}

  /// The rows that are told among what a store keeps of values that it could not take; `style` is
  /// how a source sends its rows.
  package init(
    of store: any StoreReader, style: (_ source: Int32) -> SDKStyle
  ) throws(StoreError) {
    var columns: [[ExactText]: Column] = [:]
    for table in store.catalogue.tables {
      for column in table.columns {
        columns[[ExactText(table.name), ExactText(column.name)]] = column
      }
    }
    try store.kept?.forEachStoredReject { reject in
      let table = ExactText(reject.table)
      guard let column = columns[[table, ExactText(reject.column)]],
        style(reject.source).needs(column)
      else { return }
      add(reject.row, ofTable: reject.table, source: reject.source)
    }
    pack()
  }

  /// Adds a row, of which questions know once it is packed.
  package mutating func add(_ row: Int64, ofTable table: String, source: Int32 = 0) {
    let place = Place(table: ExactText(table), source: source)
    loose[place, default: []].append(row)
    if loose[place]?.count == Self.mostLoose { pack() }
  }

  /// Packs what was added, so that very many rows take little memory.
  package mutating func pack() {
    for (place, keys) in loose { rows[place, default: []].append(KeyLookup(keys)) }
    loose = [:]
  }

  /// Whether there are none.
  package var isEmpty: Bool { rows.isEmpty }

  /// Whether what an operation sends is one of them.
  package func isSent(by operation: PendingOperation) -> Bool {
    guard !rows.isEmpty, operation.kind != .delete else { return false }
    return contains(
      operation.rowKey, ofTable: operation.rowTable ?? operation.table, source: operation.source)
  }

  /// Whether what an effect sends is one of them.
  package func isSent(by effect: Effect) -> Bool {
    guard !rows.isEmpty, effect.kind != .delete else { return false }
    return contains(
      effect.rowKey, ofTable: effect.rowTable ?? effect.table, source: effect.device)
  }

  private func contains(_ key: Int64?, ofTable table: String?, source: Int32) -> Bool {
    guard let key, let table else { return false }
    // Where nobody knows whose row lacks the value, it may be that of any device.
    return Set([source, 0]).contains { source in
      rows[Place(table: ExactText(table), source: source)]?.contains { $0.contains(key) } ?? false
    }
  }
}
