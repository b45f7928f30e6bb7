import Records
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
  }

  @Test(arguments: -1...9) func firstPlaceIsThatOfALinearSearch(key: Int64) {
    let keys: [Int64] = [0, 2, 2, 5, 8]
    let expected = keys.firstIndex { $0 >= key } ?? keys.count
    #expect(firstPlace(in: keys) { $0 >= key } == expected)
  }
}
