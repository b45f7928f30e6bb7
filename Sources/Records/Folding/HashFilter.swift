/// Tells of most hashes that are not in a list that they are not.
///
/// A bit for each hash that is there; the bits are few enough to stay at hand for many questions.
@frozen
@usableFromInline
package struct HashFilter: Sendable {
  @usableFromInline var words: [UInt64]
  @usableFromInline let mask: Int

  /// Makes room for so many hashes.
  package init(capacity: Int) {
    var count = 2
    // At most one bit in eight is set in the end.
    while count < capacity / 8 { count *= 2 }
    words = [UInt64](repeating: 0, count: count)
    mask = count - 1
  }

  /// Adds a hash.
  package mutating func add(_ hash: UInt64) { words[word(of: hash)] |= Self.bit(of: hash) }

  /// Whether the hash may have been added; false is certain.
  @inlinable
  @inline(__always)
  package func mayContain(_ hash: UInt64) -> Bool {
    words[word(of: hash)] & Self.bit(of: hash) != 0
  }

  @inlinable
  func word(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 6) & mask }

  @inlinable
  static func bit(of hash: UInt64) -> UInt64 { 1 << (hash & 63) }
}
