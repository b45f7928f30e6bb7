import Bytes

/// The rows of a store in which a value is missing that would be sent, since no column could take it.
///
/// Where it stood the row has NULL, which would overwrite what the server has. Without the version that is
/// its condition an update would do so with all of it.
package struct RowsWithGaps: Sendable {
  /// A table, the source whose rows they are, and whether it is their versions that are missing.
  private struct Place: Hashable {
    let table: ExactText
    let source: Int32
    var isOfVersion = false
  }

  private var rows: [Place: [KeyLookup]] = [:]
  /// Rows that were added since these were packed.
  private var loose: [Place: [Int64]] = [:]
  private static let mostLoose = 1 << 16
  /// The operations of which a store of several devices has all that their devices send of their rows.
  ///
  /// What it lacks there only the column that the devices have in common could not take.
  private var whole: KeySet = []

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
      guard let column = columns[[table, ExactText(reject.column)]] else { return }
      let isOfVersion = column.role == .version
      guard isOfVersion || style(reject.source).sends(column) else { return }
      add(
        reject.row, ofTable: reject.table, source: reject.source, isOfVersion: isOfVersion)
    }
    pack()
  }

  /// Notes that the store has all of what the device of an operation sends of its row, but for the
  /// version.
  package mutating func noteWhole(_ operation: Int64) { whole.insert(operation) }

  /// Adds a row, of which questions know once it is packed.
  package mutating func add(
    _ row: Int64, ofTable table: String, source: Int32 = 0, isOfVersion: Bool = false
  ) {
    let place = Place(table: ExactText(table), source: source, isOfVersion: isOfVersion)
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

  /// Whether what an operation sends is one of them, where it goes as one of a kind: an update behind
  /// an insert goes as that.
  package func isSent(by operation: PendingOperation, as kind: OperationKind? = nil) -> Bool {
    guard !rows.isEmpty else { return false }
    return lack(
      kind ?? operation.kind, of: operation.rowKey, operation.rowTable ?? operation.table,
      operation.source, isWhole: whole.contains(operation.sequence), operation.baseVersion)
  }

  /// Whether what an effect sends is one of them.
  package func isSent(by effect: Effect) -> Bool {
    guard !rows.isEmpty else { return false }
    return lack(
      effect.kind, of: effect.rowKey, effect.rowTable ?? effect.table, effect.device,
      isWhole: whole.contains(effect.sent), effect.baseVersion)
  }

  /// Whether a row lacks what a change of a kind sends of it, or its only condition.
  private func lack(
    _ kind: OperationKind?, of key: Int64?, _ table: String?, _ source: Int32, isWhole: Bool,
    _ version: String?
  ) -> Bool {
    guard kind != .delete, let key, let table = table.map({ ExactText($0) }) else { return false }
    func has(_ source: Int32, _ isOfVersion: Bool) -> Bool {
      rows[Place(table: table, source: source, isOfVersion: isOfVersion)]?
        .contains { $0.contains(key) } ?? false
    }
    // Where nobody knows whose row lacks the value, it may be that of any device.
    if has(source, false) && !isWhole || source != 0 && has(0, false) { return true }
    return kind == .update && version == nil && (has(source, true) || has(0, true))
  }
}
