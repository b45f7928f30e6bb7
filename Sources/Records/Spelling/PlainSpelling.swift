import Bytes

/// What a cell is in JSON; what its spelling says is the same in every format.
package enum JSONKind: Sendable {
  case missing
  /// A number, `true` or `false`: ASCII that no format has to escape.
  case literal
  /// ASCII that no format has to escape, but that JSON takes for a string.
  case word
  case text

  package init(_ cell: Cell) {
    switch cell.kind {
    case .null: self = .missing
    case .integer: self = .literal
    // The canonical store has no room for what is not a number, and keeps NULL in its place.
    case .real: self = cell.real.isFinite ? .literal : cell.real.isNaN ? .missing : .word
    case .text: self = .text
    case .binary: self = .word
    }
  }
}

extension Cell {
  /// How many bytes the plain spelling takes at most.
  package var plainSize: Int {
    switch kind {
    case .null: 0
    case .integer, .real: realSize
    case .text: Int(length)
    case .binary: base64Size(of: Int(length))
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends what a cell says, without escapes or quotes: design section 3 has the table of spellings.
  ///
  /// Nothing is appended for a cell without a value. There must be room for `plainSize` bytes.
  package mutating func appendPlain(_ cell: Cell, type: LogicalType, arena: Span<UInt8>) {
    switch cell.kind {
    case .null:
      break
    case .integer:
      if case .boolean = type {
        append(cell.integer != 0 ? "true" : "false")
      } else {
        appendDecimal(cell.integer)
      }
    case .real:
      // The canonical store has no negative zero, which the engine keeps as 0 in its columns.
      appendReal(cell.real == 0 ? 0 : cell.real)
    case .text:
      append(arena.extracting(cell.range))
    case .binary:
      appendBase64(arena.extracting(cell.range))
    }
  }
}

extension [UInt8] {
  /// Appends what a cell says, without escapes or quotes, as an `OutputSpan` does.
  package mutating func appendPlain(_ cell: Cell, type: LogicalType, arena: Span<UInt8>) {
    append(addingCapacity: cell.plainSize) { $0.appendPlain(cell, type: type, arena: arena) }
  }
}
