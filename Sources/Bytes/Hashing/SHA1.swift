/// Computes SHA-1 (FIPS 180-4), which backups use to name files; it protects nothing.
package enum SHA1 {
  /// The 20 bytes of the hash.
  package static func hash(of message: [UInt8]) -> [UInt8] {
    var state = start
    let blocks = message.count / 64 * 64
    compress(message.span.extracting(0..<blocks), into: &state)
    return finish(message[blocks...], count: message.count, &state)
  }

  /// The 20 bytes of the hash of what a file holds, of which only a part is in memory at a time.
  package static func hash(ofFileAt path: String) throws(FileError) -> [UInt8] {
    let file = try PositionedFile(opening: path)
    var state = start
    var piece: [UInt8] = []
    var done = 0
    while file.size - done >= 64 {
      piece.removeAll(keepingCapacity: true)
      let count = min(file.size - done, 1 << 16) / 64 * 64
      try file.read(at: done, count: count, appendingTo: &piece)
      compress(piece.span, into: &state)
      done += count
    }
    piece.removeAll(keepingCapacity: true)
    try file.read(at: done, count: file.size - done, appendingTo: &piece)
    return finish(piece[...], count: file.size, &state)
  }

  private static let start: InlineArray<5, UInt32> = [
    0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0,
  ]

  /// Takes in what is behind the last whole block of a message of so many bytes.
  private static func finish(
    _ rest: ArraySlice<UInt8>, count: Int, _ state: inout InlineArray<5, UInt32>
  ) -> [UInt8] {
    var padded = Array(rest)
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(count) &* 8
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    compress(padded.span, into: &state)
    var digest: [UInt8] = []
    for place in state.indices {
      for shift in stride(from: 24, through: 0, by: -8) {
        digest.append(UInt8(truncatingIfNeeded: state[place] >> UInt32(shift)))
      }
    }
    return digest
  }

  private static func compress(_ blocks: Span<UInt8>, into state: inout InlineArray<5, UInt32>) {
    for start in stride(from: 0, to: blocks.count, by: 64) {
      compress(block: blocks.extracting(start..<start + 64), into: &state)
    }
  }

  private static func compress(
    block: Span<UInt8>, into state: inout InlineArray<5, UInt32>
  ) {
    var words = InlineArray<80, UInt32>(repeating: 0)
    for place in 0..<16 {
      for byte in 0..<4 { words[place] = words[place] << 8 | UInt32(block[4 * place + byte]) }
    }
    for place in 16..<80 {
      words[place] = rotated(
        words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for place in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch place {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[place]
      (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
