import Bytes
import Records

/// Finds the rows in which two tables of the same columns differ, without holding either table.
///
/// Ranges of keys are compared by their sums of row hashes first, then the rows of a few ranges by
/// their hashes, and at the end the cells of the rows that differ.
struct RowComparison {
  let table: Table
  let limit: Int
  /// How many items the left has, where rows are known by their ids, and so come in any order.
  var itemCount: Int?

  /// The first rows that differ, at most `limit`.
  ///
  /// - Throws: `StoreError` of either side.
  func run(left: RowSource, right: RowSource) throws(StoreError) -> [TableDifference.Row] {
    var leftBlocks = itemCount.map(KeyBlocks.init(spreadKeys:)) ?? KeyBlocks()
    try forEachDigest(left) { key, digest in
      if itemCount == nil { leftBlocks.draw(key, digest) } else { leftBlocks.sort(key, digest) }
    }
    var rightBlocks = leftBlocks.emptied
    try forEachDigest(right) { rightBlocks.sort($0, $1) }
    let blocks = leftBlocks.differences(from: rightBlocks, limit: limit)
    let keys = differingKeys(
      try digests(left, leftBlocks, blocks), try digests(right, leftBlocks, blocks))
    let leftCells = try cells(left, of: keys)
    let rightCells = try cells(right, of: keys)
    let rows = keys.sorted().map { key in
      TableDifference.Row(
        key: key, id: id(leftCells[key] ?? rightCells[key]), isInLeft: leftCells[key] != nil,
        isInRight: rightCells[key] != nil,
        cells: differingCells(leftCells[key], rightCells[key]))
    }
    return itemCount == nil ? rows : rows.sorted { ($0.id ?? "") < ($1.id ?? "") }
  }

  /// The id of an item; nil where rows are known by their keys.
  private func id(_ cells: [ShownCell]?) -> String? {
    guard itemCount != nil, let place = table.index(of: .id) else { return nil }
    return cells?[place].text
  }

  private func forEachDigest(
    _ rows: RowSource, _ body: (Int64, SHA256Digest) -> Void
  ) throws(StoreError) {
    var hash = TableHash(of: table)
    try rows.forEachBatch { (batch) throws(StoreError) in hash.update(batch, body) }
  }

  /// The hashes of the rows of some blocks.
  private func digests(
    _ rows: RowSource, _ borders: KeyBlocks, _ blocks: Set<Int>
  ) throws(StoreError) -> [Int64: SHA256Digest] {
    var digests: [Int64: SHA256Digest] = [:]
    try forEachDigest(rows) { key, digest in
      if blocks.contains(borders.block(of: key)) { digests[key] = digest }
    }
    return digests
  }

  private func differingKeys(
    _ left: [Int64: SHA256Digest], _ right: [Int64: SHA256Digest]
  ) -> Set<Int64> {
    let keys = Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }
    return Set(keys.sorted().prefix(limit))
  }

  /// The cells of some rows: a fingerprint that tells every difference, and text to show.
  private func cells(
    _ rows: RowSource, of keys: Set<Int64>
  ) throws(StoreError) -> [Int64: [ShownCell]] {
    var found: [Int64: [ShownCell]] = [:]
    try rows.forEachBatch { (batch) throws(StoreError) in
      for (row, key) in batch.keys.enumerated() where keys.contains(key) {
        found[key] = zip(batch.cells(ofRow: row), table.columns).map { cell, column in
          ShownCell(cell, column.type, in: batch)
        }
      }
    }
    return found
  }

  private func differingCells(
    _ left: [ShownCell]?, _ right: [ShownCell]?
  ) -> [TableDifference.Cell] {
    guard let left, let right else { return [] }
    return zip(table.columns, zip(left, right)).compactMap { column, cells in
      guard cells.0.fingerprint != cells.1.fingerprint else { return nil }
      return TableDifference.Cell(
        column: column.name, left: cells.0.text, right: cells.1.text)
    }
  }
}

/// A cell outside its batch; long values only by their hash.
private struct ShownCell {
  let fingerprint: SHA256Digest
  let text: String?

  init(_ cell: Cell, _ type: LogicalType, in batch: borrowing RecordBatch) {
    text = CellText.text(of: cell, type, in: batch)
    var bytes = [cell.kind.rawValue]
    let arena = batch.arena
    switch cell.kind {
    case .null: break
    case .integer: bytes.appendBigEndian(UInt64(bitPattern: cell.integer))
    case .real: bytes.appendBigEndian((cell.real == 0 ? 0 : cell.real).bitPattern)
    case .text, .binary: bytes.append(arena.span.extracting(cell.range))
    }
    var hash = SHA256()
    hash.update(bytes.span)
    fingerprint = hash.finish()
  }
}
