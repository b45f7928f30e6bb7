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

  private func set(_ keys: [Int64]) -> KeySet {
    var set = KeySet()
    for key in keys { set.insert(key) }
    return set
  }
}
