import Bytes
import Records

/// The rows that operations would send, as JSON objects.
///
/// Few rows are kept in memory; many go to a file without a name, so that memory stays flat.
package struct AttachedRows: Sendable {
  private var bytes: [UInt8] = []
  private var spool: SpoolFile?
  /// Where the bytes in memory belong in the file.
  private var base = 0
  /// Where the rows of each table are, in the order of their keys.
  private var tables: [ExactText: [Block]] = [:]

  /// How many bytes stay in memory altogether.
  private static let limit = 4 << 20
  /// How many bytes are written to the file at once.
  private static let pieceSize = 256 << 10

  /// Some rows of one table that stand together: first the key of each and where it ends, then
  /// the rows.
  private struct Block {
    let firstKey: Int64
    let start: Int
    let size: Int32
    let count: Int32

    var range: Range<Int> { start..<start + Int(size) }
    /// How many bytes the heads of the rows take.
    var headSize: Int { Int(count) * Self.headSize }

    static let headSize = 16
    /// How many rows make a block, and how many bytes, whichever comes first.
    static let rowLimit = 32
    static let byteLimit = 16 << 10
  }

  init() {}

  /// The table of the rows that only one device has; its keys are the operations that send them.
  ///
  /// No table of an app has this name.
  static let devices = "\0devices"

  /// The item of an operation: its payload, else the row that it sends; nil when there is neither.
  func item(of operation: PendingOperation) -> [UInt8]? {
    if let item = operation.item { return item }
    guard operation.kind == .insert || operation.kind == .update else { return nil }
    return row(of: operation)
  }

  /// The row of an operation: that of its device, else the current one; nil when it is gone.
  func row(of operation: PendingOperation) -> [UInt8]? {
    row(operation.sequence, ofTable: Self.devices)
      ?? row(operation.rowKey, ofTable: operation.rowTable ?? operation.table)
  }

  /// The row with a key; nil when it is gone.
  func row(_ key: Int64?, ofTable table: String?) -> [UInt8]? {
    guard let key, let table else { return nil }
    var lookup = Lookup(self)
    var row: [UInt8] = []
    return lookup.with(key, ofTable: table.utf8Span.span) { row.append($0) } ? row : nil
  }

  /// Adds rows of a table, whose keys come after those that it has.
  mutating func add(_ rows: RowTexts, table: String) throws(FileError) {
    guard !rows.keys.isEmpty else { return }
    var blocks = tables.removeValue(forKey: ExactText(table)) ?? []
    var (row, start) = (0, 0)
    while row < rows.keys.count {
      let (first, from) = (row, start)
      while row < rows.keys.count, row - first < Block.rowLimit, start - from < Block.byteLimit {
        start += rows.sizes[row]
        row += 1
      }
      let before = bytes.count
      var end = 0
      for place in first..<row {
        end += rows.sizes[place]
        bytes.appendBigEndian(UInt64(bitPattern: rows.keys[place]))
        bytes.appendBigEndian(UInt64(end))
      }
      bytes.append(rows.bytes.span.extracting(from..<start))
      blocks.append(
        Block(
          firstKey: rows.keys[first], start: base + before,
          size: Int32(clamping: bytes.count - before), count: Int32(row - first)))
    }
    tables[ExactText(table)] = blocks
    if bytes.count > (spool == nil ? Self.limit : Self.pieceSize) { try spill() }
  }

  private mutating func spill() throws(FileError) {
    // Where no such file can be made, the rows stay in memory.
    guard let file = spool ?? (try? SpoolFile()) else { return }
    spool = file
    try file.append(bytes.span)
    base += bytes.count
    bytes.removeAll(keepingCapacity: bytes.capacity < Self.limit)
  }
}

extension AttachedRows {
  /// Looks up one row after the other; rows that follow each other are read together.
  struct Lookup {
    private let rows: AttachedRows
    /// The table that was asked for last.
    private var table: [UInt8] = []
    private var shared = Window()
    /// The rows that only one device has, which are asked for in turn with those of other tables.
    private var devices: Window?

    init(_ rows: AttachedRows) {
      self.rows = rows
      devices = rows.tables[ExactText(AttachedRows.devices)].map { Window(blocks: $0) }
    }

    /// Lends the row that the device of an operation has for itself; false when there is none.
    mutating func withDevice(of operation: Int64, _ body: (Span<UInt8>) -> Void) -> Bool {
      devices?.with(operation, of: rows, body) ?? false
    }

    /// Lends the row of an operation or effect; false when it is gone.
    mutating func with(
      _ key: Int64, ofTable name: Span<UInt8>, _ body: (Span<UInt8>) -> Void
    ) -> Bool {
      if !name.isEqual(to: table.span) { turn(to: name) }
      return shared.with(key, of: rows, body)
    }

    private mutating func turn(to name: Span<UInt8>) {
      table.removeAll()
      table.append(name)
      let name = ExactText(String(decoding: table, as: UTF8.self))
      shared = Window(blocks: rows.tables[name] ?? [])
    }
  }

  /// The block of a table's rows that is at hand.
  private struct Window {
    var blocks: [Block] = []
    private var current = -1
    /// The memory that the block is in, and where it begins there.
    private var memory: [UInt8] = []
    private var start = 0
    /// The row in it behind the one that was lent last.
    private var next = 0

    init(blocks: [Block] = []) { self.blocks = blocks }

    /// Lends a row; false when it is gone.
    mutating func with(
      _ key: Int64, of rows: AttachedRows, _ body: (Span<UInt8>) -> Void
    ) -> Bool {
      let number = block(of: key)
      guard number >= 0 else { return false }
      if number != current { read(number, of: rows) }
      // What cannot be read back is shown as missing; the file is the tool's own and has no name.
      guard let range = range(of: key) else { return false }
      body(memory.span.extracting(range))
      return true
    }

    /// The number of the block that a key is in, if it is in any; -1 before the first.
    private func block(of key: Int64) -> Int {
      // Rows are mostly asked for one after the other.
      if current >= 0, blocks[current].firstKey <= key {
        for number in current..<min(current + 2, blocks.count)
        where number + 1 == blocks.count || key < blocks[number + 1].firstKey {
          return number
        }
      }
      var (low, high) = (0, blocks.count)
      while low < high {
        let middle = low + (high - low) / 2
        if blocks[middle].firstKey > key { high = middle } else { low = middle + 1 }
      }
      return low - 1
    }

    private mutating func read(_ number: Int, of rows: AttachedRows) {
      let range = blocks[number].range
      current = number
      if range.lowerBound >= rows.base {
        (memory, start) = (rows.bytes, range.lowerBound - rows.base)
      } else {
        memory = (try? rows.spool?.read(at: range.lowerBound, count: range.count)) ?? []
        start = 0
      }
    }

    /// Where the row with a key is; should several rows have it, the last of them counts.
    private mutating func range(of key: Int64) -> Range<Int>? {
      let block = blocks[current]
      guard start + block.headSize <= memory.count else { return nil }
      let (count, key) = (Int(block.count), UInt64(bitPattern: key))
      // It is mostly the one behind the last.
      let isNext =
        next < count && word(next, 0) == key && (next + 1 == count || word(next + 1, 0) != key)
      var row = isNext ? next : count - 1
      while row >= 0, word(row, 0) != key { row -= 1 }
      guard row >= 0 else { return nil }
      next = row + 1
      let first = start + block.headSize
      return first + (row == 0 ? 0 : Int(word(row - 1, 1)))..<first + Int(word(row, 1))
    }

    private func word(_ row: Int, _ number: Int) -> UInt64 {
      UInt64(
        bigEndian: loadWord(from: memory.span, at: start + row * Block.headSize + number * 8))
    }
  }
}
