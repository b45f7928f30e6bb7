import Records
import TestSupport
import Testing

@testable import Audit

struct RepeatedHashesTests {
  @Test(arguments: [0, 1, 16, 1000])
  func repeatedOnesAreThoseOfAPlainCount(expected: Int) {
    var generator = SeededGenerator(seed: 7)
    // Few enough different values that some come several times, and some share a bit.
    let values = (0..<1000).map { _ in
      UInt64.random(in: 0..<3000, using: &generator) &* 0x9E37_79B9_7F4A_7C15
    }
    var hashes = RepeatedHashes(expecting: expected)
    for value in values { hashes.insert(value) }
    let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
    let repeated = hashes.takeRepeated()
    #expect(repeated == Set(counts.filter { $0.value > 1 }.keys))
  }
}
