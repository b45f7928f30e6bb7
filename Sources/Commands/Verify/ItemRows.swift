import Bytes
import Records

/// The rows of a table as its items: under keys made of their ids, without what each store or
/// server gives out by itself.
struct ItemRows {
  /// The table with the columns that are left, in the order of their names.
  let table: Table
  /// Where each of them stands in the whole table.
  private let places: [Int]
  /// Where the id stands among them.
  private let id: Int?

  /// Leaves out versions, times of changes, and what counts rows: references and positions.
  init(of whole: Table) {
    places = whole.columns.indices.filter { Self.isKept(whole.columns[$0].role) }
      .sorted { whole.columns[$0].name < whole.columns[$1].name }
    var table = whole
    table.columns = places.map { whole.columns[$0] }
    self.table = table
    id = table.index(of: .id)
  }

  private static func isKept(_ role: ColumnRole) -> Bool {
    switch role {
    case .value, .id, .deleted, .referenceEntity: true
    case .version, .createdAt, .updatedAt, .reference, .position: false
    }
  }

  /// The same rows with the columns that are left; rows with one id have one key.
  func items(in batch: borrowing RecordBatch) -> RecordBatch {
    var items = RecordBatch(columnCount: places.count)
    var key: [UInt8] = []
    for row in 0..<batch.rowCount {
      key.removeAll(keepingCapacity: true)
      let cells = batch.cells(ofRow: row)
      for (column, place) in places.enumerated() {
        let cell = cells[cells.startIndex + place]
        items.append(cell, of: batch)
        // Rows without an id are told apart by all that they hold.
        if id == nil || id == column { key.append(cell, of: batch) }
      }
      items.endRow(key: Self.key(of: key))
    }
    return items
  }

  private static func key(of bytes: [UInt8]) -> Int64 {
    var hash = SHA256()
    hash.update(bytes.span)
    return Int64(bitPattern: hash.finish().words.first)
  }
}

extension RecordBatch {
  /// Appends a cell that another batch holds.
  fileprivate mutating func append(_ cell: Cell, of other: borrowing RecordBatch) {
    let arena = other.arena
    switch cell.kind {
    case .null, .integer, .real: append(cell)
    case .text: appendText(arena.span.extracting(cell.range))
    case .binary: appendBinary(arena.span.extracting(cell.range))
    }
  }
}

extension [UInt8] {
  /// Appends a cell so that different cells look different.
  fileprivate mutating func append(_ cell: Cell, of batch: borrowing RecordBatch) {
    append(cell.kind.rawValue)
    let arena = batch.arena
    switch cell.kind {
    case .null: break
    case .integer: appendBigEndian(UInt64(bitPattern: cell.integer))
    case .real: appendBigEndian((cell.real == 0 ? 0 : cell.real).bitPattern)
    case .text, .binary:
      appendBigEndian(UInt64(cell.range.count))
      append(arena.span.extracting(cell.range))
    }
  }
}
