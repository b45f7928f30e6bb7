import Bytes

/// Tells of most hashes that are not in a list that they are not.
///
/// Two bits of one word for each hash that is there; the words are few enough to stay at hand for
/// many questions.
@frozen
@usableFromInline
package struct HashFilter: Sendable {
  @usableFromInline var words: [UInt64]
  @usableFromInline let mask: Int

  /// Makes room for so many hashes.
  package init(capacity: Int) {
    var count = 2
    // At most one bit in four is set in the end.
    while count < capacity / 8 { count *= 2 }
    words = [UInt64](repeating: 0, count: count)
    mask = count - 1
  }

  /// Adds a hash.
  package mutating func add(_ hash: UInt64) { words[word(of: hash)] |= Self.bits(of: hash) }

  /// Gets ready for a question about a hash.
  package func prepare(for hash: UInt64) { prefetch(words.span, at: word(of: hash)) }

  /// Whether the hash may have been added; false is certain.
  @inlinable
  @inline(__always)
  package func mayContain(_ hash: UInt64) -> Bool {
    Self.bits(of: hash) & ~words[word(of: hash)] == 0
  }

  @inlinable
  func word(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> 6) & mask }

  @inlinable
  static func bits(of hash: UInt64) -> UInt64 { 1 &<< (hash & 63) | 1 &<< (hash &>> 58) }
}
