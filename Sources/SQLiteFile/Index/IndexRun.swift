import Bytes
import Records

/// As many entries of an index as are sorted at once.
struct IndexRun: Sendable {
  /// An entry and where its key lies.
  private struct Entry {
    let prefix: UInt64
    let row: Int64
    let start: UInt32
    let end: UInt32
  }

  private var keys: [UInt8] = []
  private var entries: [Entry] = []

  /// Whether it is time to sort.
  var isFull: Bool { entries.count >= 1 << 15 || keys.count >= 2 << 20 }

  var isEmpty: Bool { entries.isEmpty }

  /// Adds the entry of a row.
  ///
  /// - Returns: the size of its key.
  @inline(__always)
  mutating func append(_ cell: Cell, arena: Span<UInt8>, row: Int64) -> Int {
    let start = keys.count
    keys.appendIndexKey(cell, arena: arena)
    entries.append(
      Entry(
        prefix: IndexKey.prefix(of: keys.span.extracting(start...)), row: row,
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: keys.count)))
    return keys.count &- start
  }

  /// The entries in their order: the size of a key in two bytes, the key, and the row in eight.
  consuming func sorted() -> [UInt8] {
    let keys = keys
    entries.sort { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      let order = order(
        of: keys.span.extracting(Int(left.start)..<Int(left.end)),
        and: keys.span.extracting(Int(right.start)..<Int(right.end)))
      return order == 0 ? left.row < right.row : order < 0
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(keys.count + entries.count * 10)
    for entry in entries {
      let key = keys.span.extracting(Int(entry.start)..<Int(entry.end))
      bytes.append(UInt8(truncatingIfNeeded: key.count >> 8))
      bytes.append(UInt8(truncatingIfNeeded: key.count))
      bytes.append(key)
      bytes.appendBigEndian(UInt64(bitPattern: entry.row))
    }
    return bytes
  }
}
