import Testing

@testable import Records

struct FoldTests {
  @Test(arguments: [
    ([OperationKind.insert], OperationKind.insert, false),
    ([.insert, .update], .insert, false),
    ([.update, .update, .update], .update, false),
    ([.update, .delete], .delete, false),
    ([.insert, .delete], .delete, true),
    ([.insert, .update, .delete], .delete, true),
    ([.delete, .delete], .delete, false),
  ])
  func oneItemHasOneEffect(kinds: [OperationKind], expected: OperationKind, acceptsMissing: Bool) {
    let effects = Fold(OperationList(operations(kinds))).effects
    #expect(effects.map(\.kind) == [expected])
    #expect(effects.first?.sequences == OperationSequences(1...Int64(kinds.count)))
    #expect(effects.first?.acceptsMissing == acceptsMissing)
    #expect(effects.first?.followsOddly == false)
  }

  @Test(arguments: [
    [OperationKind.delete, .insert], [.delete, .update], [.update, .insert], [.insert, .insert],
  ])
  func whatNoSDKQueuesStaysInOrderAndIsMarked(kinds: [OperationKind]) {
    let effects = Fold(OperationList(operations(kinds))).effects
    #expect(effects.map(\.kind) == kinds)
    #expect(effects.map(\.followsOddly) == [false, true])
  }

  @Test func itemsAreToldApartByTableAndIDWithoutCase() {
    var list = operations([.insert, .update, .update, .update])
    list[1].itemID = "ITEM-É"
    list[0].itemID = "item-é"
    list[2].table = "Other"
    list[3].itemID = "another"
    let effects = Fold(OperationList(list)).effects
    #expect(effects.map(\.sequences) == [[1, 2], [3], [4]])
    #expect(effects.first?.itemID == "item-é")
  }

  @Test func operationsOfDifferentSourcesAreNeverFolded() {
    var list = operations([.insert, .update, .update, .delete])
    for place in list.indices { list[place].source = place < 2 ? 1 : 2 }
    let effects = Fold(OperationList(list)).effects
    #expect(effects.map(\.sequences) == [[1, 2], [3, 4]])
    #expect(effects.map(\.followsOddly) == [false, false])
    #expect(ItemChains(OperationList(list), joiningSources: true).previous[2] == 1)
  }

  @Test func caseTwinsAreTwoItemsWhereTheSDKSaysSo() {
    var list = operations([.update, .update, .update, .update])
    for place in list.indices { list[place].source = place < 2 ? 1 : 2 }
    for place in [1, 3] { list[place].itemID = "A" }
    let effects = Fold(OperationList(list), habits: FoldHabits(exactSources: [2])).effects
    #expect(effects.map(\.sequences) == [[1, 2], [3], [4]])
  }

  /// Stores of the iOS SDK before 2.2.0 may hold two rows whose ids differ only in letter case.
  @Test(arguments: [false, true])
  func caseTwinsAreTwoItemsWhereEachHasARow(isSpilled: Bool) {
    let list = caseTwins()
    var operations = OperationList(memoryLimit: isSpilled ? 0 : .max)
    for operation in list { operations.append(operation) }
    #expect(operations.isSpilled == isSpilled)
    let effects = Fold(operations).effects
    #expect(effects.map(\.sequences) == [[1, 3, 5], [2, 4], [6]])
    #expect(effects.map(\.itemID) == ["a", "A", "A"])
    #expect(effects.map(\.kind) == [.delete, .insert, .update])
    #expect(effects.map(\.rowKey) == [1, 2, 3])
    #expect(effects.map(\.baseVersion) == ["v5", nil, "v6"])
    #expect(effects.map(\.followsOddly) == [false, false, false])
  }

  /// A queue may be folded while the rows are still looked for.
  @Test func caseTwinsAreSeparatedOnceTheirRowsAreKnown() {
    let list = caseTwins()
    var fold = Fold(OperationList(withoutRows(list)))
    #expect(fold.effects.map(\.sequences) == [[1], [2, 3, 4, 5], [6]])
    fold.takeTied(OperationList(list))
    let known = Fold(OperationList(list))
    #expect(Array(fold.effects) == Array(known.effects))
    #expect(fold.traits.traits == known.traits.traits)
  }

  /// A row that two spellings share is one item, and so is one that no operation is tied to.
  @Test func spellingsOfOneRowAreOneItem() {
    var list = operations([.insert, .update, .update])
    list[1].itemID = "A"
    #expect(Fold(OperationList(list)).effects.map(\.sequences) == [[1, 2, 3]])
    for place in list.indices { list[place].rowKey = 7 }
    #expect(Fold(OperationList(list)).effects.map(\.sequences) == [[1, 2, 3]])
  }

  @Test func deletedCaseTwinTakesNoOtherRowAlong() {
    var list = operations([.update, .delete])
    list[0].rowKey = 7
    list[1].itemID = "A"
    #expect(Fold(OperationList(list)).effects.map(\.sequences) == [[1], [2]])
    list[0].rowKey = nil
    #expect(Fold(OperationList(list)).effects.map(\.sequences) == [[1, 2]])
  }

  /// One that cannot be read holds the changes of the item whose id it spells.
  @Test func undecodableOperationIsListedWithItsOwnCaseTwin() {
    var list = operations([.update, .update, .update])
    (list[0].rowKey, list[1].rowKey) = (1, 2)
    list[1].itemID = "A"
    list[2].kind = nil
    let effects = Fold(OperationList(list)).effects
    #expect(effects.map(\.sequences) == [[1], [2]])
    #expect(effects.undecoded == [[3], []])
    list[2].itemID = "A"
    #expect(Fold(OperationList(list)).effects.undecoded == [[], [3]])
  }

  /// Changes of rows 1 and 2, whose ids differ in letter case, one after the other, and of a row
  /// in another table.
  private func caseTwins() -> [PendingOperation] {
    var list = operations([.update, .insert, .update, .update, .delete, .update])
    for (place, row) in [(0, 1), (1, 2), (2, 1), (3, 2), (5, 3)] as [(Int, Int64)] {
      list[place].rowKey = row
    }
    for place in [1, 3, 5] { list[place].itemID = "A" }
    for place in [0, 2, 3, 4, 5] { list[place].baseVersion = "v\(place + 1)" }
    list[5].table = "Other"
    return list
  }

  private func withoutRows(_ operations: [PendingOperation]) -> [PendingOperation] {
    operations.map { operation in
      var other = operation
      other.rowKey = nil
      return other
    }
  }

  @Test func completedAndDroppedOperationsTakeNoPart() {
    var list = operations([.insert, .update, .delete, .update])
    list[0].state = .completed
    list[2].state = .dropped
    list[3].state = .failed
    #expect(Fold(OperationList(list)).effects.map(\.sequences) == [[2, 4]])
  }

  @Test func undecodableOperationsAreListedWithTheirItem() {
    var list = operations([.update, .update, .update])
    list[0].kind = nil
    list[2].kind = nil
    let effects = Fold(OperationList(list)).effects
    #expect(effects.map(\.sequences) == [[2]])
    #expect(effects.undecoded == [[1, 3]])
  }

  @Test func operationsWithoutATargetStayAlone() {
    var list = operations([.update, .update, .update])
    list[0].itemID = nil
    list[1].itemID = ""
    list[2].table = nil
    #expect(Fold(OperationList(list)).effects.count == 3)
  }

  @Test func theVersionOfADeleteIsThatOfItsPayload() {
    var list = operations([.update, .delete])
    list[0].baseVersion = "old"
    list[1].baseVersion = "new"
    list[1].item = Array("{}".utf8)
    let effect = Fold(OperationList(list)).effects.first
    #expect(effect?.baseVersion == "new")
    #expect(effect?.item == Array("{}".utf8))
    #expect(effect?.source == 2)
  }

  @Test func anInsertCarriesNoVersion() {
    var list = operations([.insert, .update])
    list[1].baseVersion = "AAAA"
    #expect(Fold(OperationList(list)).effects.first?.baseVersion == nil)
  }

  private func operations(_ kinds: [OperationKind]) -> [PendingOperation] {
    kinds.enumerated().map { index, kind in
      var operation = PendingOperation()
      operation.sequence = Int64(index + 1)
      operation.table = "TodoItem"
      operation.itemID = "a"
      operation.kind = kind
      return operation
    }
  }

  /// What an SDK that sends changes comes to, with the payloads that are joined.
  @Test(arguments: [
    ([OperationKind.insert, .update, .update], [OperationKind.insert], ["012"]),
    ([.update, .update], [.update], ["01"]), ([.insert, .insert], [.insert], ["1"]),
    ([.update, .delete], [.delete], ["1"]), ([.delete, .insert, .update], [.insert], ["12"]),
    ([.delete, .update, .update], [.delete, .update], ["0", "12"]),
  ])
  func changesOfAnItemAreJoined(
    kinds: [OperationKind], effects: [OperationKind], payloads: [String]
  ) {
    let folded = fold(numbered(kinds), FoldHabits(changeSources: [0]))
    #expect(folded.map(\.kind) == effects)
    #expect(folded.map { String(decoding: $0.item ?? [], as: UTF8.self) } == payloads)
  }

  /// An insert behind anything but an insert meets an item that the server has.
  @Test(arguments: [
    ([OperationKind.insert, .update], false), ([.insert, .insert], false),
    ([.delete, .insert], true), ([.update, .delete, .insert, .update], true),
    ([.update, .insert], true), ([.insert, .delete, .insert], true),
    ([.delete, .insert, .delete], false),
  ])
  func insertReplacesWhatWasThere(kinds: [OperationKind], replaces: Bool) {
    let folded = fold(numbered(kinds), FoldHabits(changeSources: [0]))
    #expect(folded.map(\.replaces) == [replaces])
  }

  @Test func greatestVersionCountsWhereTheyAreNumbers() {
    var operations = numbered([.update, .update, .update])
    for (place, version) in [(0, "9"), (1, "10"), (2, "5")] {
      operations[place].baseVersion = version
    }
    #expect(fold(operations, FoldHabits()).map(\.baseVersion) == ["5"])
    #expect(fold(operations, FoldHabits(numberSources: [0])).map(\.baseVersion) == ["10"])
  }

  /// The same where updates are parts, but an insert takes the place of nothing.
  @Test(arguments: [
    ([OperationKind.insert, .update, .update], [OperationKind.insert], ["012"]),
    ([.update, .update], [.update], ["01"]), ([.update, .delete], [.delete], ["1"]),
    ([.insert, .insert], [.insert, .insert], ["0", "1"]),
    ([.delete, .insert, .update], [.delete, .insert], ["0", "12"]),
  ])
  func partsOfAnItemAreJoined(
    kinds: [OperationKind], effects: [OperationKind], payloads: [String]
  ) {
    let folded = fold(numbered(kinds), FoldHabits(joiningSources: [0]))
    #expect(folded.map(\.kind) == effects)
    #expect(folded.map { String(decoding: $0.item ?? [], as: UTF8.self) } == payloads)
  }

  @Test func operationWithoutAPayloadAddsNothing() {
    var operations = numbered([.insert, .update, .update])
    operations[1].item = nil
    let folded = fold(operations, FoldHabits(joiningSources: [0]))
    #expect(folded.map { String(decoding: $0.item ?? [], as: UTF8.self) } == ["02"])
  }

  /// Operations on one item, each with its place as its payload.
  private func numbered(_ kinds: [OperationKind]) -> [PendingOperation] {
    kinds.enumerated().map { place, kind in
      var operation = PendingOperation()
      operation.sequence = Int64(place + 1)
      (operation.table, operation.itemID, operation.kind) = ("t", "a", kind)
      operation.item = Array(String(place).utf8)
      return operation
    }
  }

  private func fold(_ operations: [PendingOperation], _ habits: FoldHabits) -> Fold.Effects {
    Fold(OperationList(operations), habits: habits.joining { $0.flatMap { $0 } }).effects
  }
}

extension Fold.Effects {
  /// What cannot be decoded on the item of each.
  fileprivate var undecoded: [[Int64]] {
    indices.map { number in
      var sequences: [Int64] = []
      forEachUndecoded(places(at: number)) { sequences.append($0) }
      return sequences
    }
  }
}
