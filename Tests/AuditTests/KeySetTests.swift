import Testing

@testable import Audit

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

  private func set(_ keys: [Int64]) -> KeySet {
    var set = KeySet()
    for key in keys { set.insert(key) }
    return set
  }
}
