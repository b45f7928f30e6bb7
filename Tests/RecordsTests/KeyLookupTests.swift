import Records
import TestSupport
import Testing

struct KeyLookupTests {
  @Test(arguments: [
    [], [0], [7, 7, 5], [Int64.min, Int64.max], [Int64.max, Int64.max - 1], [-64, -1, 63, 64],
    Array(stride(from: -500, to: 500, by: 3)), [1, 1 << 40, 2],
  ])
  func keysAreThoseOfAPlainSet(keys: [Int64]) {
    let lookup = KeyLookup(keys)
    #expect(lookup.isEmpty == keys.isEmpty)
    let others = keys.flatMap { [$0 &- 64, $0 &- 1, $0, $0 &+ 1, $0 &+ 64] } + [0, .min, .max]
    for key in others { #expect(lookup.contains(key) == Set(keys).contains(key), "\(key)") }
    expectPlaces(of: keys, besides: others)
  }

  /// Places ascend like the keys, each below the number of all.
  private func expectPlaces(of keys: [Int64], besides others: [Int64]) {
    let (places, sorted) = (KeyPlaces(keys), Set(keys).sorted())
    let found = sorted.map { places.place(of: $0) ?? -1 }
    #expect(found.allSatisfy(keys.indices.contains) && found == Set(found).sorted())
    for key in others {
      #expect((places.place(of: key) != nil) == sorted.contains(key), "\(key)")
    }
  }

  /// Spread over all numbers, crowded together with a few far away, and something of both.
  @Test(arguments: [1, 7, 64, 65, 1000, 5000], [0, 1, 2])
  func manyKeysAreThoseOfAPlainSet(count: Int, spread: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let keys = (0..<count).map { number -> Int64 in
      let isNear = spread == 1 && number > 0 || spread == 2 && number % 2 == 0
      return isNear
        ? Int64.random(in: -9000..<9000, using: &generator)
        : Int64.random(in: .min ... .max, using: &generator)
    }
    let (lookup, plain) = (KeyLookup(keys), Set(keys))
    let sorted = KeyLookup(keys.sorted())
    let others = keys.flatMap { [$0, $0 &+ 1, $0 ^ 1 << 40, 0 &- $0] } + [0, .min, .max]
    for key in others {
      #expect(lookup.contains(key) == plain.contains(key), "\(key)")
      #expect(sorted.contains(key) == plain.contains(key), "\(key)")
    }
    expectPlaces(of: keys, besides: [])
  }

  @Test(arguments: -1...9) func firstPlaceIsThatOfALinearSearch(key: Int64) {
    let keys: [Int64] = [0, 2, 2, 5, 8]
    let expected = keys.firstIndex { $0 >= key } ?? keys.count
    #expect(firstPlace(in: keys) { $0 >= key } == expected)
  }
}
