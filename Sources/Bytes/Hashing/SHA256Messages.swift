/// Short messages one behind the other, whose hashes are made together: that takes a third of the
/// time of one after the other.
package struct SHA256Messages: Sendable {
  private var bytes: [UInt8] = []
  /// Where each message begins, and where the last one ends.
  private var edges = [0]
  private var hashing = Hashing()

  /// How many messages, and how many bytes of them, stay close to the processor.
  private static let most = 128
  private static let mostBytes = 64 << 10

  /// No messages.
  package init() {}

  /// How many messages there are.
  private var count: Int { edges.count &- 1 }

  /// Adds the message that `write` appends and ends by `endSHA256Message`.
  ///
  /// - Returns: whether they should be hashed before there are more.
  package mutating func add(_ write: (inout [UInt8]) -> Void) -> Bool {
    write(&bytes)
    edges.append(bytes.count)
    return count >= Self.most || bytes.count >= Self.mostBytes
  }

  /// Lends the hash of each message in their order; then there are none.
  package mutating func hashAll(_ body: (_ number: Int, SHA256Digest) -> Void) {
    let digests = hashing.digests(of: bytes, between: edges)
    for number in 0..<count { body(number, digests[number]) }
    bytes.removeAll(keepingCapacity: true)
    edges.removeAll(keepingCapacity: true)
    edges.append(0)
  }
}

extension SHA256Messages {
  /// The hashes of some messages, and what is needed to find them.
  fileprivate struct Hashing: Sendable {
    private var digests: [SHA256Digest] = []
    /// The numbers of the messages; those with as many blocks are next to each other.
    private var order: [Int] = []
    private var lanes = SHA256Lanes()
    private var places = [Int](repeating: 0, count: SHA256Lanes.count)

    /// Fewer messages are hashed two at a time more quickly.
    private static let leastLanes = 12
    /// Messages of so many blocks or more are in any order.
    private static let manyBlocks = 64

    /// The hash of each message, and perhaps others behind them.
    mutating func digests(of bytes: [UInt8], between edges: [Int]) -> [SHA256Digest] {
      let bytes = bytes.span
      let count = edges.count - 1
      while digests.count < count { digests.append(SHA256State().digest) }
      sort(edges)
      for first in stride(from: 0, to: count, by: SHA256Lanes.count) {
        let numbers = order[first..<min(first + SHA256Lanes.count, count)]
        var messages = numbers.enumerated().map { lane, number in
          Message(number: number, lane: lane, place: edges[number], end: edges[number + 1])
        }
        let areMany = SHA256Lanes.areAvailable && messages.count >= Self.leastLanes
        if areMany { compressTogether(&messages, bytes) }
        compressInPairs(messages, bytes, areBegun: areMany)
      }
      return digests
    }

    private mutating func sort(_ edges: [Int]) {
      let count = edges.count - 1
      var starts = InlineArray<66, Int>(repeating: 0)
      let shelf = { min((edges[$0 &+ 1] &- edges[$0]) / 64, Self.manyBlocks) }
      for number in 0..<count { starts[shelf(number) &+ 1] &+= 1 }
      for shelf in starts.indices.dropFirst() { starts[shelf] &+= starts[shelf &- 1] }
      while order.count < count { order.append(0) }
      for number in 0..<count {
        let shelf = shelf(number)
        order[starts[shelf]] = number
        starts[shelf] &+= 1
      }
    }

    /// Hashes at most as many messages as there are lanes until only few are left.
    private mutating func compressTogether(_ messages: inout [Message], _ bytes: Span<UInt8>) {
      var areFirst = true
      while messages.count >= Self.leastLanes {
        let blocks = messages.reduce(.max) { min($0, $1.blocks) }
        // Lanes without a message take in another one's blocks once more.
        for lane in places.indices { places[lane] = messages[0].place }
        for message in messages { places[message.lane] = message.place }
        lanes.compress(bytes, at: places, blocks: blocks, areFirst: areFirst)
        areFirst = false
        for message in messages where message.blocks == blocks {
          digests[message.number] = lanes[message.lane].digest
        }
        messages.removeAll { $0.blocks == blocks }
        for place in messages.indices { messages[place].place &+= blocks &* 64 }
      }
    }

    /// Hashes messages two at a time, perhaps from where they are in the lanes.
    private mutating func compressInPairs(
      _ messages: [Message], _ bytes: Span<UInt8>, areBegun: Bool
    ) {
      for place in stride(from: 0, to: messages.count, by: 2) {
        let first = messages[place]
        var state = areBegun ? lanes[first.lane] : SHA256State()
        if place + 1 < messages.count {
          let second = messages[place + 1]
          var other = areBegun ? lanes[second.lane] : SHA256State()
          SHA256State.compress(
            bytes.extracting(first.rest), into: &state,
            bytes.extracting(second.rest), into: &other)
          digests[second.number] = other.digest
        } else {
          state.compress(bytes.extracting(first.rest))
        }
        digests[first.number] = state.digest
      }
    }
  }

  /// A message and how far it was hashed.
  private struct Message {
    let number: Int
    let lane: Int
    var place: Int
    let end: Int

    var rest: Range<Int> { place..<end }
    /// How many blocks are left.
    var blocks: Int { (end &- place) / 64 }
  }
}
