/// Pairs of numbers of which each is mostly close to the one before: a byte or two a number.
///
/// A few pairs make a block, of which the first is written in full; any pair is found by going
/// through its block.
package struct PackedPairs: Sendable {
  /// Some blocks, so that a long list grows without being copied.
  private struct Chunk {
    var bytes: [UInt8] = []
    var starts: [Int32] = []
  }

  private var chunks: [Chunk] = []
  private var last = (0, 0)
  /// How many pairs there are.
  package private(set) var count = 0

  private static let blockSize = 16
  private static let chunkSize = 1 << 12

  /// No pairs yet.
  package init() {}

  /// Adds a pair.
  package mutating func append(_ first: Int, _ second: Int) {
    if count % Self.chunkSize == 0 { chunks.append(Chunk()) }
    if count % Self.blockSize == 0 {
      let start = Int32(truncatingIfNeeded: chunks[chunks.count - 1].bytes.count)
      chunks[chunks.count - 1].starts.append(start)
      last = (0, 0)
    }
    chunks[chunks.count - 1].bytes.append(difference: first &- last.0)
    chunks[chunks.count - 1].bytes.append(difference: second &- last.1)
    last = (first, second)
    count += 1
  }

  /// One pair.
  package subscript(position: Int) -> (Int, Int) {
    let inside = position % Self.blockSize
    var pair = (0, 0)
    inBlock(position / Self.blockSize) { number, next in
      pair = next
      return number < inside
    }
    return pair
  }

  /// The first position from which on the first numbers, which never fall, are no smaller than one.
  package func firstPosition(from number: Int) -> Int {
    // What each block begins with is found without a way through it.
    var (low, high) = (0, (count + Self.blockSize - 1) / Self.blockSize)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle * Self.blockSize].0 >= number { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return 0 }
    let start = (low - 1) * Self.blockSize
    var position = start
    inBlock(low - 1) { inside, next in
      position = start + inside
      guard next.0 < number else { return false }
      position += 1
      return position < count
    }
    return position
  }

  /// Goes through the pairs of a block as long as it is asked to.
  private func inBlock(_ block: Int, _ body: (_ inside: Int, (Int, Int)) -> Bool) {
    let blocks = Self.chunkSize / Self.blockSize
    let chunk = chunks[block / blocks]
    let bytes = chunk.bytes.span
    var place = Int(chunk.starts[block % blocks])
    var pair = (0, 0)
    for inside in 0..<min(Self.blockSize, count - block * Self.blockSize) {
      pair.0 &+= Self.difference(bytes, &place)
      pair.1 &+= Self.difference(bytes, &place)
      guard body(inside, pair) else { return }
    }
  }

  /// Reads a difference, seven bits a byte, the lowest first; its sign is the lowest bit.
  private static func difference(_ bytes: Span<UInt8>, _ place: inout Int) -> Int {
    var bits: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = bytes[place]
      place &+= 1
      bits |= UInt64(byte & 0x7F) &<< shift
      guard byte & 0x80 != 0 else { break }
      shift &+= 7
    }
    return Int(Int64(bitPattern: bits &>> 1 ^ (0 &- (bits & 1))))
  }
}

extension [UInt8] {
  fileprivate mutating func append(difference: Int) {
    let number = Int64(difference)
    var bits = UInt64(bitPattern: number &<< 1 ^ number &>> 63)
    while bits >= 0x80 {
      append(UInt8(truncatingIfNeeded: bits) | 0x80)
      bits &>>= 7
    }
    append(UInt8(truncatingIfNeeded: bits))
  }
}
