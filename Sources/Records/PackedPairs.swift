import Bytes

/// Pairs of numbers of which each is mostly close to the one before: a byte or two a number.
///
/// A few pairs make a block, of which the first is written in full; any pair is found by going
/// through its block.
package struct PackedPairs: Sendable {
  /// Some blocks, so that a long list grows without being copied.
  private struct Chunk {
    var bytes: [UInt8] = []
    /// Where each block begins.
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
    let chunk = chunks[position / Self.chunkSize]
    let inside = position % Self.chunkSize
    let bytes = chunk.bytes.span
    var place = Int(chunk.starts[inside / Self.blockSize])
    var pair = (0, 0)
    for _ in 0...inside % Self.blockSize {
      pair.0 &+= Self.difference(bytes, &place)
      pair.1 &+= Self.difference(bytes, &place)
    }
    return pair
  }

  /// The first position from which on the first numbers, which never fall, are no smaller than one.
  package func firstPosition(from number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].0 >= number { high = middle } else { low = middle + 1 }
    }
    return low
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
