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
}
