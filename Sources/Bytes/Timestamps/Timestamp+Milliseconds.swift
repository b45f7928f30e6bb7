/// Whether a text is a moment as `appendTimestamp` spells it, to the millisecond: most are.
///
/// It says so in a fraction of the time that reading the moment and spelling it again would take.
package func isTimestampOfMilliseconds(_ text: Span<UInt8>) -> Bool {
  guard text.count == 24 else { return false }
  let yearAndMonth = digits(of: loadWord(from: text, at: 0), like: "0000-00-")
  let dayAndTime = digits(of: loadWord(from: text, at: 8), like: "00T00:00")
  let seconds = digits(of: loadWord(from: text, at: 16), like: ":00.000Z")
  guard let yearAndMonth, let dayAndTime, let seconds else { return false }
  let date = CivilDate(
    year: pair(in: yearAndMonth, at: 0) * 100 + pair(in: yearAndMonth, at: 2),
    month: pair(in: yearAndMonth, at: 5), day: pair(in: dayAndTime, at: 0))
  return date.exists && pair(in: dayAndTime, at: 3) < 24 && pair(in: dayAndTime, at: 6) < 60
    && pair(in: seconds, at: 1) < 60
}

/// The values of the digits in eight bytes, which all other bytes must be like in `form`; nil where
/// they are not, or a byte that should be a digit is none.
@inline(__always)
private func digits(of bytes: UInt64, like form: StaticString) -> UInt64? {
  var expected: UInt64 = 0
  // What must be added to a byte so that its upper bit says that it is too large.
  var excess: UInt64 = 0
  for place in 0..<8 {
    let byte = unsafe form.utf8Start[place]
    expected |= UInt64(byte) << (8 &* UInt64(place))
    excess |= (byte == UInt8(ascii: "0") ? 0x76 : 0x7F) << (8 &* UInt64(place))
  }
  let upperBits: UInt64 = 0x8080_8080_8080_8080
  let values = UInt64(littleEndian: bytes) ^ expected
  // With upper bits clear, no sum reaches the next byte.
  guard values & upperBits == 0, (values &+ excess) & upperBits == 0 else { return nil }
  return values
}

/// The number that two digits make.
@inline(__always)
private func pair(in values: UInt64, at place: Int) -> Int {
  let bits = values >> (8 &* UInt64(place))
  return Int(bits & 0xFF) &* 10 &+ Int(bits >> 8 & 0xFF)
}
