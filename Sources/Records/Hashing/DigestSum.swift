import Bytes

/// The sum of hashes as 256-bit numbers, the carry out of the highest bit dropped.
struct DigestSum: Sendable, Equatable {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0
  private var fourth: UInt64 = 0

  init() {}

  mutating func add(_ digest: SHA256Digest) {
    add(digest.words.first, digest.words.second, digest.words.third, digest.words.fourth)
  }

  mutating func add(_ other: DigestSum) {
    add(other.first, other.second, other.third, other.fourth)
  }

  @inline(__always)
  private mutating func add(
    _ highest: UInt64, _ high: UInt64, _ low: UInt64, _ lowest: UInt64
  ) {
    var carry: UInt64 = 0
    fourth = Self.sum(fourth, lowest, &carry)
    third = Self.sum(third, low, &carry)
    second = Self.sum(second, high, &carry)
    first = Self.sum(first, highest, &carry)
  }

  /// The 32 bytes, most significant first.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for word in [first, second, third, fourth] { bytes.appendBigEndian(word) }
    return bytes
  }

  @inline(__always)
  private static func sum(_ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (partial, overflow) = left.addingReportingOverflow(right)
    let (total, second) = partial.addingReportingOverflow(carry)
    carry = overflow || second ? 1 : 0
    return total
  }
}
