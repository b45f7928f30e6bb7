import Bytes

extension [UInt8] {
  @inline(__always)
  mutating func append(row: Span<Cell>, key: Int64, arena: Span<UInt8>) {
    var size = 8
    for place in row.indices { size &+= row[place].hashedSize }
    append(roomFor: size &+ sha256EndSize) { room in
      let all = room.left
      room.appendBigEndian(UInt64(bitPattern: key))
      for place in row.indices { room.appendHashed(row[place], arena: arena) }
      room.endSHA256Message(ofSize: all &- room.left)
    }
  }
}

extension Cell {
  /// How many bytes of a message the cell takes at most.
  fileprivate var hashedSize: Int { 9 &+ Int(length) }
}

extension ByteRoom {
  /// Appends a cell: a byte for its kind, then the number or the count and the bytes.
  @inline(__always)
  fileprivate mutating func appendHashed(_ cell: Cell, arena: Span<UInt8>) {
    switch cell.kind {
    case .null:
      append(0)
    case .integer:
      append(1, bigEndian: UInt64(bitPattern: cell.integer))
    case .real:
      // In columns of numbers SQLite keeps NULL for what is not one, and 0 for a negative zero.
      if cell.real.isNaN { return append(0) }
      append(2, bigEndian: (cell.real == 0 ? 0 : cell.real).bitPattern)
    case .text, .binary:
      append(cell.kind == .text ? 3 : 4, bigEndian: cell.length)
      append(arena, cell.range)
    }
  }
}
