import TestSupport
import Testing

@testable import Records

/// A list whose operations are in a file must be as one whose operations are in memory.
struct OperationListTests {
  /// Operations of every shape, each with other numbers.
  private static let operations: [PendingOperation] = (0..<900).map { number in
    let shapes = PendingOperationTests.operations
    var operation = shapes[number % shapes.count]
    operation.sequence = number % 97 == 0 ? .min + Int64(number) : Int64(number) * 7_919
    operation.rowKey = number % 3 == 0 ? nil : number % 5 == 0 ? .max : Int64(-number)
    operation.kind = number % 4 == 0 ? nil : OperationKind.allCases[number % 3]
    operation.state = OperationState.allCases[number % 5]
    operation.source = number % 11 == 0 ? .min : Int32(number)
    return operation
  }

  private static func list(_ limit: Int) -> OperationList {
    var list = OperationList(memoryLimit: limit)
    for operation in operations { list.append(operation) }
    return list
  }

  @Test(arguments: [0, 1, 5_000, 100_000, 1 << 30])
  func operationsComeBackAsTheyWere(_ limit: Int) {
    let list = Self.list(limit)
    #expect(list.isSpilled == (limit < 1 << 30))
    #expect(list.count == Self.operations.count)
    #expect(Array(list) == Self.operations)
    #expect(list.indices.reversed().map { list[$0] } == Self.operations.reversed())
    #expect(list[300..<340].map(\.sequence) == Self.operations[300..<340].map(\.sequence))
  }

  @Test(arguments: [0, 5_000, 1 << 30])
  func changesAreKept(_ limit: Int) {
    var list = Self.list(limit)
    var expected = Self.operations
    for place in stride(from: 0, to: expected.count, by: 7) {
      list[place].itemID = "changed \(place)"
      expected[place].itemID = "changed \(place)"
    }
    #expect(Array(list) == expected)
    #expect(list[7] == expected[7])
    list.updateEach { place, operation in
      operation.state = .failed
      operation.rowTable = "\(place)"
    }
    for place in expected.indices {
      expected[place].state = .failed
      expected[place].rowTable = "\(place)"
    }
    #expect(Array(list) == expected)
    let last = Int64(expected.count)
    let choices: [(PendingOperation) -> Bool] = [
      { $0.kind == .delete }, { _ in true }, { _ in false }, { $0.sequence > 1 },
      { $0.sequence < last }, { $0.sequence != last / 2 },
    ]
    for wanted in choices {
      #expect(Array(list.keeping(wanted)) == expected.filter(wanted))
    }
  }

  @Test(arguments: [0, 5_000, 100_000, 1 << 30], [0..<0, 0..<900, 37..<701, 899..<900])
  func operationsAreLentAsTheyAre(_ limit: Int, _ places: Range<Int>) {
    var list = Self.list(limit)
    var expected = Self.operations
    for place in [0, 40, 41, 899] {
      list[place].itemID = "changed \(place)"
      expected[place].itemID = "changed \(place)"
    }
    var lent: [Int: PendingOperation] = [:]
    list.lendEach(in: places) { lent[$0] = copy $1 }
    #expect(lent == Dictionary(uniqueKeysWithValues: places.map { ($0, expected[$0]) }))
    for place in places { #expect(list.with(place) { copy $0 } == expected[place]) }
  }

  /// What gets items may no longer have room in memory.
  @Test func changesThatTakeMuchMemoryGoToTheFile() {
    var list = OperationList(Self.operations)
    #expect(!list.isSpilled)
    let item = [UInt8](repeating: 32, count: 80_000)
    list.updateEach { $1.item = item }
    #expect(list.isSpilled)
    var expected = Self.operations
    for place in expected.indices { expected[place].item = item }
    #expect(list.elementsEqual(expected))
  }

  @Test func aCopyGrowsByItself() {
    let list = Self.list(5_000)
    var (first, second) = (list, list)
    for operation in Self.operations { first.append(operation) }
    for operation in Self.operations.reversed() { second.append(operation) }
    #expect(Array(list) == Self.operations)
    #expect(Array(first) == Self.operations + Self.operations)
    #expect(Array(second) == Self.operations + Self.operations.reversed())
  }

  @Test func operationsAreNumberedWhereTheirPlacesSaySo() {
    var list = Self.list(0)
    #expect(!list.isNumbered)
    list.updateEach { place, operation in operation.sequence = Int64(place) + 1 }
    #expect(list.isNumbered)
  }

  @Test func whatIsTakenOutIsNoLongerHeld() {
    for limit in [0, 1 << 30] {
      var list = Self.list(limit)
      #expect(list.take(0..<500) == Array(Self.operations[0..<500]))
      #expect(list.take(500..<900) == Array(Self.operations[500...]))
    }
  }
}
