import Bytes

extension [UInt8] {
  /// Appends a cell as JSON; `type` is its column's, and the bytes lie in `arena`.
  package mutating func appendJSON(_ cell: Cell, type: LogicalType, arena: Span<UInt8>) {
    switch CellDress(cell) {
    case .missing:
      append("null")
    case .literal:
      appendPlain(cell, type: type, arena: arena)
    case .word:
      append(UInt8(ascii: "\""))
      appendPlain(cell, type: type, arena: arena)
      append(UInt8(ascii: "\""))
    case .text:
      Bytes.appendJSONString(arena.extracting(cell.range), to: &self)
    }
  }
}
