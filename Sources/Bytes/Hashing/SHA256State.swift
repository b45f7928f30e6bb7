import CHashing

/// The eight words that SHA-256 carries from block to block.
struct SHA256State: Equatable {
  private var a: UInt32 = 0x6a09_e667
  private var b: UInt32 = 0xbb67_ae85
  private var c: UInt32 = 0x3c6e_f372
  private var d: UInt32 = 0xa54f_f53a
  private var e: UInt32 = 0x510e_527f
  private var f: UInt32 = 0x9b05_688c
  private var g: UInt32 = 0x1f83_d9ab
  private var h: UInt32 = 0x5be0_cd19

  /// The state before the first block.
  init() {}

  /// A state of these words.
  init(words: InlineArray<8, UInt32>) {
    (a, b, c, d) = (words[0], words[1], words[2], words[3])
    (e, f, g, h) = (words[4], words[5], words[6], words[7])
  }

  /// The words, from the first to the last.
  var words: InlineArray<8, UInt32> { [a, b, c, d, e, f, g, h] }

  var digest: SHA256Digest {
    SHA256Digest(
      words: .init(first: join(a, b), second: join(c, d), third: join(e, f), fourth: join(g, h)))
  }

  /// Takes in blocks of 64 bytes; bytes behind the last whole block are left out.
  mutating func compress(_ blocks: Span<UInt8>) {
    if processorHashes { compressByInstructions(blocks) } else { compressPortably(blocks) }
  }

  /// As `compress`, on a processor that has instructions for it: five times as fast.
  mutating func compressByInstructions(_ blocks: Span<UInt8>) {
    // The state is eight words and nothing else, the constants are 64 words, and no more than
    // `count` bytes of the blocks are read.
    unsafe withUnsafeMutableBytes(of: &self) { state in
      unsafe blocks.withUnsafeBufferPointer { bytes in
        unsafe roundConstants.span.withUnsafeBufferPointer { constants in
          unsafe rehome_sha256_blocks(
            state.baseAddress, bytes.baseAddress, bytes.count / 64, constants.baseAddress)
        }
      }
    }
  }

  /// Takes the blocks of two messages into two states, which is quicker than one after the other.
  static func compress(
    _ first: Span<UInt8>, into firstState: inout SHA256State,
    _ second: Span<UInt8>, into secondState: inout SHA256State
  ) {
    let shared = processorHashes ? min(first.count, second.count) / 64 : 0
    // As in `compressByInstructions`; both messages have that many blocks.
    unsafe withUnsafeMutableBytes(of: &firstState) { firstState in
      unsafe withUnsafeMutableBytes(of: &secondState) { secondState in
        unsafe first.withUnsafeBufferPointer { first in
          unsafe second.withUnsafeBufferPointer { second in
            unsafe roundConstants.span.withUnsafeBufferPointer { constants in
              guard shared > 0 else { return }
              unsafe rehome_sha256_block_pairs(
                firstState.baseAddress, first.baseAddress, secondState.baseAddress,
                second.baseAddress, shared, constants.baseAddress)
            }
          }
        }
      }
    }
    firstState.compress(first.extracting((shared * 64)...))
    secondState.compress(second.extracting((shared * 64)...))
  }

  /// As `compress`, on any processor.
  mutating func compressPortably(_ blocks: Span<UInt8>) {
    // The constants and the blocks are read through pointers that are only used in here.
    unsafe blocks.withUnsafeBytes { bytes in
      unsafe roundConstants.span.withUnsafeBufferPointer { constants in
        for block in 0..<bytes.count / 64 {
          unsafe compress(bytes, at: block &* 64, constants)
        }
      }
    }
  }

  /// Takes in the 64 bytes at `start`, which must lie within `bytes`.
  private mutating func compress(
    _ bytes: UnsafeRawBufferPointer, at start: Int, _ constants: UnsafeBufferPointer<UInt32>
  ) {
    // Sixteen words at a time; every index below is 0...15 for words and 0...63 for constants.
    var words = InlineArray<16, UInt32>(repeating: 0)
    for place in 0..<16 {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: start &+ place &* 4, as: UInt32.self)
      unsafe words[unchecked: place] = word.bigEndian
    }
    var next = self
    for group in 0..<4 {
      if group > 0 { schedule(&words) }
      unsafe next.mix(words, constants, from: group &* 16)
    }
    add(next)
  }

  /// Sixteen rounds, in each of which the words change places; after eight they are back home.
  ///
  /// The rounds are written out because that makes hashing a third faster than a loop.
  @inline(__always)
  private mutating func mix(
    _ words: borrowing InlineArray<16, UInt32>, _ constants: UnsafeBufferPointer<UInt32>,
    from first: Int
  ) {
    // As above, 0...15 and 0...63.
    @inline(__always) func input(_ place: Int) -> UInt32 {
      unsafe words[unchecked: place] &+ constants[first &+ place]
    }
    round(a, b, c, &d, e, f, g, &h, input(0))
    round(h, a, b, &c, d, e, f, &g, input(1))
    round(g, h, a, &b, c, d, e, &f, input(2))
    round(f, g, h, &a, b, c, d, &e, input(3))
    round(e, f, g, &h, a, b, c, &d, input(4))
    round(d, e, f, &g, h, a, b, &c, input(5))
    round(c, d, e, &f, g, h, a, &b, input(6))
    round(b, c, d, &e, f, g, h, &a, input(7))
    round(a, b, c, &d, e, f, g, &h, input(8))
    round(h, a, b, &c, d, e, f, &g, input(9))
    round(g, h, a, &b, c, d, e, &f, input(10))
    round(f, g, h, &a, b, c, d, &e, input(11))
    round(e, f, g, &h, a, b, c, &d, input(12))
    round(d, e, f, &g, h, a, b, &c, input(13))
    round(c, d, e, &f, g, h, a, &b, input(14))
    round(b, c, d, &e, f, g, h, &a, input(15))
  }

  private mutating func add(_ other: SHA256State) {
    a &+= other.a
    b &+= other.b
    c &+= other.c
    d &+= other.d
    e &+= other.e
    f &+= other.f
    g &+= other.g
    h &+= other.h
  }
}

/// Whether this processor has instructions for the rounds.
let processorHashes = rehome_has_sha256() != 0

private func join(_ high: UInt32, _ low: UInt32) -> UInt64 {
  UInt64(high) << 32 | UInt64(low)
}

/// One round; only the fourth and the eighth word change.
@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
  _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ input: UInt32
) {
  let choice = g ^ (e & (f ^ g))
  let majority = b ^ ((a ^ b) & (b ^ c))
  let first = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ input
  d = d &+ first
  h = first &+ (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
}

/// Replaces the sixteen words by the next sixteen of the message schedule.
@inline(__always)
private func schedule(_ words: inout InlineArray<16, UInt32>) {
  extend(&words, 0)
  extend(&words, 1)
  extend(&words, 2)
  extend(&words, 3)
  extend(&words, 4)
  extend(&words, 5)
  extend(&words, 6)
  extend(&words, 7)
  extend(&words, 8)
  extend(&words, 9)
  extend(&words, 10)
  extend(&words, 11)
  extend(&words, 12)
  extend(&words, 13)
  extend(&words, 14)
  extend(&words, 15)
}

/// Replaces one word by the one sixteen places on.
@inline(__always)
private func extend(_ words: inout InlineArray<16, UInt32>, _ place: Int) {
  // Indices modulo 16 are always inside, and so is `place`, which callers spell out.
  let near = unsafe words[unchecked: (place &+ 1) & 15]
  let far = unsafe words[unchecked: (place &+ 14) & 15]
  let other = unsafe words[unchecked: (place &+ 9) & 15]
  let nearMix = rotate(near, 7) ^ rotate(near, 18) ^ (near &>> 3)
  let farMix = rotate(far, 17) ^ rotate(far, 19) ^ (far &>> 10)
  unsafe words[unchecked: place] &+= nearMix &+ other &+ farMix
}

@inline(__always)
private func rotate(_ word: UInt32, _ distance: UInt32) -> UInt32 {
  (word &>> distance) | (word &<< (32 &- distance))
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
let roundConstants: InlineArray<64, UInt32> = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
  0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
  0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
  0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
  0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
  0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
  0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
  0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
  0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
  0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
  0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
