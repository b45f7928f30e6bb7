/// Numbers of which small ones take a byte: seven bits a byte, the lowest first; the last byte lacks the
/// highest bit.
extension [UInt8] {
  /// Appends a number; where bytes were reserved, not more than are needed are taken.
  package mutating func append(packed number: UInt64) {
    forEachByte(ofPacked: number) { append($0) }
  }

  /// Appends how many bytes something has.
  mutating func append(length: Int) { append(packed: UInt64(truncatingIfNeeded: length)) }
}

/// Calls `body` with the bytes of a number.
@inline(__always)
func forEachByte(ofPacked number: UInt64, _ body: (UInt8) -> Void) {
  var rest = number
  while rest >= 0x80 {
    body(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest &>>= 7
  }
  body(UInt8(truncatingIfNeeded: rest))
}

/// Reads a number, and goes on behind it; one that is cut off ends with the bytes.
package func packedNumber(_ bytes: Span<UInt8>, _ place: inout Int) -> UInt64 {
  var bits: UInt64 = 0
  var shift: UInt64 = 0
  while place < bytes.count {
    let byte = bytes[place]
    place &+= 1
    bits |= UInt64(byte & 0x7F) &<< shift
    if byte < 0x80 { break }
    shift &+= 7
  }
  return bits
}

/// A number whose sign becomes the lowest bit, so that those close to zero are small.
func folded(_ number: Int) -> UInt64 {
  let number = Int64(number)
  return UInt64(bitPattern: number &<< 1 ^ number &>> 63)
}

/// The number that was folded.
func unfolded(_ bits: UInt64) -> Int { Int(Int64(bitPattern: bits &>> 1 ^ (0 &- (bits & 1)))) }
