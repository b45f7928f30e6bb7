import Bytes

extension Cell {
  /// How many bytes the JSON of the cell takes at most.
  func jsonSize(in arena: Span<UInt8>) -> Int {
    switch kind {
    // A number is as long as `null` or longer, and one that is infinite has quotes.
    case .null, .integer, .real: realSize + 2
    case .text: jsonStringSize(of: arena.extracting(range))
    case .binary: plainSize + 2
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a cell as JSON; `type` is its column's, and the bytes lie in `arena`.
  ///
  /// There must be room for `jsonSize` bytes.
  mutating func appendJSON(_ cell: Cell, type: LogicalType, arena: Span<UInt8>) {
    switch JSONKind(cell) {
    case .missing:
      append("null")
    case .literal:
      appendPlain(cell, type: type, arena: arena)
    case .word:
      append(UInt8(ascii: "\""))
      appendPlain(cell, type: type, arena: arena)
      append(UInt8(ascii: "\""))
    case .text:
      appendJSONString(arena.extracting(cell.range))
    }
  }
}

extension [UInt8] {
  /// Appends a cell as JSON; `type` is its column's, and the bytes lie in `arena`.
  package mutating func appendJSON(_ cell: Cell, type: LogicalType, arena: Span<UInt8>) {
    append(addingCapacity: cell.jsonSize(in: arena)) {
      $0.appendJSON(cell, type: type, arena: arena)
    }
  }
}
