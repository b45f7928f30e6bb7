/// Reads a number of one to nine bytes and moves on; nil when the bytes end before it does.
@inline(__always)
func varint(_ bytes: Span<UInt8>, at position: inout Int) -> UInt64? {
  guard position < bytes.count else { return nil }
  let first = bytes[position]
  if first < 0x80 {
    position &+= 1
    return UInt64(first)
  }
  return longVarint(bytes, at: &position)
}

/// The numbers that take more than one byte: seven bits of each of eight, then all of the ninth.
private func longVarint(_ bytes: Span<UInt8>, at position: inout Int) -> UInt64? {
  var value: UInt64 = 0
  for index in 0..<8 {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    position &+= 1
    value = value << 7 | UInt64(byte & 0x7F)
    if byte < 0x80 { return value }
    if index == 7, position < bytes.count {
      value = value << 8 | UInt64(bytes[position])
      position &+= 1
      return value
    }
  }
  return nil
}
