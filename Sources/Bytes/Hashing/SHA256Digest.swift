/// The 32 bytes of a SHA-256 hash.
package struct SHA256Digest: Sendable, Hashable {
  /// The bytes as four numbers, most significant byte and number first.
  package let words: Words

  /// Four numbers of eight bytes each.
  package struct Words: Sendable, Hashable {
    /// Bytes 0 to 7.
    package let first: UInt64
    /// Bytes 8 to 15.
    package let second: UInt64
    /// Bytes 16 to 23.
    package let third: UInt64
    /// Bytes 24 to 31.
    package let fourth: UInt64
  }

  /// The bytes, in order.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in [words.first, words.second, words.third, words.fourth] {
      for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  /// 64 lower-case hexadecimal digits.
  package var hexadecimal: String {
    let bytes = bytes
    var text: [UInt8] = []
    text.appendHex(bytes.span)
    return String(decoding: text, as: UTF8.self)
  }
}
