import Bytes

/// The rows of a store in which a value is missing that would be sent, since no column could take it.
///
/// Where it stood the row has NULL, which would overwrite what the server has.
package struct RowsWithGaps: Sendable {
  /// A table, and the source whose rows they are.
  private struct Place: Hashable {
    let table: ExactText
    let source: Int32
  }

  private var rows: [Place: KeyLookup] = [:]

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
    var keys: [Place: [Int64]] = [:]
    try store.kept?.forEachStoredReject { reject in
      let table = ExactText(reject.table)
      guard let column = columns[[table, ExactText(reject.column)]],
        style(reject.source).sends(column)
      else { return }
      keys[Place(table: table, source: reject.source), default: []].append(reject.row)
    }
    rows = keys.mapValues { KeyLookup($0) }
  }

  /// Whether there are none.
  package var isEmpty: Bool { rows.isEmpty }

  /// Whether what an operation sends is one of them.
  package func isSent(by operation: PendingOperation) -> Bool {
    guard !rows.isEmpty, operation.kind != .delete, let key = operation.rowKey,
      let table = operation.rowTable ?? operation.table
    else { return false }
    // Where nobody knows whose row lacks the value, it may be that of any device.
    return Set([operation.source, 0]).contains { source in
      rows[Place(table: ExactText(table), source: source)]?.contains(key) ?? false
    }
  }
}
