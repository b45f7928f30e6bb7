import Bytes
import Records

/// The rows of tables that were parsed and checked, so that they need not be parsed again.
///
/// They lie in a file without a name. Where it would grow too large, or none can be made, there is
/// nothing here, and who wants the rows parses them again.
final class RowSpool: ByteSink {
  private var file: SpoolFile?
  /// Where the batches of each table lie.
  private var tables: [[Range<Int>]] = []
  private var end = 0
  private var isGivenUp: Bool
  private let others: SpoolCompany

  /// Has no rows yet.
  init(among others: SpoolCompany = .all) {
    self.others = others
    isGivenUp = !others.join()
  }

  deinit { giveUp() }

  func beginTable() {
    tables.append([])
  }

  /// Keeps a batch of rows of the table that was begun last, as `SpooledSpelling` has spelled them.
  func write(_ bytes: [UInt8]) {
    guard !isGivenUp, !tables.isEmpty, !bytes.isEmpty else { return }
    guard others.take(bytes.count) else { return giveUp() }
    let start = end
    end += bytes.count
    do {
      let open = try file ?? SpoolFile()
      file = open
      try open.append(bytes.span)
    } catch {
      // The rows are then parsed again.
      return giveUp()
    }
    tables[tables.count - 1].append(start..<end)
  }

  /// Forgets all rows, and takes no more.
  func giveUp() {
    guard !isGivenUp else { return }
    isGivenUp = true
    file = nil
    tables = []
    others.leave(end)
  }

  /// Lends the rows of a table; false where they are not here.
  ///
  /// - Throws: `StoreError` when the file cannot be read, and what `body` throws.
  func forEachBatch(
    ofTable table: Int, columns: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    guard !isGivenUp, tables.indices.contains(table) else { return false }
    var batch = RecordBatch(columnCount: columns)
    for range in tables[table] {
      guard let file else { return false }
      let bytes = try storeErrors { () throws(FileError) in
        try file.read(at: range.lowerBound, count: range.count)
      }
      batch.removeAll()
      batch.append(spooled: bytes.span)
      try body(&batch)
    }
    return true
  }
}

/// The spelling of rows that are set aside: the key of each, and for each cell its kind and its value.
struct SpooledSpelling: TableSpelling {
  var separatorSize: Int { 0 }

  func append(_ batch: borrowing RecordBatch, to output: inout [UInt8]) -> Int {
    output.append(rowsOf: batch)
    return batch.rowCount
  }

  func appendStart(to output: inout [UInt8]) {}

  func appendEnd(_ seal: TableSeal, to output: inout [UInt8]) {}
}

extension [UInt8] {
  /// Appends all rows.
  fileprivate mutating func append(rowsOf batch: borrowing RecordBatch) {
    let cells = batch.cells
    let arena = batch.arena
    var place = 0
    for key in batch.keys {
      appendBigEndian(UInt64(bitPattern: key))
      for _ in 0..<batch.columnCount {
        append(cells[place], arena: arena.span)
        place &+= 1
      }
    }
  }

  @inline(__always)
  mutating func append(_ cell: Cell, arena: Span<UInt8>) {
    append(cell.kind.rawValue)
    switch cell.kind {
    case .null: break
    case .integer: appendBigEndian(UInt64(bitPattern: cell.integer))
    case .real: appendBigEndian(cell.real.bitPattern)
    case .text, .binary:
      appendBigEndian(UInt32(truncatingIfNeeded: cell.range.count))
      append(arena.extracting(cell.range))
    }
  }
}

extension RecordBatch {
  /// Appends rows as `append(rowsOf:)` has spelled them.
  fileprivate mutating func append(spooled bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count {
      let key = UInt64(bigEndian: loadWord(from: bytes, at: place))
      place += 8
      for _ in 0..<columnCount { appendCell(spooled: bytes, &place) }
      endRow(key: Int64(bitPattern: key))
    }
  }

  @inline(__always)
  private mutating func appendCell(spooled bytes: Span<UInt8>, _ place: inout Int) {
    let kind = bytes[place]
    place += 1
    switch CellKind(rawValue: kind) {
    case .integer:
      append(.integer(Int64(bitPattern: UInt64(bigEndian: loadWord(from: bytes, at: place)))))
      place += 8
    case .real:
      let bits = UInt64(bigEndian: loadWord(from: bytes, at: place))
      append(.real(Double(bitPattern: bits)))
      place += 8
    case .text, .binary:
      var count = 0
      for offset in 0..<4 { count = count << 8 | Int(bytes[place + offset]) }
      place += 4
      let value = bytes.extracting(place..<place + count)
      if kind == CellKind.text.rawValue { appendText(value) } else { appendBinary(value) }
      place += count
    case .null, nil: append(Cell.null)
    }
  }
}
