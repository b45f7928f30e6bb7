/// One value of a batch in 16 bytes: a number, or the place of its bytes in the batch's arena.
@frozen
@usableFromInline
package struct Cell: Sendable, Equatable {
  /// The number itself, the bits of a double, or the offset in the arena.
  @usableFromInline let bits: UInt64
  /// How many bytes of the arena belong to the cell.
  @usableFromInline let length: UInt32
  /// How the cell is held.
  @usableFromInline package let kind: CellKind

  @inlinable
  @inline(__always)
  init(bits: UInt64, length: UInt32, kind: CellKind) {
    self.bits = bits
    self.length = length
    self.kind = kind
  }

  /// A cell whose bytes begin at a place of the arena; values are much shorter than 4 GiB.
  @inlinable
  @inline(__always)
  init(_ place: Int, _ size: Int, kind: CellKind) {
    self.init(bits: UInt64(place), length: UInt32(size), kind: kind)
  }

  /// The cell without a value.
  @inlinable package static var null: Cell {
    @inline(__always) get { Cell(bits: 0, length: 0, kind: .null) }
  }

  /// A cell that holds a whole number.
  @inlinable
  @inline(__always)
  package static func integer(_ value: Int64) -> Cell {
    Cell(bits: UInt64(bitPattern: value), length: 0, kind: .integer)
  }

  /// A cell that holds a floating point number.
  @inlinable
  @inline(__always)
  package static func real(_ value: Double) -> Cell {
    Cell(bits: value.bitPattern, length: 0, kind: .real)
  }

  /// A cell that holds a text of so many bytes at a place of the arena.
  @inlinable
  @inline(__always)
  package static func text(at place: Int, size: Int) -> Cell {
    Cell(place, size, kind: .text)
  }

  /// A cell that holds so many bytes at a place of the arena.
  @inlinable
  @inline(__always)
  package static func binary(at place: Int, size: Int) -> Cell {
    Cell(place, size, kind: .binary)
  }

  /// The number of an integer cell; meaningless for other kinds.
  @inlinable @inline(__always) package var integer: Int64 { Int64(bitPattern: bits) }

  /// The number of a real cell; meaningless for other kinds.
  @inlinable @inline(__always) package var real: Double { Double(bitPattern: bits) }

  /// The bytes of a text or binary cell in its batch's arena; empty for other kinds.
  @inlinable @inline(__always) package var range: Range<Int> {
    guard kind == .text || kind == .binary else { return 0..<0 }
    let start = Int(truncatingIfNeeded: bits)
    return start..<(start &+ Int(length))
  }
}

/// How a cell is held in a batch; the column's logical type says what it means.
@frozen
@usableFromInline
package enum CellKind: UInt8, Sendable {
  case null
  /// A signed 64-bit number in the cell itself.
  case integer
  /// A double in the cell itself.
  case real
  /// UTF-8 text in the arena, already in its canonical spelling.
  case text
  /// Bytes in the arena.
  case binary
}
