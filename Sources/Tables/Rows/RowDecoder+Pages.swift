import Bytes
import Records
import SQLiteFile

/// A column of a planned table as the rows of its pages are decoded.
struct PageColumn: Sendable {
  let place: Int
  /// What to try first.
  let shortcut: RowDecoder.Shortcut
  /// Whether its values are only checked.
  let isOnlyChecked: Bool
}

/// The rows of pages, many of whose cells need nothing but a look at how they are stored.
extension RowDecoder {
  /// The columns of the plan, whose values are at these places of the stored rows.
  func columns(at places: [Int]) -> [PageColumn] {
    places.indices.map { index in
      PageColumn(
        place: places[index], shortcut: shortcuts[index], isOnlyChecked: isOnlyChecked[index])
    }
  }

  @inline(__always)
  func decodeRow(
    _ row: borrowing PageRow, key: Int64, isNamed: Bool, into batch: inout RecordBatch
  ) {
    let hides = hidesCells(ofRow: key, isNamed: isNamed)
    var index = 0
    while true {
      index = decodeQuickly(row, from: index, hides: hides, into: &batch)
      guard index < plan.count else { break }
      let column = index &+ 1
      decode(row, column, row.storageClass(at: column), key: key, into: &batch)
      index = column
    }
    batch.endRow(key: key)
  }

  /// Appends the cells from a column on, up to the first that takes a closer look.
  ///
  /// - Returns: the column of that cell, or how many columns there are.
  @inline(__always)
  private func decodeQuickly(
    _ row: borrowing PageRow, from first: Int, hides: Bool, into batch: inout RecordBatch
  ) -> Int {
    let columns = row.columns
    let stored = row.batch.arena
    let values = row.batch.values
    let arenaStart = row.arenaStart
    let start = row.start
    var index = first
    let left = columns.count &- first
    batch.append(cells: left, bytes: left &* quickSize) { cells, bytes, bytesStart in
      while index < columns.count {
        let column = columns[index]
        let isHidden = hides && column.isOnlyChecked
        let value = values[start &+ column.place]
        var cell = Cell.null
        switch (column.shortcut, value.kind) {
        case (.none, _): return
        case (_, .null), (_, .missing): break
        case (.integer, .integer): cell = .integer(value.integer)
        case (.real, .real): cell = .real(value.real)
        case (.boolean, .integer):
          guard value.integer & ~1 == 0 else { return }
          cell = .integer(value.integer)
        case (.text, .text):
          guard isValidUTF8(stored.span.extracting(value.range)) else { return }
          cell = .text(at: arenaStart &+ value.range.lowerBound, size: value.range.count)
        case (.timestampText, .text):
          guard isTimestampOfMilliseconds(stored.span.extracting(value.range)) else { return }
          cell = .text(at: arenaStart &+ value.range.lowerBound, size: value.range.count)
        case (.secondsSince2001, .real):
          guard let timestamp = Timestamp(secondsSince2001: value.real) else { return }
          if isHidden { break }
          let place = bytes.count
          bytes.appendTimestamp(timestamp)
          cell = .text(at: bytesStart &+ place, size: bytes.count &- place)
        case (.binary, .blob):
          cell = .binary(at: arenaStart &+ value.range.lowerBound, size: value.range.count)
        case (.taggedBinary, .blob):
          let range = value.range
          guard range.count > 0, stored[range.lowerBound] == TaggedBinary.inlineTag else { return }
          cell = .binary(at: arenaStart &+ range.lowerBound &+ 1, size: range.count &- 1)
        default:
          let place = bytes.count
          guard bytes.append(value, as: column.shortcut, from: stored.span) else { return }
          cell = .text(at: bytesStart &+ place, size: bytes.count &- place)
        }
        cells.append(isHidden ? .null : cell)
        index &+= 1
      }
    }
    return index
  }
}

/// How many bytes the texts take at most that are spelled without a closer look.
private var quickSize: Int { max(timestampSize, realSize, uuidSize) }

extension OutputSpan<UInt8> {
  /// Appends what a value is spelled as, at most `quickSize` bytes; false where that takes a closer
  /// look.
  fileprivate mutating func append(
    _ value: StoredValue, as shortcut: RowDecoder.Shortcut, from stored: Span<UInt8>
  ) -> Bool {
    switch (shortcut, value.kind) {
    case (.secondsSince2001, .integer):
      guard let timestamp = Timestamp(wholeSecondsSince2001: value.integer) else { return false }
      appendTimestamp(timestamp)
    case (.decimal, .integer):
      appendDecimal(value.integer)
    case (.decimal, .real):
      // Others can be longer than `realSize`.
      guard 1e-5..<0x1p53 ~= value.real.magnitude else { return false }
      appendWrittenOut(value.real)
    case (.uuidBytes, .blob):
      guard value.range.count == 16 else { return false }
      appendUUID(stored.extracting(value.range))
    default:
      return false
    }
    return true
  }
}
