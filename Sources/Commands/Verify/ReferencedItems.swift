import Bytes
import Records

/// The ids of the rows to which a reference points, by the keys of these rows.
struct ReferencedItems {
  private var keys: [Int64] = []
  private var hashes: [Int64] = []

  /// Reads the ids of a table, each in the form in which it is compared.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  init(
    ofTable place: Int, in reader: any StoreReader, comparedAs form: ComparedForm
  ) throws(StoreError) {
    let table = reader.catalogue.tables[place]
    guard let id = table.idPlace else { return }
    let type = table.columns[id].type
    var ids = ItemKeys()
    try reader.forEachBatch(inTable: place, wanting: [id]) { (batch) throws(StoreError) in
      let arena = batch.arena
      for (row, key) in batch.keys.enumerated() {
        let cell = batch.cells[row * batch.columnCount + id]
        guard cell.kind != .null else { continue }
        keys.append(key)
        hashes.append(ids.key(of: cell, comparedAs: form, type, arena: arena.span))
      }
    }
    guard zip(keys, keys.dropFirst()).contains(where: { $0 > $1 }) else { return }
    let order = keys.indices.sorted { keys[$0] < keys[$1] }
    (keys, hashes) = (order.map { keys[$0] }, order.map { hashes[$0] })
  }

  /// What stands for the id of a row; nil where there is no such row, or it has no id.
  func hash(ofRow key: Int64) -> Int64? {
    let place = firstPlace(in: keys) { $0 >= key }
    return place < keys.count && keys[place] == key ? hashes[place] : nil
  }
}

/// Makes numbers that stand for values in the form in which they are compared.
struct ItemKeys {
  private var value = RecordBatch(columnCount: 1)

  /// The number for a value: the beginning of a hash.
  mutating func key(
    of cell: Cell, comparedAs form: ComparedForm, _ type: LogicalType, arena: Span<UInt8>
  ) -> Int64 {
    value.removeAll()
    value.append(cell, comparedAs: form, type, arena: arena)
    value.endRow(key: 0)
    var bytes: [UInt8] = []
    let own = value.arena
    bytes.append(value.cells[0], arena: own.span)
    return itemKey(of: bytes)
  }
}

/// A number that stands for bytes.
func itemKey(of bytes: [UInt8]) -> Int64 {
  var hash = SHA256()
  hash.update(bytes.span)
  return Int64(bitPattern: hash.finish().words.first)
}

extension [UInt8] {
  /// Appends a cell so that different cells look different.
  mutating func append(_ cell: Cell, arena: Span<UInt8>) {
    append(cell.kind.rawValue)
    switch cell.kind {
    case .null: break
    case .integer: appendBigEndian(UInt64(bitPattern: cell.integer))
    case .real: appendBigEndian((cell.real == 0 ? 0 : cell.real).bitPattern)
    case .text, .binary:
      appendBigEndian(UInt64(cell.range.count))
      append(arena.extracting(cell.range))
    }
  }
}
