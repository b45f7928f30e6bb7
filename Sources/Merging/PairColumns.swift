import Bytes
import Records
import Tables

/// The two sides of a table that holds nothing but the pairs of a relationship.
struct PairColumns {
  private let sides: [Int]
  private let entities: [Int?]

  /// What such a table may have besides.
  private static let companions: Set<ColumnRole> = [.position, .source]

  /// The sides of a table; nil when it holds anything else.
  init?(of table: Table) {
    sides = ["owner", "target"].compactMap { name in
      table.columns.firstIndex { $0.name == name && $0.type == .reference }
    }
    entities = sides.map { table.entityPlace(ofReferenceAt: $0) }
    let others = table.columns.indices.filter { !sides.contains($0) && !entities.contains($0) }
    guard sides.count == 2,
      others.allSatisfy({ Self.companions.contains(table.columns[$0].role) })
    else {
      return nil
    }
  }

  /// The pair of a row, told by new keys; nil where a side leads nowhere.
  func pair(
    ofRow row: Int, of batch: borrowing RecordBatch, _ mapping: TableMapping, _ keys: SourceKeys
  ) -> [UInt8]? {
    var pair: [UInt8] = []
    let first = row * batch.columnCount
    for (place, entity) in zip(sides, entities) {
      let cell = batch.cells[first + place]
      var name = mapping.table.columns[place].target
      if let entity, batch.cells[first + entity].kind == .text {
        name = String(decoding: batch.arena[batch.cells[first + entity].range], as: UTF8.self)
      }
      guard cell.kind == .integer, let name, let target = keys.place(ofTable: name) else {
        return nil
      }
      let key = keys.tables[target].new(cell.integer)
      guard key > 0 else { return nil }
      pair.appendBigEndian(UInt64(bitPattern: key))
      // Sources may call one table by several names.
      pair.append(utf8: asciiLowercased(mapping.name(ofTable: name)))
      pair.append(0)
    }
    return pair
  }
}
