import TestSupport
import Testing

@testable import Records

struct DeviceFirstsTests {
  /// The chains of all devices as if they were one tell the same, in more memory.
  @Test(arguments: 0..<30 as Range<UInt64>, [false, true])
  func firstsAreThoseOfChainsOfAllDevices(seed: UInt64, exactly: Bool) throws {
    var generator = SeededGenerator(seed: seed)
    let count = 1 + Int(seed) * 10
    // Mostly one device stands behind the other, but a store may have them in any order.
    let isOrdered = seed % 3 > 0
    let operations = PendingOperation.random(count, using: &generator) { number, generator in
      isOrdered ? Int32(number * 4 / count) : Int32.random(in: 0..<4, using: &generator)
    }
    var list = OperationList(memoryLimit: seed % 2 == 0 ? 0 : 1 << 20)
    for operation in operations { list.append(operation) }
    let chains = ItemChains(
      list, joiningSources: true, exactSources: exactly ? [0, 1, 2, 3] : [])
    let firsts = try DeviceFirsts(of: list, exactly: exactly)
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
}
