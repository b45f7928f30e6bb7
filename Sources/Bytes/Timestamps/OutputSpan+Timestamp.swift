/// How many bytes the spelling of a moment takes at most.
@inlinable package var timestampSize: Int { 30 }

extension OutputSpan<UInt8> {
  /// Appends a moment as `2016-10-01T09:15:30.123Z`.
  ///
  /// The fraction has three digits when they say all there is, otherwise nine. There must be room
  /// for `timestampSize` bytes.
  package mutating func appendTimestamp(_ timestamp: Timestamp) {
    // Seconds lie in the years 1 to 9999, so the sum is positive and division rounds down.
    let seconds = UInt64(truncatingIfNeeded: timestamp.secondsSince1970 &+ 62_135_596_800)
    let days = seconds / 86_400
    let second = UInt32(truncatingIfNeeded: seconds &- days &* 86_400)
    let date = CivilDate(daysSince1970: Int(truncatingIfNeeded: days) &- 719_162)
    let milliseconds = UInt32(truncatingIfNeeded: timestamp.nanoseconds) / 1_000_000
    let isShort = timestamp.isWholeMilliseconds
    // The parts fill places 0...19, the fraction 3 or 9 more, and `Z` the last.
    unsafe append(size: isShort ? 24 : 30) { target in
      unsafe write(date, at: target)
      unsafe write(secondOfDay: second, at: target + 10)
      if isShort {
        unsafe DecimalDigits.writePair(Int(milliseconds / 10), at: target + 20)
        unsafe target[22] = 48 &+ UInt8(truncatingIfNeeded: milliseconds % 10)
      } else {
        unsafe DecimalDigits.write(UInt64(timestamp.nanoseconds), count: 9, at: target + 20)
      }
      unsafe target[isShort ? 23 : 29] = UInt8(ascii: "Z")
    }
  }
}

extension [UInt8] {
  /// Appends a moment as `2016-10-01T09:15:30.123Z`, as an `OutputSpan` does.
  package mutating func appendTimestamp(_ timestamp: Timestamp) {
    append(addingCapacity: timestampSize) { $0.appendTimestamp(timestamp) }
  }
}

extension Timestamp {
  /// The moment's canonical spelling, as `appendTimestamp` writes it.
  package var text: String {
    var bytes: [UInt8] = []
    bytes.appendTimestamp(self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Writes `yyyy-MM-dd`, ten bytes.
@inline(__always)
private func write(_ date: CivilDate, at target: UnsafeMutablePointer<UInt8>) {
  unsafe DecimalDigits.writePair(date.year / 100, at: target)
  unsafe DecimalDigits.writePair(date.year % 100, at: target + 2)
  unsafe target[4] = UInt8(ascii: "-")
  unsafe DecimalDigits.writePair(date.month, at: target + 5)
  unsafe target[7] = UInt8(ascii: "-")
  unsafe DecimalDigits.writePair(date.day, at: target + 8)
}

/// Writes `THH:mm:ss.`, ten bytes.
@inline(__always)
private func write(secondOfDay second: UInt32, at target: UnsafeMutablePointer<UInt8>) {
  unsafe target[0] = UInt8(ascii: "T")
  unsafe DecimalDigits.writePair(Int(second / 3600), at: target + 1)
  unsafe target[3] = UInt8(ascii: ":")
  unsafe DecimalDigits.writePair(Int(second / 60 % 60), at: target + 4)
  unsafe target[6] = UInt8(ascii: ":")
  unsafe DecimalDigits.writePair(Int(second % 60), at: target + 7)
  unsafe target[9] = UInt8(ascii: ".")
}
