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

  @Test func keyThatNoRowHadLeadsToNoRow() {
    let first = runs([1, 4, 9])
    let second = runs([1, 1 << 30], from: first.next)
    let taken = Set([1, 4, 9].map(first.newOrFree) + [1, 1 << 30].map(second.newOrFree))
    for key in [Int64.min, -1, 0, 2, 3, 10, 1 << 29, .max] {
      #expect(!taken.contains(first.newOrFree(key)) || [1, 4, 9].contains(key))
      #expect(!taken.contains(second.newOrFree(key)))
    }
  }
}
