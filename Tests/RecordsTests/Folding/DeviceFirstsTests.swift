import TestSupport
import Testing

@testable import Records

struct DeviceFirstsTests {
  /// The chains of all devices as if they were one tell the same, in more memory.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func firstsAreThoseOfChainsOfAllDevices(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = 1 + Int(seed) * 10
    // Mostly one device stands behind the other, but a store may have them in any order.
    let isOrdered = seed % 3 > 0
    let operations = (0..<count).map { number in
      var operation = PendingOperation()
      operation.sequence = Int64(number) + 1
      operation.table = ["A", "B", "", nil].randomElement(using: &generator) ?? nil
      operation.itemID = Self.ids.randomElement(using: &generator) ?? nil
      operation.kind = [.insert, .update, .delete, nil].randomElement(using: &generator) ?? nil
      operation.state = [.pending, .failed, .completed].randomElement(using: &generator) ?? .failed
      operation.source =
        isOrdered ? Int32(number * 4 / count) : Int32.random(in: 0..<4, using: &generator)
      return operation
    }
    var list = OperationList(memoryLimit: seed % 2 == 0 ? 0 : 1 << 20)
    for operation in operations { list.append(operation) }
    let chains = ItemChains(list, joiningSources: true)
    let wanted = { (place: Int) in
      operations[place].state.isPending && operations[place].kind != nil
    }
    let firsts = try DeviceFirsts(of: list, where: wanted)
    for place in operations.indices {
      let expected = Self.firsts(from: place, chains, operations)
      #expect(firsts.isFirst(place) == (expected.count > 1), "\(place)")
      if expected.count > 1 { #expect(firsts.places(from: place) == expected) }
    }
  }

  /// The first operation of each device on an item; none where the operation is not the first of all.
  private static func firsts(
    from place: Int, _ chains: ItemChains, _ operations: [PendingOperation]
  ) -> [Int] {
    guard chains.previous[place] == nil else { return [] }
    var known: Set<Int32> = []
    return sequence(first: place) { chains.next[$0] }
      .filter { known.insert(operations[$0].source).inserted }
  }

  private static let ids: [String?] = [
    nil, "", "a", "A", "b", "\u{e9}", "\u{c9}", "e\u{301}", "k", "K", "\u{212A}", "abcdefgh",
    "ABCDEFGH", "abcdefghi", "1", "01",
  ]
}
