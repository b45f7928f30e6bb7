import Bytes
import Records
import SyncSDKs

/// The rows as they are by now of operations whose devices had lost values of them, which a replay takes
/// from there once nothing tells of the loss any more.
struct RowsOfLacking {
  private var rows: [ExactText: [Int64: [UInt8]]] = [:]
  /// Where the row of each operation is.
  private var places: [Int64: (table: ExactText, key: Int64)] = [:]

  /// Reads the rows of some operations of a store.
  init(
    _ lacking: KeySet, _ operations: OperationList, of reader: any StoreReader
  ) throws(StoreError) {
    let gaps = try RowsWithGaps(of: reader, reader.source.sdks)
    operations.lendEach { _, operation in
      guard lacking.contains(operation.sequence), !gaps.isSent(by: operation),
        let key = operation.rowKey, let table = operation.rowTable ?? operation.table
      else { return }
      places[operation.sequence] = (ExactText(table), key)
    }
    var wanted: [ExactText: [Int64]] = [:]
    for (table, key) in places.values { wanted[table, default: []].append(key) }
    for (place, table) in reader.catalogue.tables.enumerated() {
      guard let keys = wanted[ExactText(table.name)].map(KeyLookup.init) else { continue }
      try read(place, table, keys, reader)
    }
  }

  private mutating func read(
    _ place: Int, _ table: Table, _ keys: KeyLookup, _ reader: any StoreReader
  ) throws(StoreError) {
    let json = RowJSON(of: table.withoutSource)
    var found: [Int64: [UInt8]] = [:]
    try reader.forEachBatch(inTable: place, wanting: WantedCells([], wholeRows: keys)) { batch in
      for (row, key) in batch.keys.enumerated() where keys.contains(key) {
        var text: [UInt8] = []
        json.append(row: row, of: batch, to: &text)
        found[key] = text
      }
    }
    rows[ExactText(table.name)] = found
  }

  /// The row of an operation; nil where it is none of these, or is gone.
  func row(of operation: Int64) -> [UInt8]? {
    places[operation].flatMap { rows[$0.table]?[$0.key] }
  }
}
