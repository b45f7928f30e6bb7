extension ByteRoom {
  /// Appends a range of UTF-8 text as a JSON string, as an `OutputSpan` does.
  ///
  /// `jsonStringSize` tells the room it needs. Quickest where bytes of the source follow the range.
  @inlinable
  @inline(__always)
  package mutating func appendJSONString(_ text: Span<UInt8>, _ range: Range<Int>) {
    guard text.count &- range.upperBound >= Self.blockSize else {
      return append(upTo: left) { $0.appendJSONString(text.extracting(range)) }
    }
    append(0x22)
    var place = range.lowerBound
    while true {
      place = append(text, place..<range.upperBound, upTo: bytesToEscape)
      guard place < range.upperBound else { break }
      let byte = text[place]
      if byte == 0x22 || byte == 0x5C {
        // By far the most frequent ones.
        append(0x5C)
        append(byte)
      } else {
        append(upTo: min(6, left)) { $0.appendJSONEscape(of: byte) }
      }
      place &+= 1
    }
    append(0x22)
  }
}
