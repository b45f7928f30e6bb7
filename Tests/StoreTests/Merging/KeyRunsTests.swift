import TestSupport
import Testing

@testable import Merging

struct KeyRunsTests {
  private func runs(_ keys: [Int64], from next: Int64 = 1) -> KeyRuns {
    var runs = KeyRuns(from: next)
    runs.add(keys)
    return runs
  }

  @Test func keysStayWhereNothingIsInTheWay() {
    let keys = runs([1, 2, 5, 1000])
    #expect([1, 2, 5, 1000].map(keys.new) == [1, 2, 5, 1000])
    #expect(keys.next == 1001)
  }

  @Test func keysMoveTogetherBehindThoseThatAreTaken() {
    let keys = runs([1, 2, 5], from: 11)
    #expect([1, 2, 5].map(keys.new) == [11, 12, 15])
    #expect(keys.next == 16)
  }

  @Test(arguments: [
    [Int64.min, -1, 0, 1, .max], [.max - 1, .max], [.min], [-5, 1 << 20, 1 << 40, 1 << 62],
  ])
  func oddKeysBecomeSmallAndStayInOrder(keys: [Int64]) throws {
    let all = runs(keys, from: 7)
    let new = try keys.map { try #require(all.new($0)) }
    #expect(new == new.sorted() && Set(new).count == new.count)
    #expect(new.allSatisfy { $0 >= 7 && $0 < all.next } && all.next < 1 << 30)
  }

  /// Rows of which each is far from the next one, with neighbours here and there.
  @Test func manyRowsThatLieApartStayInOrder() throws {
    var keys: [Int64] = []
    for number in 0..<30_000 as Range<Int64> {
      keys.append(-5 + number << 22)
      if number % 1000 < 3 { keys.append(-5 + number << 22 + number % 1000 + 1) }
    }
    let all = runs(keys, from: 100)
    let new = try keys.map { try #require(all.new($0)) }
    // What was given is without gaps, in the order of the rows.
    let first = try #require(new.first)
    #expect(first == 100 && all.next < first + 2 * Int64(keys.count))
    #expect(zip(new, new.dropFirst()).allSatisfy { $0 < $1 })
    let known = Set(keys)
    #expect(keys.allSatisfy { known.contains($0 + 9) || all.new($0 + 9) == nil })
    #expect(all.new(keys[0] - 1) == nil && all.new(.min) == nil && all.new(.max) == nil)
  }

  /// Rows mostly come in the order of their keys.
  @Test(arguments: [1 << 22, 1 << 50, 70_000, 3] as [Int64])
  func keysAreFoundInAnyOrder(gap: Int64) {
    var generator = SeededGenerator(seed: 8)
    let keys = (0..<10_000).map { (number: Int64) in .min &+ number &* gap &+ number % 7 / 3 }
      .sorted()
    let all = runs(keys, from: 3)
    let asked = keys + keys.map { $0 &+ 2 } + [.min, .max, 0]
    let expected = asked.map(all.newOrFree)
    let places = Array(expected.indices)
    for order in [places, places.reversed(), places.shuffled(using: &generator)] {
      var cursor = KeyRuns.Cursor()
      #expect(order.allSatisfy { all.newOrFree(asked[$0], by: &cursor) == expected[$0] })
    }
    #expect(Set(expected.prefix(keys.count)).count == keys.count)
    #expect(zip(expected, expected.dropFirst()).prefix(keys.count - 1).allSatisfy { $0 < $1 })
  }

  @Test func keyThatNoRowHadLeadsToNoRow() {
    let first = runs([1, 4, 9])
    let second = runs([1, 1 << 30], from: first.next)
    // The last key stays, as nothing is in the way.
    let third = runs([1, 65_540], from: second.next)
    let taken = Set(
      [1, 4, 9].map(first.newOrFree) + [1, 1 << 30].map(second.newOrFree)
        + [1, 65_540].map(third.newOrFree))
    #expect(taken.count == 7 && third.new(65_540) == 65_540)
    #expect([2, 30_000, 65_539].allSatisfy { third.newOrFree($0) == -$0 })
    for key in [Int64.min, -1, 0, 2, 3, 10, 1 << 29, .max] {
      #expect(!taken.contains(third.newOrFree(key)))
      #expect(!taken.contains(first.newOrFree(key)) || [1, 4, 9].contains(key))
      #expect(!taken.contains(second.newOrFree(key)))
    }
  }
}
