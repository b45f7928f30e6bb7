import Bytes

/// The rows of a store in which a value is missing that a request needs, since no column could take it.
///
/// Where it stood the row has NULL, which would overwrite what the server has, or let the change do so
/// without a condition.
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
      guard let column = columns[[table, ExactText(reject.column)]],
        style(reject.source).needs(column)
      else { return }
      add(
        reject.row,
        to: Place(table: table, source: reject.source, isOfVersion: column.role == .version))
    }
    pack()
  }

  /// Notes that the store has all of what the device of an operation sends of its row, but for the
  /// version.
  package mutating func noteWhole(_ operation: Int64) { whole.insert(operation) }

  /// Adds a row, of which questions know once it is packed.
  package mutating func add(_ row: Int64, ofTable table: String, source: Int32 = 0) {
    add(row, to: Place(table: ExactText(table), source: source))
  }

  private mutating func add(_ row: Int64, to place: Place) {
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
      operation.rowKey, ofTable: operation.rowTable ?? operation.table, source: operation.source,
      isWhole: whole.contains(operation.sequence))
  }

  /// Whether what an effect sends is one of them.
  package func isSent(by effect: Effect) -> Bool {
    guard !rows.isEmpty, effect.kind != .delete else { return false }
    return contains(
      effect.rowKey, ofTable: effect.rowTable ?? effect.table, source: effect.device,
      isWhole: whole.contains(effect.sent))
  }

  private func contains(
    _ key: Int64?, ofTable table: String?, source: Int32, isWhole: Bool
  ) -> Bool {
    guard let key, let table = table.map({ ExactText($0) }) else { return false }
    func has(_ place: Place) -> Bool { rows[place]?.contains { $0.contains(key) } ?? false }
    let own = Place(table: table, source: source)
    // Where nobody knows whose row lacks the value, it may be that of any device.
    return has(Place(table: table, source: 0)) && (source != 0 || !isWhole)
      || has(own) && !isWhole || has(Place(table: table, source: source, isOfVersion: true))
      || has(Place(table: table, source: 0, isOfVersion: true))
  }
}
