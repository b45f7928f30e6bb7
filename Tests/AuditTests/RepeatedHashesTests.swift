import Records
import TestSupport
import Testing

@testable import Audit

struct RepeatedHashesTests {
  /// Of 120, what comes last waits in memory beside what was set aside.
  @Test(arguments: [0, 1, 16, 120, 999, 1000], [1, 3])
  func repeatedOnesAreThoseOfAPlainCount(limit: Int, threads: Int) throws {
    var generator = SeededGenerator(seed: 7)
    // Few enough different values that some come several times, and some share a bit.
    let values = (0..<1000).map { _ in
      UInt64.random(in: 0..<3000, using: &generator) &* 0x9E37_79B9_7F4A_7C15
    }
    var hashes = RepeatedHashes(keeping: limit)
    for start in stride(from: 0, to: values.count, by: 50) {
      var part = Array(values[start..<start + 50])
      try hashes.take(&part)
      #expect(part.isEmpty)
    }
    let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
    // Twice, since it forgets what it has told.
    for expected in [Set(counts.filter { $0.value > 1 }.keys), []] {
      var repeated: [UInt64] = []
      while let next = try hashes.nextRepeated(10, threads: threads) {
        #expect(!next.isEmpty && (next.count < 20 || limit == 1000))
        repeated += next
      }
      #expect(Set(repeated) == expected && repeated.count == expected.count)
    }
  }

  /// What comes very often is set aside only a few times, and is found all the same.
  @Test func placeholderThatMostRowsHaveIsFound() throws {
    var hashes = RepeatedHashes(keeping: 100)
    for start in stride(from: UInt64(0), to: 5000, by: 50) {
      var part = (start..<start + 50).map { $0 % 5 == 0 ? $0 &* 0x9E37_79B9_7F4A_7C15 : 77 }
      part.append(contentsOf: start == 2500 ? [0, 0x9E37_79B9_7F4A_7C15 &* 5] : [])
      try hashes.take(&part)
    }
    var repeated: Set<UInt64> = []
    while let next = try hashes.nextRepeated(10) { repeated.formUnion(next) }
    #expect(repeated == [77, 0, 0x9E37_79B9_7F4A_7C15 &* 5])
  }
}
