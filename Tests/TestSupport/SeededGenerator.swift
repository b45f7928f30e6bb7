import Foundation

/// Random numbers that are the same in every run (SplitMix64).
///
/// `REHOME_TEST_SEED` gives other numbers; each generator then prints the seed it really has.
package struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
  /// The seed that gives these numbers again.
  package let seed: UInt64
  private var state: UInt64

  /// Starts from `seed`, moved by the environment's number where there is one.
  package init(seed: UInt64) {
    let given = ProcessInfo.processInfo.environment["REHOME_TEST_SEED"].flatMap(UInt64.init)
    self.init(seed: seed, movedBy: given)
    if given != nil { FileHandle.standardError.write(Data("\(self)\n".utf8)) }
  }

  /// Starts from a seed and another number, if there is one.
  package init(seed: UInt64, movedBy offset: UInt64?) {
    self.seed = seed &+ (offset ?? 0)
    state = self.seed
  }

  /// What to say where a test with these numbers fails.
  package var description: String { "seed \(seed)" }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// So many random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var word: UInt64 = 0
    while bytes.count < count {
      word = bytes.count & 7 == 0 ? next() : word >> 8
      bytes.append(UInt8(truncatingIfNeeded: word))
    }
    return bytes
  }
}
