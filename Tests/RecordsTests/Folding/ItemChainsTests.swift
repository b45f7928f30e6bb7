import TestSupport
import Testing

@testable import Records

struct ItemChainsTests {
  /// Whatever finds an operation on the item, another operation is never taken for one.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func operationsInAFileAreLinkedLikeThoseInMemory(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = 1 + Int(seed) * 10
    let operations = PendingOperation.random(count, using: &generator) { number, _ in
      Int32(number * 3 / count)
    }
    let exact: Set<Int32> = [1]
    let expected = ItemChains(OperationList(operations), exactSources: exact)
    var list = OperationList(memoryLimit: 0)
    for operation in operations { list.append(operation) }
    #expect(list.isSpilled)
    // With few bits or none, the hashes of many items are the same.
    for mask in [UInt64.max, 0xF << 40, 0] {
      let chains = ItemChains(list, exactSources: exact, hashMask: mask)
      #expect(
        operations.indices.map { chains.next[$0] } == operations.indices.map { expected.next[$0] })
      #expect(
        operations.indices.map { chains.previous[$0] }
          == operations.indices.map { expected.previous[$0] })
      #expect(chains.undecoded.map(\.place) == expected.undecoded.map(\.place))
      #expect(chains.undecoded.map(\.before) == expected.undecoded.map(\.before))
      #expect(chains.undecoded.map(\.after) == expected.undecoded.map(\.after))
    }
  }

  /// Numbers of sources and the first letters of names differ in few bits.
  @Test func sourcesAndTablesDoNotMakeUpForEachOther() {
    var list = OperationList(memoryLimit: 0)
    for source in 0..<64 as Range<Int32> {
      for letter in 0x40..<0x80 as Range<UInt8> {
        var operation = PendingOperation()
        operation.table = String(UnicodeScalar(letter))
        operation.itemID = "1"
        operation.kind = .update
        operation.source = source
        list.append(operation)
      }
    }
    let chains = ItemChains(list)
    #expect(list.indices.allSatisfy { chains.next[$0] == nil && chains.previous[$0] == nil })
  }
}
