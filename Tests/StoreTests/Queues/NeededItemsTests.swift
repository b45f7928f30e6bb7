import Bytes
import Testing

@testable import Records
@testable import Tables

struct NeededItemsTests {
  @Test func operationsThatNeedRowsOfSomeTablesAreFoundByThese() {
    let tables = ["A", "B", "A", nil, "C", "D"]
    let kinds: [OperationKind?] = [.insert, .update, .delete, nil]
    let operations = (0..<30_000).map { number in
      var operation = PendingOperation()
      operation.table = tables[number / 3 % 6]
      operation.kind = kinds[number / 7 % 4]
      operation.itemID = number % 11 == 0 ? nil : number % 13 == 0 ? "" : "item \(number)"
      return operation
    }
    var expected: [ExactText: [Int]] = [:]
    for (place, operation) in operations.enumerated() {
      guard operation.kind == .insert || operation.kind == .update, operation.itemID != nil,
        let table = operation.table, table != "B"
      else { continue }
      expected[ExactText(table), default: []].append(place)
    }
    let needed = NeededItems.byTable(
      OperationList(operations), of: ["A", "C", "D", "E"], in: operations.indices,
      hashing: .ignoringCase, seed: 5)
    #expect(needed.mapValues { $0.flatMap(\.operations) } == expected)
    for items in needed.values.joined() {
      #expect(items.hashes == items.operations.map { operations[$0].itemHash(seed: 5) })
      let chunks = Array(items.chunks(of: 256))
      #expect(chunks.flatMap(\.0) == items.operations)
      #expect(chunks.flatMap(\.1) == items.hashes)
      #expect(chunks.allSatisfy { $0.0.count <= 256 })
    }
  }
}
