import TestSupport
import Testing

@testable import Records

struct KeySetTests {
  @Test(arguments: [
    [], [1], [0, 63, 64, 65], [-1, Int64.min, Int64.max, 5], [500, 1, 500, 2],
  ])
  func missingKeysAreThoseOfAPlainSet(keys: [Int64]) {
    let others: [Int64] = [1, 64, -1, 500]
    let missing = Set(keys).subtracting(others)
    let found = KeySet(keys).missing(in: KeySet(others))
    #expect(found.count == missing.count)
    #expect(found.least == missing.min())
  }

  /// Keys that lie apart, more than are looked up one by one.
  private static let apart = (0..<150_000).map { 1 + $0 << 22 } as [Int64]

  /// What a set takes for the words that wait, however many keys are packed.
  private static let roomOfWaiting = 24 * 98_304

  private static func shuffled(_ keys: [Int64]) -> [Int64] {
    var generator = SeededGenerator(seed: 3)
    return keys.shuffled(using: &generator)
  }

  /// Their keys lie together or apart, in order or in none, few or many.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func setsAreThoseOfPlainKeysHoweverTheyBecomeOne(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var parts = (0..<6).map { _ in Self.keys(&generator) }.map { (KeySet($0), Set($0)) }
    while parts.count > 1 {
      let other = parts.removeLast()
      let place = Int.random(in: parts.indices, using: &generator)
      expectComparison(parts[place], other)
      parts[place].0.formUnion(other.0)
      parts[place].1.formUnion(other.1)
      for key in [parts[place].1.min(), .max, 7].compactMap(\.self) {
        parts[place].0.insert(key)
        parts[place].1.insert(key)
      }
    }
    let (set, plain) = parts[0]
    #expect(set == KeySet(plain) && KeySet(plain.sorted()) == set)
    #expect(plain.allSatisfy(set.contains))
    for key in plain.prefix(20_000) {
      for other in [key ^ 1, key &+ 64, ~key, key &* 3] {
        #expect(set.contains(other) == plain.contains(other))
      }
    }
  }

  private func expectComparison(
    _ one: (KeySet, Set<Int64>), _ other: (KeySet, Set<Int64>)
  ) {
    let rest = one.1.subtracting(other.1)
    let missing = one.0.missing(in: other.0)
    #expect(missing.count == rest.count && missing.least == rest.min())
    #expect(one.0.isDisjoint(with: other.0) == one.1.isDisjoint(with: other.1))
    #expect((one.0 == other.0) == (one.1 == other.1) && one.0.isEmpty == one.1.isEmpty)
  }

  private static func keys(_ generator: inout SeededGenerator) -> [Int64] {
    let gaps: [Int64] = [1, 3, 64, 1 << 22, 1 << 22, 1 << 49]
    let counts: [Int64] = [0, 1, 200, 5000, 70_000, 90_000]
    let gap = gaps.randomElement(using: &generator) ?? 1
    let first = Int64.random(in: -100_000...100_000, using: &generator)
    let count = counts.randomElement(using: &generator) ?? 1
    var keys = (0..<count).map { first &+ $0 &* gap }
    if Bool.random(using: &generator) { keys += [.min, -1, 0, .max] }
    return Bool.random(using: &generator) ? keys : keys.shuffled(using: &generator)
  }

  /// What several threads have seen comes together.
  @Test(arguments: [1000, 70_000])
  func unitedKeysAreThoseOfAll(size: Int) {
    var united: KeySet = []
    for start in stride(from: 0, to: Self.apart.count, by: size) {
      united.formUnion(KeySet(Self.apart[start..<min(start + size, Self.apart.count)]))
    }
    #expect(united == KeySet(Self.apart))
    // In their order none is kept twice.
    #expect(united.memory < Self.roomOfWaiting + 5 * Self.apart.count)
  }

  @Test func keysThatAreThereTakeNoMoreWhereTheyComeAgain() {
    var set = KeySet(Self.apart)
    let memory = set.memory
    for _ in 0..<5 {
      for key in Self.shuffled(Self.apart) { set.insert(key) }
    }
    #expect(set.memory < memory + 10 * Self.apart.count && set == KeySet(Self.apart))
  }

  /// A word of 64 keys that stands alone took some thirty bytes.
  @Test func keysThatLieApartTakeAFewBytesEach() {
    #expect(KeySet(Self.apart).memory < Self.roomOfWaiting + 5 * Self.apart.count)
    #expect(KeySet(Self.shuffled(Self.apart)).memory < Self.roomOfWaiting + 8 * Self.apart.count)
  }
}
