import Bytes
package import Records

/// Rows as the cells of a table's leaves, which any thread can make before their pages are known.
package struct RowCells: Sendable {
  /// For what pages the cells are made.
  package let usableSize: Int
  /// The cells one behind the other; of a row that does not fit on its page, the whole record.
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []
  /// Rows that do not fit on their pages, in their order.
  private(set) var longRows: [Int] = []

  private let sizes: PayloadSizes
  private let hasKeyColumn: Bool

  /// No cells yet; `hasKeyColumn` says whether the key is the first column of the table.
  package init(usableSize: Int, hasKeyColumn: Bool = true) {
    self.usableSize = usableSize
    self.hasKeyColumn = hasKeyColumn
    sizes = PayloadSizes(usableSize: usableSize, isTable: true)
  }

  /// How many bytes they take.
  package var size: Int { bytes.count + ends.count * MemoryLayout<Int>.stride }

  /// The cells of the rows of a batch, in place of those that were here.
  ///
  /// - Throws: `StoreError` when a row is larger than the engine allows.
  package mutating func encode(_ batch: borrowing RecordBatch) throws(StoreError) {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    longRows.removeAll(keepingCapacity: true)
    let (cells, keys, arena) = (batch.cells, batch.keys, batch.arena)
    let width = batch.columnCount
    for row in keys.indices {
      let first = row &* width
      try append(
        cells.span.extracting(first..<first &+ width), key: keys[row], arena: arena.span)
    }
  }

  @inline(__always)
  private mutating func append(
    _ cells: Span<Cell>, key: Int64, arena: Span<UInt8>
  ) throws(StoreError) {
    let encoder = RecordEncoder(cells, hasKeyColumn: hasKeyColumn)
    let size = encoder.size
    if size <= sizes.largest {
      let keyBits = UInt64(bitPattern: key)
      let cellSize = varintSize(UInt64(size)) &+ varintSize(keyBits) &+ size
      bytes.append(addingCapacity: cellSize) { content in
        content.appendVarint(UInt64(size))
        content.appendVarint(keyBits)
        encoder.encode(cells, arena: arena, to: &content)
      }
    } else {
      guard size <= Self.largestRow else {
        throw StoreError(.limit, "a row of \(size) bytes is more than the engine takes")
      }
      longRows.append(ends.count)
      bytes.append(addingCapacity: size) { encoder.encode(cells, arena: arena, to: &$0) }
    }
    ends.append(bytes.count)
  }

  @inline(__always)
  func start(ofRow row: Int) -> Int { row == 0 ? 0 : ends[row &- 1] }

  /// What the engine takes unless it was built otherwise.
  private static let largestRow = 1_000_000_000
}
