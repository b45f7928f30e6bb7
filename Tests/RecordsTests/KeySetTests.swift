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
    let found = set(keys).missing(in: set(others))
    #expect(found.count == missing.count)
    #expect(found.least == missing.min())
  }

  @Test(arguments: [[1], [0, 64, 128], [-1, .min, .max]])
  func keysThatWereTakenOutAreGone(keys: [Int64]) {
    var set = set(keys + [5])
    for key in keys { set.set(key, to: false) }
    #expect(keys.allSatisfy { !set.contains($0) } && set.contains(5))
    #expect(set.missing(in: KeySet()).count == 1)
    #expect(!set.isEmpty)
    set.set(5, to: false)
    #expect(set.isEmpty)
  }

  /// Keys that lie apart, more than are looked up one by one, in the order in which rows come, or in any.
  private static let apart = (0..<150_000).map { 1 + $0 << 22 } as [Int64]

  private static func shuffled(_ keys: [Int64]) -> [Int64] {
    var generator = SeededGenerator(seed: 3)
    return keys.shuffled(using: &generator)
  }

  @Test(arguments: [false, true])
  func manyKeysAreThoseOfAPlainSet(isShuffled: Bool) {
    let keys = Self.apart
    var set = set(isShuffled ? Self.shuffled(keys) : keys)
    #expect(keys.allSatisfy { set.contains($0) && !set.contains($0 + 1) && !set.contains($0 - 64) })
    // Neighbours share a word, and the least and the greatest are packed, too.
    let more = keys.prefix(70_000).map { $0 ^ 1 } + [Int64.min, .max]
    for key in more { set.insert(key) }
    for key in keys.suffix(70_000) { set.set(key, to: false) }
    let all = Set(keys.dropLast(70_000) + more)
    let missing = set.missing(in: KeySet(keys))
    #expect(missing.count == more.count && missing.least == .min)
    let lost = KeySet(keys).missing(in: set)
    #expect(lost.count == 70_000 && lost.least == keys[80_000])
    #expect(set == KeySet(all) && KeySet(all) == set && set != KeySet(keys))
    for key in all { set.set(key, to: false) }
    #expect(set.isEmpty && set == [] && set.missing(in: []).count == 0)
  }

  @Test func keysThatAreThereTakeNoMoreWhereTheyComeAgain() {
    var set = set(Self.apart)
    let count = set.wordCount
    for key in Self.shuffled(Self.apart) { set.insert(key) }
    #expect(set.wordCount <= count + 1 && set == KeySet(Self.apart))
  }

  /// What several threads have seen comes together.
  @Test(arguments: [1000, 70_000])
  func unitedKeysAreThoseOfAll(size: Int) {
    var united: KeySet = []
    for start in stride(from: 0, to: Self.apart.count, by: size) {
      united.formUnion(set(Array(Self.apart[start..<min(start + size, Self.apart.count)])))
    }
    #expect(united == set(Self.apart))
    united.formUnion(set(Self.shuffled(Self.apart.map { $0 + 7 })))
    #expect(united == set(Self.apart + Self.apart.map { $0 + 7 }))
  }

  /// A word of 64 keys that stands alone took some thirty bytes.
  @Test func keysThatLieApartTakeAFewBytesEach() {
    #expect(set(Self.apart).memory < 3 << 20 + 6 * Self.apart.count)
    #expect(set(Self.shuffled(Self.apart)).memory < 3 << 20 + 8 * Self.apart.count)
  }

  private func set(_ keys: [Int64]) -> KeySet {
    var set = KeySet()
    for key in keys { set.insert(key) }
    return set
  }
}
