import Testing

@testable import Merging

struct GivenRowsTests {
  @Test(arguments: [[1, 2, 3], [3, 1, 2], [Int64.max, .min, 0]])
  func sourceIsFoundInWhateverOrderRowsCame(keys: [Int64]) {
    var rows = GivenRows()
    for (source, key) in keys.enumerated() { rows.append(key, givenTo: source) }
    rows.sort()
    #expect(rows.keys == keys.sorted())
    #expect(keys.map { rows.source(of: $0) } == [0, 1, 2])
    #expect(rows.source(of: 7) == nil && GivenRows().source(of: 7) == nil)
  }
}
