import TestSupport
import Testing

@testable import Records

struct PackedPairsTests {
  @Test func pairsComeBackAsTheyWereAdded() {
    var generator = SeededGenerator(seed: 5)
    let bounds = [1, 100, 1 << 20, 1 << 40, Int.max]
    var expected = [(Int.min, Int.max), (Int.max, Int.min)]
    for number in 0..<10_000 {
      let bound = bounds[number / 100 % bounds.count]
      let range = -bound...bound
      expected.append(
        (Int.random(in: range, using: &generator), Int.random(in: range, using: &generator)))
    }
    var pairs = PackedPairs()
    for (first, second) in expected { pairs.append(first, second) }
    #expect(pairs.count == expected.count)
    #expect(expected.indices.allSatisfy { pairs[$0] == expected[$0] })
    #expect(pairs.elementsEqual(expected, by: ==))
    #expect(IteratorSequence(pairs.drain()).elementsEqual(expected, by: ==))
    #expect(pairs.elementsEqual(expected, by: ==), "what others have is not given back")
  }

  /// As the new keys of rows do that lie apart.
  @Test func aNumberThatGoesOnTakesNoMore() {
    var pairs = PackedPairs()
    for number in 0..<100_000 { pairs.append(number << 22, 5 + number) }
    #expect(pairs.memory < 9 * 100_000 / 2)
  }

  @Test(arguments: [(0, 0), (0, 5), (5000, 0), (5000, 1), (4096, 9000)])
  func listsBecomeOneInOrder(count: Int, others: Int) {
    let left = (0..<count).map { ($0 / 2, $0) }
    let right = (0..<others).map { ($0 / 3, -$0 - 1) }
    var (first, second) = (PackedPairs(), PackedPairs())
    for pair in left { first.append(pair.0, pair.1) }
    for pair in right { second.append(pair.0, pair.1) }
    let merged = Array(PackedPairs(merging: first, second))
    let expected = (left + right).enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    #expect(merged.elementsEqual(expected, by: ==))
  }

  @Test(arguments: [0, 1, 31, 32, 33, 4096, 4097, 5000])
  func aPairIsFoundByItsFirstNumber(count: Int) {
    var pairs = PackedPairs()
    for number in 0..<count { pairs.append(number / 3 * 2, -number) }
    // Of many, some at every place of a block are enough.
    for number in stride(from: 0, through: count, by: LongTests.areWanted || count < 1000 ? 1 : 7) {
      let expected = (0..<count).first { $0 / 3 * 2 >= number } ?? count
      #expect(pairs.firstPosition(from: number) == expected)
      let (before, behind) = pairs.neighbours(of: number)
      #expect(before?.1 == (expected > 0 ? 1 - expected : nil))
      #expect(behind?.1 == (expected < count ? -expected : nil))
      let rest = Array(IteratorSequence(pairs.iterator(before: number)))
      let start = count - rest.count
      #expect(start <= max(0, expected - 1) && start + 40 > expected)
      #expect(rest.indices.allSatisfy { rest[$0].1 == -start - $0 })
      let last = (0..<count).last { $0 / 3 * 2 == number }
      #expect(pairs.lastPosition(of: number) == last)
      #expect(pairs.last(of: number) == last.map { -$0 })
    }
  }

  @Test(arguments: [0, 1, 31, 32, 5000])
  func theFarthestNumbersAreFound(between: Int) {
    var pairs = PackedPairs()
    #expect(pairs.last(of: .max) == nil && pairs.lastPosition(of: .max) == nil)
    for place in 0..<2 { pairs.append(.min, place) }
    for number in 0..<between { pairs.append(number, 7) }
    #expect(pairs.last(of: .min) == 1 && pairs.lastPosition(of: .min) == 1)
    #expect(pairs.last(of: .max) == nil && pairs.lastPosition(of: .max) == nil)
    for place in 0..<40 { pairs.append(.max, place) }
    #expect(pairs.last(of: .max) == 39 && pairs.lastPosition(of: .max) == between + 41)
    #expect(pairs.firstPosition(from: .max) == between + 2)
  }
}
