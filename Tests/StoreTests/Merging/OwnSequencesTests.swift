import Records
import Testing

@testable import Merging

struct OwnSequencesTests {
  private func sequences(_ numbers: [Int64]) -> OwnSequences {
    OwnSequences(
      of: OperationList(
        numbers.map { number in
          var operation = PendingOperation()
          operation.sequence = number
          return operation
        }))
  }

  @Test(arguments: [[], [1, 2, 3], [2, 5, 9], [Int64.min, 0, Int64.max]])
  func everyOperationIsFoundAtItsPlaceAndNoOther(numbers: [Int64]) {
    let sequences = sequences(numbers)
    #expect(sequences.count == numbers.count)
    #expect(numbers.indices.map { sequences[$0] } == numbers)
    // What a store names as an operation may be any number.
    for number in numbers + [.min, .min + 1, -1, 0, 1, 4, .max - 1, .max] {
      #expect(sequences.place(of: number) == numbers.firstIndex(of: number))
    }
  }
}
