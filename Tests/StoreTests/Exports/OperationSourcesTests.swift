import Testing

@testable import Exports

/// The source of each operation is found, in whatever order they came.
struct OperationSourcesTests {
  @Test(arguments: [
    [1, 2, 3, 4], [4, 3, 2, 1], [7, 1, 9, 2, 8], [Int64.min, 0, .max], [.max, .min, 0],
  ])
  func sourcesAreFound(sequences: [Int64]) {
    var sources = OperationSources()
    #expect(sources.isEmpty)
    for (place, sequence) in sequences.enumerated() { sources.add(Int32(place), of: sequence) }
    #expect(!sources.isEmpty)
    for (place, sequence) in sequences.enumerated() { #expect(sources[sequence] == Int32(place)) }
    #expect(sources[5] == nil)
  }

  @Test(arguments: [[1, 2, 2, 1], [3, 1, 1, 3]])
  func firstOfSeveralStays(sequences: [Int64]) {
    var sources = OperationSources()
    for (place, sequence) in sequences.enumerated() { sources.add(Int32(place), of: sequence) }
    #expect(sources[sequences[0]] == 0 && sources[sequences[1]] == 1)
  }
}
