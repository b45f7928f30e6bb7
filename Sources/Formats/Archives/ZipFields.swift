/// The little-endian numbers and extra fields of ZIP records.
enum ZipFields {
  /// The number in some bytes; nil where it ends beyond them or is above what an `Int` holds.
  static func number(_ bytes: Span<UInt8>, at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    var value: UInt64 = 0
    for place in 0..<count { value |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    return Int(exactly: value)
  }

  /// A copy of the extra field with a number; nil where there is none or it does not fit.
  static func extra(_ id: Int, in extra: Span<UInt8>) -> [UInt8]? {
    var start = 0
    while let found = number(extra, at: start, bytes: 2),
      let size = number(extra, at: start + 2, bytes: 2), start + 4 + size <= extra.count
    {
      if found == id {
        var copy: [UInt8] = []
        for place in start + 4..<start + 4 + size { copy.append(extra[place]) }
        return copy
      }
      start += 4 + size
    }
    return nil
  }
}
