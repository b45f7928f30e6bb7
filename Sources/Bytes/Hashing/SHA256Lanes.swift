import CHashing

/// The states of 32 messages, of which every round is done for all at once.
struct SHA256Lanes: Sendable {
  /// All first words one behind the other, then all second ones, and so on.
  private var words = [UInt32](repeating: 0, count: 8 * Self.count)

  /// How many messages there are.
  static let count = 32

  /// Whether this processor can do that: it works on sixteen words at once.
  static let areAvailable = rehome_has_sha256_lanes() != 0

  /// The state of one message.
  subscript(lane: Int) -> SHA256State {
    let words = words.span
    return SHA256State(
      words: InlineArray<8, UInt32> { number in words[Self.count &* number &+ lane] })
  }

  /// The hash of a message of which all blocks were taken in.
  func digest(of lane: Int) -> SHA256Digest {
    let words = words.span
    func pair(_ number: Int) -> UInt64 {
      let place = 2 &* Self.count &* number &+ lane
      return UInt64(words[place]) << 32 | UInt64(words[place &+ Self.count])
    }
    return SHA256Digest(
      words: .init(first: pair(0), second: pair(1), third: pair(2), fourth: pair(3)))
  }

  /// Takes so many blocks of each message in, which begin at these places of the bytes; they may be
  /// the first ones.
  ///
  /// It must be available.
  mutating func compress(_ bytes: Span<UInt8>, at places: [Int], blocks: Int, areFirst: Bool) {
    precondition(Self.areAvailable && places.count == Self.count && blocks >= 0)
    for place in places {
      precondition(place >= 0 && place <= bytes.count && blocks <= (bytes.count &- place) / 64)
    }
    let start = SHA256State().words
    // There are eight words and a place for each message, and as was just seen, each has so many
    // blocks behind its place. The eight words of the start and the constants are only read.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe places.withUnsafeBufferPointer { places in
          unsafe start.span.withUnsafeBufferPointer { start in
            unsafe roundConstants.span.withUnsafeBufferPointer { constants in
              unsafe rehome_sha256_many(
                words.baseAddress, areFirst ? start.baseAddress : nil, bytes.baseAddress,
                places.baseAddress, blocks, constants.baseAddress)
            }
          }
        }
      }
    }
  }
}
