/// Numbers of which small ones take a byte: seven bits a byte, the lowest first; the last byte lacks the
/// highest bit.
extension [UInt8] {
  /// Appends a number.
  package mutating func append(packed number: UInt64) {
    var bits = number
    while bits >= 0x80 {
      append(UInt8(truncatingIfNeeded: bits) | 0x80)
      bits &>>= 7
    }
    append(UInt8(truncatingIfNeeded: bits))
  }
}

/// Reads a number, and goes on behind it.
package func packedNumber(_ bytes: Span<UInt8>, _ place: inout Int) -> UInt64 {
  var bits: UInt64 = 0
  var shift: UInt64 = 0
  while true {
    let byte = bytes[place]
    place &+= 1
    bits |= UInt64(byte & 0x7F) &<< shift
    guard byte & 0x80 != 0 else { return bits }
    shift &+= 7
  }
}

/// A number whose sign becomes the lowest bit, so that those close to zero are small.
func folded(_ number: Int) -> UInt64 {
  let number = Int64(number)
  return UInt64(bitPattern: number &<< 1 ^ number &>> 63)
}

/// The number that was folded.
func unfolded(_ bits: UInt64) -> Int { Int(Int64(bitPattern: bits &>> 1 ^ (0 &- (bits & 1)))) }
