import TestSupport
import Testing

@testable import Records

struct OperationSequencesTests {
  /// Numbers come back as they were, however far they are apart.
  @Test(
    arguments: [
      [], [1], [.min], [1, 2, 3, 200, 201], [7, 7, 3, 3], [.max, .min, 0, -1, .max],
      Array(1...5000), stride(from: 9_000_000, to: 1, by: -4097).map(\.self),
    ] as [[Int64]])
  func numbersComeBack(_ expected: [Int64]) {
    let numbers = OperationSequences(expected)
    #expect(Array(numbers) == expected)
    #expect(numbers.count == expected.count && numbers.isEmpty == expected.isEmpty)
    #expect(numbers.first == expected.first && numbers.last == expected.last)
    #expect(Array(numbers.dropFirst()) == Array(expected.dropFirst()))
    #expect(Array(numbers.prefix(3)) == Array(expected.prefix(3)))
    #expect(numbers.indices.map { numbers[$0] } == expected)
    #expect(numbers == OperationSequences(expected))
    #expect(numbers != OperationSequences(expected + [5]))
  }
}
