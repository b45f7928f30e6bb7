import TestSupport
import Testing

@testable import Commands

struct LocalIDsTests {
  /// Rows come in any order, and of several ids of one the last counts.
  @Test(arguments: [0, 1, 1000, 300_000])
  func idsAreFoundByTheirRows(count: Int) {
    var generator = SeededGenerator(seed: 3)
    var ids = LocalIDs()
    var expected: [Int64: String] = [:]
    for number in 0..<count {
      let key = Int64.random(in: -5...Int64(count), using: &generator)
      let id = number % 7 == 0 ? nil : "id \(number)"
      ids.add(id, ofRow: key)
      expected[key] = id
    }
    ids.finish()
    #expect((-6...Int64(count)).allSatisfy { ids[$0] == expected[$0] })
  }

  @Test(arguments: [[], [0], [Int64.max - 1], [.max, .min]])
  func idsOfTheFarthestRowsAreFound(others: [Int64]) {
    for key in [Int64.min, .max] {
      var ids = LocalIDs()
      for other in others where other != key { ids.add("other", ofRow: other) }
      ids.add("first", ofRow: key)
      ids.add("last", ofRow: key)
      ids.finish()
      #expect(ids[key] == "last")
      #expect(ids[key == .max ? .min : .max] == (others.contains(.max) ? "other" : nil))
    }
  }
}
