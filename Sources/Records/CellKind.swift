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
