extension [UInt8] {
  /// Appends a piece behind a byte that counts what it has; one of more than 254 bytes has their number
  /// behind that byte.
  package mutating func append(counted piece: Span<UInt8>) {
    if piece.count < Int(UInt8.max) {
      append(UInt8(truncatingIfNeeded: piece.count))
    } else {
      append(.max)
      appendBigEndian(UInt64(piece.count))
    }
    append(piece)
  }
}

/// Where the piece is whose count is at a place; nil where the bytes end before it does.
package func countedPiece(in bytes: Span<UInt8>, at place: Int) -> Range<Int>? {
  guard let head = headOfCounted(in: bytes, at: place),
    bytes.count - place - head.size >= head.count
  else { return nil }
  let start = place + head.size
  return start..<start + head.count
}

/// How many bytes a piece has whose count is at a place, and how many the count takes; nil where the
/// bytes end before they tell.
func headOfCounted(in bytes: Span<UInt8>, at place: Int) -> (size: Int, count: Int)? {
  guard place < bytes.count else { return nil }
  if bytes[place] < .max { return (1, Int(bytes[place])) }
  guard bytes.count - place > 8 else { return nil }
  return (9, Int(clamping: UInt64(bigEndian: loadWord(from: bytes, at: place + 1))))
}
