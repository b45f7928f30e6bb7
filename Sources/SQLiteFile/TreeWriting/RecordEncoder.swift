import Bytes
import Records

/// Encodes rows as the records of SQLite's file format: types first, then the values.
struct RecordEncoder {
  private let headSize: Int
  private let hasKeyColumn: Bool
  /// How many bytes the record has.
  let size: Int

  /// Measures the record of a row, whose cells `encode` will then write.
  ///
  /// The key has a place of its own; its column, if it has one, is the first, and kept as NULL.
  @inline(__always)
  init(_ cells: Span<Cell>, hasKeyColumn: Bool) {
    self.hasKeyColumn = hasKeyColumn
    var typesSize = hasKeyColumn ? 1 : 0
    var valuesSize = 0
    for place in cells.indices {
      let (type, size) = Self.form(of: cells[place])
      typesSize &+= varintSize(type)
      valuesSize &+= size
    }
    // The head's size counts itself; 2000 types of 9 bytes stay far below three bytes of size.
    headSize = typesSize &+ (typesSize < 127 ? 1 : typesSize < 16382 ? 2 : 3)
    size = headSize &+ valuesSize
  }

  /// Appends the record of the row that was measured, for which there must be room.
  func encode(_ cells: Span<Cell>, arena: Span<UInt8>, to record: inout OutputSpan<UInt8>) {
    record.appendVarint(UInt64(headSize))
    if hasKeyColumn { record.append(0) }
    for place in cells.indices { record.appendVarint(Self.form(of: cells[place]).type) }
    for place in cells.indices { record.appendValue(of: cells[place], arena: arena) }
  }

  /// The type under which a cell is stored, and how many bytes its value takes.
  @inline(__always)
  private static func form(of cell: Cell) -> (type: UInt64, size: Int) {
    switch cell.kind {
    case .null: (0, 0)
    case .integer: RecordInteger(cell.integer).form
    // The engine keeps NULL for what is not a number.
    case .real: cell.real.isNaN ? (0, 0) : (7, 8)
    case .text: (UInt64(cell.range.count) &* 2 &+ 13, cell.range.count)
    case .binary: (UInt64(cell.range.count) &* 2 &+ 12, cell.range.count)
    }
  }
}

/// A whole number as a record has it: in as few bytes as it needs.
package struct RecordInteger {
  let number: Int64
  /// The type that tells how many bytes there are; 0 and 1 are types of their own.
  let type: UInt64
  let size: Int

  @inline(__always)
  init(_ number: Int64) {
    self.number = number
    if number == 0 || number == 1 {
      (type, size) = (8 &+ UInt64(number), 0)
      return
    }
    let bits = 65 &- (number < 0 ? ~number : number).leadingZeroBitCount
    (type, size) =
      switch bits {
      case ...8: (1, 1)
      case ...16: (2, 2)
      case ...24: (3, 3)
      case ...32: (4, 4)
      case ...48: (5, 6)
      default: (6, 8)
      }
  }

  /// The type and how many bytes the number takes.
  var form: (type: UInt64, size: Int) { (type, size) }
}

extension OutputSpan<UInt8> {
  @inline(__always)
  fileprivate mutating func appendValue(of cell: Cell, arena: Span<UInt8>) {
    switch cell.kind {
    case .null: break
    case .integer: append(RecordInteger(cell.integer))
    case .real:
      // No negative zero: the engine would keep it as the whole number 0.
      if !cell.real.isNaN { appendBigEndian((cell.real == 0 ? 0 : cell.real).bitPattern) }
    case .text, .binary: append(arena.extracting(cell.range))
    }
  }

  /// Appends the bytes of a number.
  package mutating func append(_ integer: RecordInteger) {
    var shift = Int64(integer.size &* 8)
    while shift > 0 {
      shift &-= 8
      append(UInt8(truncatingIfNeeded: integer.number &>> shift))
    }
  }

  /// Appends a number in one to nine bytes, of which all but the last carry seven bits.
  @inline(__always)
  mutating func appendVarint(_ number: UInt64) {
    if number < 0x80 { return append(UInt8(truncatingIfNeeded: number)) }
    appendLongVarint(number)
  }

  private mutating func appendLongVarint(_ number: UInt64) {
    if number >= 1 << 56 {
      // The ninth byte carries eight bits.
      for shift in stride(from: 57 as UInt64, through: 8, by: -7) {
        append(UInt8(truncatingIfNeeded: number >> shift) | 0x80)
      }
      return append(UInt8(truncatingIfNeeded: number))
    }
    for group in stride(from: varintSize(number) - 1, to: 0, by: -1) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(group * 7)) | 0x80)
    }
    append(UInt8(truncatingIfNeeded: number) & 0x7f)
  }
}

extension [UInt8] {
  /// Appends the bytes of a number.
  mutating func append(_ integer: RecordInteger) {
    append(addingCapacity: integer.size) { $0.append(integer) }
  }

  /// Appends a number in one to nine bytes, of which all but the last carry seven bits.
  mutating func appendVarint(_ number: UInt64) {
    append(addingCapacity: varintSize(number)) { $0.appendVarint(number) }
  }
}

/// How many bytes `appendVarint` takes.
@inline(__always)
func varintSize(_ number: UInt64) -> Int {
  number < 0x80 ? 1 : Swift.min(9, (70 &- number.leadingZeroBitCount) / 7)
}
