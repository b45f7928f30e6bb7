import TestSupport
import Testing

@testable import Records

struct ItemChainsTests {
  /// Whatever finds an operation on the item, another operation is never taken for one.
  @Test(arguments: 0..<30 as Range<UInt64>, [false, true])
  func operationsInAFileAreLinkedLikeThoseInMemory(seed: UInt64, joins: Bool) {
    var generator = SeededGenerator(seed: seed)
    let count = 1 + Int(seed) * 10
    let operations = PendingOperation.random(count, using: &generator) { number, _ in
      Int32(number * 3 / count)
    }
    let exact: Set<Int32> = [1]
    let expected = ItemChains(
      OperationList(operations), joiningSources: joins, exactSources: exact)
    var list = OperationList(memoryLimit: 0)
    for operation in operations { list.append(operation) }
    #expect(list.isSpilled)
    // With few bits or none, the hashes of many items are the same.
    for mask in [UInt64.max, 0xF << 40, 0] {
      let chains = ItemChains(
        list, joiningSources: joins, exactSources: exact, hashMask: mask)
      #expect(
        operations.indices.map { chains.next[$0] } == operations.indices.map { expected.next[$0] })
      #expect(
        operations.indices.map { chains.previous[$0] }
          == operations.indices.map { expected.previous[$0] })
      #expect(Array(chains.undecoded) == Array(expected.undecoded))
      #expect(chains.placesBefore == expected.placesBefore)
      #expect(chains.placesAfter == expected.placesAfter)
    }
  }

  /// A list that waits in a file, or stays in memory.
  private func list(inFile: Bool, _ operations: [PendingOperation]) -> OperationList {
    var list = inFile ? OperationList(memoryLimit: 0) : OperationList()
    for operation in operations { list.append(operation) }
    return list
  }

  private func operation(
    _ itemID: String, _ kind: OperationKind?, source: Int32 = 0, row: Int64? = nil
  ) -> PendingOperation {
    var operation = PendingOperation()
    operation.table = "T"
    operation.itemID = itemID
    operation.kind = kind
    operation.source = source
    operation.rowKey = row
    return operation
  }

  /// Of a queue of which nothing waits any more nothing is kept.
  @Test(arguments: [false, true])
  func doneOperationsFollowNothing(inFile: Bool) {
    var done = operation("a", .update)
    done.state = .completed
    let list = list(inFile: inFile, [done, done])
    let chains = ItemChains(list)
    #expect(list.indices.allSatisfy { chains.next[$0] == nil && chains.previous[$0] == nil })
    #expect(Fold(list).effects.isEmpty)
  }

  /// Of so many pairs some have the same hash, unless it is a long one.
  @Test func everyPairOfTwinsInALongQueueIsSeen() {
    let count = 200_000
    var list = OperationList(memoryLimit: 0)
    for (place, letter) in ["k", "K"].enumerated() {
      for number in 0..<count {
        list.append(
          operation(letter + String(number), .update, row: Int64(2 * number + place)))
      }
    }
    let chains = ItemChains(list)
    #expect(list.indices.allSatisfy { chains.next[$0] == nil && chains.previous[$0] == nil })
  }

  @Test(
    arguments: [
      ("", 0), ("abc-1", 0), ("Abc", 1), ("a1-B2c", 2), (String(repeating: "a", count: 40), 0),
      (String(repeating: "a", count: 31) + "B", 1 << 31),
      (String(repeating: "a", count: 32) + "B", unknownCapitals), ("\u{e9}", unknownCapitals),
      (String(repeating: "A", count: 32), unknownCapitals),
    ] as [(String, UInt32)])
  func capitalsTellSpellingsApart(id: String, capitals: UInt32) {
    #expect(capitalLetters(of: Array(id.utf8).span) == capitals)
  }

  @Test(arguments: [false, true])
  func idsWhoseCapitalsAreNotKnownAreLookedAt(inFile: Bool) {
    let long = String(repeating: "a", count: 33)
    let list = list(
      inFile: inFile,
      [
        operation(long + "Bc", .insert, row: 1), operation(long + "bC", .insert, row: 2),
        operation(long + "Bc", .update, row: 1), operation(long + "bC", .update, row: 2),
      ])
    #expect(ItemChains(list).previousPlaces(of: list) == [nil, nil, 0, 1])
  }

  /// What is one item to the SDK of one device may be two to that of another.
  @Test(arguments: [false, true])
  func joinedDevicesKeepTheirOwnIdeaOfAnItem(inFile: Bool) {
    let list = list(
      inFile: inFile,
      [
        operation("AB1", .insert), operation("ab1", .update),
        operation("sh7", .insert, source: 1), operation("Sh7", .delete, source: 1),
        operation("sh7", .update, source: 1), operation("SH7", nil, source: 1),
        operation("Q", .update, row: 5), operation("q", .update, source: 1, row: 5),
        operation("x", .update, source: 1), operation("X", .update),
        operation("y", .insert, source: 1), operation("Y", nil, source: 1),
        operation("z", .insert), operation("Z", nil),
      ])
    let chains = ItemChains(list, joiningSources: true, exactSources: [1])
    #expect(
      chains.previousPlaces(of: list)
        == [nil, 0, nil, nil, 2, nil, nil, 6, nil, nil, nil, nil, nil, nil])
    #expect(Array(chains.undecoded) == [5, 11, 13])
    #expect(chains.placesBefore == [nil, nil, 12])
    #expect(chains.placesAfter == [nil, nil, nil])
  }

  /// Some wait for the first that can be decoded, and some in vain.
  @Test(arguments: [false, true])
  func thoseThatCannotBeDecodedStandBesideOthers(inFile: Bool) {
    let items: [(String, OperationKind?)] = [
      ("a", nil), ("b", nil), ("a", nil), ("a", nil), ("b", nil), ("a", .update), ("c", nil),
      ("a", nil), ("a", .update), ("A", nil), ("", nil),
    ]
    let list = list(inFile: inFile, items.map { operation($0.0, $0.1) })
    let chains = ItemChains(list)
    #expect(Array(chains.undecoded) == [0, 1, 2, 3, 4, 6, 7, 9])
    #expect(chains.placesBefore == [nil, nil, nil, nil, nil, nil, 5, 8])
    #expect(chains.placesAfter == [5, nil, 5, 5, nil, nil, nil, nil])
    #expect(list.indices.compactMap { chains.previous[$0] } == [5])
    #expect(list.indices.compactMap { chains.next[$0] } == [8])
  }

  /// To go through all operations on an item for each that cannot be decoded would take minutes.
  @Test func manyUndecodableOperationsOfTwinsTakeNoLongerThanTheyAre() {
    let clock = ThreadClock()
    let count = 100_000
    var list = OperationList()
    for number in 0..<count {
      let kind: OperationKind? = number % 4 < 2 ? .update : nil
      list.append(operation(number % 2 == 0 ? "a" : "A", kind, row: Int64(number % 2)))
    }
    let chains = ItemChains(list)
    let undecoded = Array(chains.undecoded)
    #expect(undecoded.count == count / 2)
    #expect(chains.placesBefore == undecoded.map { $0 - 2 })
    #expect(chains.placesAfter == undecoded.dropLast(2).map { $0 + 2 } + [nil, nil])
    #expect(clock.seconds < 20)
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

extension ItemChains {
  /// The operation before each of a list on its item.
  fileprivate func previousPlaces(of list: OperationList) -> [Int?] {
    list.indices.map { previous[$0] }
  }

  /// The operations before and after each that cannot be decoded.
  fileprivate var placesBefore: [Int?] { undecoded.map(before(undecoded:)) }
  fileprivate var placesAfter: [Int?] { undecoded.map(after(undecoded:)) }
}
