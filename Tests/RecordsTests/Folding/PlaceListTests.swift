import TestSupport
import Testing

@testable import Records

struct PlaceListTests {
  @Test(arguments: [0, 1, 7, 64, 600, 20_000], [1, 3, 70, 3000])
  func everyPlaceIsFoundByItsOrder(count: Int, step: Int) {
    var generator = SeededGenerator(seed: 11)
    var places = PlaceList()
    var expected: [Int] = []
    for _ in 0..<count {
      let place = (expected.last ?? -1) + Int.random(in: 1...step, using: &generator)
      expected.append(place)
      places.append(place)
    }
    #expect(places.count == count)
    #expect(Array(places) == expected)
    let all = Set(expected)
    let span = 0..<(expected.last ?? 0) + 200
    // Of millions of places those beside what is there are enough.
    let asked =
      span.count < 100_000 ? Array(span) : expected.flatMap { [max($0 - 1, 0), $0, $0 + 1] }
    #expect(asked.allSatisfy { places.contains($0) == all.contains($0) })
    #expect(Array(places.reversed()) == expected.reversed())
    #expect(expected.enumerated().allSatisfy { places.count(before: $1) == $0 })
    var lookup = PlaceList.Lookup(places)
    // In order, backwards, twice the same, and anywhere.
    let positions = Array(0..<count) + (0..<count).reversed() + [0, 0].filter { $0 < count }
    let others = (0..<count).map { _ in Int.random(in: 0..<count, using: &generator) }
    #expect((positions + others).allSatisfy { lookup.place(at: $0) == expected[$0] })
  }
}
