import Bytes
import TestSupport
import Testing

@testable import Records

struct OvertakenOperationsTests {
  /// A look at all pairs of operations tells the same.
  @Test(arguments: 0..<40 as Range<UInt64>, [false, true])
  func onlyLaterDevicesOvertake(seed: UInt64, isExact: Bool) {
    var generator = SeededGenerator(seed: seed)
    let operations = PendingOperation.random(40, using: &generator) { number, generator in
      seed % 3 > 0 ? Int32(number / 15) : Int32.random(in: 0..<3, using: &generator)
    }
    // What is in doubt waits, and may have been sent; of some most wait, and of others few.
    let kinds = [[0, 1, 2, 3], [0, 0, 0, 0, 1, 2], [1, 1, 1, 1, 0, 3]][Int(seed % 5 % 3)]
    let states = operations.map { _ in kinds.randomElement(using: &generator) ?? 0 }
    let areWhole = seed % 4 == 3
    let parts = operations.map { _ in
      areWhole || seed % 2 == 0 || Int.random(in: 0..<5, using: &generator) == 0
        ? nil : Set<ExactText>(["x", "y", "z"].filter { _ in Bool.random(using: &generator) })
    }
    let haveNothingInCommon = { (first: Int, second: Int) in
      parts[first].flatMap { fields in parts[second].map(fields.isDisjoint) } ?? false
    }
    var list = OperationList(memoryLimit: seed % 2 == 0 ? 0 : 1 << 20)
    for operation in operations { list.append(operation) }
    var fields: ((borrowing PendingOperation) -> Set<ExactText>?)?
    if !areWhole { fields = { parts[Int($0.sequence) - 1] } }
    let overtaken = OvertakenOperations(
      of: list, hash: { $0.itemHash(inTableSeededBy: 7, exactly: isExact) },
      isWaiting: { place, _ in [0, 3].contains(states[place]) },
      isSent: { place, _ in [1, 3].contains(states[place]) },
      fields: fields)

    let expected = operations.indices.map { place -> Int? in
      let last = operations.indices.last { other in
        [1, 3].contains(states[other]) && operations[place].table != nil
          && operations[place].itemID?.isEmpty == false && !haveNothingInCommon(place, other)
          && operations[place].isAboutSameItem(as: operations[other], exactly: isExact)
      }
      guard [0, 3].contains(states[place]), let last, last > place else { return nil }
      return operations[last].source == operations[place].source ? nil : last
    }
    #expect(operations.indices.map(overtaken.later) == expected)
    #expect(Array(overtaken.all) == operations.indices.filter { expected[$0] != nil })
    #expect(overtaken.isEmpty == expected.allSatisfy { $0 == nil })
  }

  /// However many there are of an item, what each has is found out once.
  @Test func fieldsOfEachAreAskedForOnce() {
    var list = OperationList()
    for number in 1...1000 as ClosedRange<Int64> {
      var operation = PendingOperation()
      (operation.sequence, operation.table, operation.itemID) = (number, "T", "a")
      operation.source = number > 500 ? 2 : 1
      list.append(operation)
    }
    var questions = 0
    let overtaken = OvertakenOperations(
      of: list, hash: { $0.itemHash(inTableSeededBy: 7, exactly: true) },
      isWaiting: { $1.source == 1 }, isSent: { $1.source == 2 },
      fields: {
        questions += 1
        return [$0.source == 1 ? "name" : "count"]
      })
    #expect(overtaken.isEmpty && questions == 1000)
  }
}
