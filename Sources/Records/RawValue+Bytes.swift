import Bytes

extension RawValue {
  /// The value of a cell; no bytes where there is none.
  package init(_ cell: Cell, in arena: Span<UInt8>) {
    switch cell.kind {
    case .null: self = .binary([])
    case .integer: self = .integer(cell.integer)
    case .real: self = .real(cell.real)
    case .text: self = .text([UInt8](copying: arena.extracting(cell.range)))
    case .binary: self = .binary([UInt8](copying: arena.extracting(cell.range)))
    }
  }

  /// The storage class that the source used, as SQLite calls it.
  package var storage: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .binary: "blob"
    }
  }

  /// The value as the canonical store has it: text that is not UTF-8 is a blob there, since SQLite's
  /// own text must be valid.
  var asStored: RawValue {
    if case .text(let bytes) = self, !isValidUTF8(bytes.span) { .binary(bytes) } else { self }
  }

  /// The value as bytes: a number takes eight, most significant first.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .integer(let number): bytes.appendBigEndian(UInt64(bitPattern: number))
    // As in cells, a negative zero counts as zero.
    case .real(let number): bytes.appendBigEndian((number == 0 ? 0 : number).bitPattern)
    case .text(let text): return text
    case .binary(let binary): return binary
    }
    return bytes
  }
}
