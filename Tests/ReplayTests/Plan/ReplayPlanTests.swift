import Records
import Testing

@testable import Replay

struct ReplayPlanTests {
  @Test func stepsFoldOperationsAndKeepTheirOrder() {
    let plan = ReplayPlan([
      operation(1, .insert), operation(2, .update, id: "b", version: "V"), operation(3, .update),
    ])
    #expect((0..<plan.count).map { plan[$0]?.effect.sequences } == [[1, 3], [2]])
    #expect(plan[1]?.baseVersion == "V")
    #expect(plan.held.isEmpty)
    #expect(plan[2] == nil)
  }

  /// Nobody has to decide about what was dropped or done, whatever it was.
  @Test(arguments: [OperationState.dropped, .completed])
  func closedOperationOfUnknownKindIsNotHeld(_ state: OperationState) {
    var closed = operation(1, nil)
    closed.state = state
    let plan = ReplayPlan([closed, operation(2, .update, id: "b")])
    #expect(plan.held.isEmpty && plan.count == 1)
  }

  /// What an earlier run has done of an item is what the next change of it follows, and no other.
  @Test func laterRunKnowsTheVersionsOfTheEarlierOne() throws {
    var history = ReplayHistory()
    history.add(1, event: "applied", version: "V2")
    let plan = ReplayPlan(
      OperationList([
        operation(1, .update, version: "V1"), operation(2, .update, version: "V1"),
        operation(3, .update, id: "b", version: "W"),
      ]), history: history)
    #expect((0..<plan.count).map { plan[$0]?.effect.sequences } == [[2], [3]])
    #expect((0..<plan.count).map { plan[$0]?.baseVersion } == ["V2", "W"])
  }

  @Test func effectsOnOneItemFollowEachOther() {
    let plan = ReplayPlan([
      operation(1, .delete), operation(2, .update, id: "b"), operation(3, .insert),
    ])
    #expect((0..<plan.count).map { plan[$0]?.predecessor } == [nil, nil, 0])
  }

  @Test(arguments: [Dialect.v2, .v3, .toolkit])
  func noVersionIsExpectedOfAnItemThatIsDeletedBefore(_ dialect: Dialect) throws {
    let plan = ReplayPlan([
      operation(1, .delete, version: "V"), operation(2, .update, version: "V"),
      operation(3, .update, id: "b", version: "V"),
    ])
    let item = ReplayItem(json: Array(#"{"id":"a"}"#.utf8))
    let requests = try (0..<plan.count).map { id in
      let step = try #require(plan[id])
      return try #require(ReplaySettings(dialect: dialect).firstRequest(of: step, item))
    }
    #expect(requests.map { $0.condition != nil } == [true, false, true])
    #expect(!String(decoding: requests[1].body ?? [], as: UTF8.self).contains("version"))
  }

  @Test func whatCannotBeSentSafelyIsHeldWithAReason() {
    var rowless = operation(4, .update, id: "d")
    rowless.rowKey = nil
    var tableless = operation(5, .delete, id: "e")
    tableless.table = nil
    let plan = ReplayPlan([
      operation(1, .insert, id: nil), operation(2, nil, id: "b"), operation(3, .update, id: "b"),
      rowless, tableless, operation(6, .delete, id: ".."), operation(7, .delete, id: "x/y"),
      operation(8, .update, id: "h", version: "V\r\nX: y"), operation(9, .insert, id: "ok"),
    ])
    #expect(
      plan.held.map(\.reason) == [
        .withoutItem, .unreadable, .besideUnreadable, .withoutRow, .withoutTable, .notSendable,
        .notSendable, .notSendable,
      ])
    #expect(plan.held.map(\.sequence) == Array(1...8))
    #expect((0..<plan.count).map { plan[$0]?.itemID } == ["ok"])
  }

  @Test func whatFollowsAHeldEffectIsHeldToo() {
    var first = operation(1, .delete, version: "\n")
    first.rowKey = nil
    let plan = ReplayPlan([first, operation(2, .insert)])
    #expect(plan.held.map(\.reason) == [.notSendable, .afterUnfinished])
  }

  @Test func whatIsDoneIsLeftOutAndItsVersionGoesOn() {
    var history = ReplayHistory()
    history.add(1, event: "sending", version: nil)
    history.add(1, event: "applied", version: "NEW")
    history.add(3, event: "dropped", version: nil)
    let plan = ReplayPlan(
      [
        operation(1, .insert), operation(2, .update, version: "OLD"),
        operation(3, .update, id: "b", version: "B"), operation(4, .update, id: "b", version: "B"),
      ], history: history)
    #expect(plan.done.map(\.outcome) == [.applied, .dropped])
    #expect((0..<plan.count).map { plan[$0]?.effect.sequences } == [[2], [4]])
    #expect((0..<plan.count).map { plan[$0]?.baseVersion } == ["NEW", "B"])
  }

  @Test func whatWasSentWithoutAnOutcomeIsInDoubt() {
    var history = ReplayHistory()
    history.add(1, event: "sending", version: nil)
    history.add(2, event: "inDoubt", version: nil)
    history.add(3, event: "pending", version: nil)
    let plan = ReplayPlan(
      [operation(1, .insert), operation(2, .insert, id: "b"), operation(3, .insert, id: "c")],
      history: history)
    #expect((0..<plan.count).map { plan[$0]?.isInDoubt } == [true, true, false])
  }

  @Test(arguments: ["applied", "alreadyApplied"])
  func markUndoesNothingThatTheTargetHas(_ outcome: String) {
    var marked = operation(1, .insert)
    marked.state = .dropped
    var history = ReplayHistory()
    history.add(1, event: outcome, version: "NEW")
    let plan = ReplayPlan([marked, operation(2, .update, version: "OLD")], history: history)
    #expect(plan.done.map(\.outcome.rawValue) == [outcome])
    #expect(plan[0]?.baseVersion == "NEW")
    // Elsewhere it counts.
    #expect(ReplayPlan([marked]).done.map(\.outcome) == [.dropped])
  }

  /// Only what is sent has the device's names; operations are told apart as the queue spells them.
  @Test func operationsFoldAsTheQueueSpellsThem() {
    var gone = operation(2, .delete, id: "A1", version: "V")
    gone.rowKey = nil
    var names = SentNames(tables: [1: "todoitem"])
    names.add(itemID: "a1", of: 1)
    let queue = [operation(1, .update, id: "A1", version: "V"), gone]
    let plan = ReplayPlan(OperationList(queue), names: names)
    #expect((0..<plan.count).map { plan[$0]?.effect.sequences } == [[1, 2]])
    #expect(plan[0]?.itemID == "a1")
    #expect(plan[0]?.table == "todoitem" && plan[0]?.knownTable == "TodoItem")
    let beside = ReplayPlan(
      OperationList(queue.reversed() + [operation(3, nil, id: "A1")]), names: names)
    #expect(beside.held.map(\.sequence) == [1, 3])
    #expect((0..<beside.count).map { beside[$0]?.effect.sequences } == [[2]])
  }

  /// A delete names the item as the SDK has kept it with the delete, whatever it is folded with.
  @Test(arguments: [nil, "A1"])
  func deleteSpellsTheIDItself(kept: String?) {
    var gone = operation(2, .delete, id: kept == nil ? "A1" : "a1")
    gone.rowKey = nil
    gone.item = Array(#"{"id":"A1"}"#.utf8)
    var names = SentNames()
    names.add(itemID: "a1", of: 1)
    if let kept { names.add(itemID: kept, of: 2) }
    var first = operation(1, .update, id: "a1")
    first.rowKey = nil
    first.item = gone.item
    let plan = ReplayPlan(OperationList([first, gone]), names: names)
    #expect((0..<plan.count).map { plan[$0]?.effect.sequences } == [[1, 2]])
    #expect(plan[0]?.itemID == "A1")
  }

  /// What would end on top of another device's change that was sent, and nobody would tell.
  private static let overtaken: [(PendingOperation, PendingOperation, Dialect, Bool)] = {
    var old = operation(1, .update)
    old.table = "Old"
    let (update, delete) = (operation(1, .update), operation(1, .delete))
    let insert = operation(1, .insert)
    return [
      (update, operation(2, .update), .v2, true), (update, operation(2, .insert), .v2, true),
      (delete, operation(2, .update, version: "V"), .v2, true),
      (operation(1, .update, version: "V"), operation(2, .update), .v2, false),
      // What is gone cannot be changed.
      (update, operation(2, .delete), .v2, false), (delete, operation(2, .delete), .v2, false),
      // In the way of a new item is what the later device has, unless that is a delete.
      (insert, operation(2, .update), .v2, false), (insert, operation(2, .insert), .v2, false),
      (insert, operation(2, .delete), .v2, true),
      // One item to the server is one, however devices spell its id and its table.
      (update, operation(2, .update, id: "A"), .v2, true),
      (update, operation(2, .update, id: "A"), .rows, false),
      (old, operation(2, .update), .v2, true), (update, operation(2, .update, id: "b"), .v2, false),
      // A name on a server of Parse is no time at which the object was changed.
      (operation(1, .update, version: "x@"), operation(2, .update), .parse, true),
      (
        operation(1, .update, version: "x@2020-01-01T00:00:00.000Z"), operation(2, .update),
        .parse, false
      ),
    ]
  }()

  @Test(arguments: overtaken.indices, [400, 500, nil])
  func changeBehindALaterDevicesIsHeld(number: Int, status: Int64?) {
    var (first, later, dialect, isHeld) = Self.overtaken[number]
    (first.source, later.source) = (1, 2)
    var tables = TableMap()
    _ = tables.map("Old", to: "todoitem")
    var history = ReplayHistory()
    if let status {
      history.add(1, event: "sending", version: nil)
      history.add(1, event: "rejected", version: nil, status: status)
    }
    history.add(2, event: "sending", version: nil)
    history.add(2, event: "applied", version: nil)
    let plan = ReplayPlan(
      OperationList([first, later]), history: history, dialect: dialect, tables: tables)
    // Of what was never tried nobody knows which is the older one.
    isHeld = isHeld && status != nil
    #expect(plan.held.map(\.reason) == (isHeld ? [.overtaken] : []))
    #expect(plan.held.allSatisfy { !$0.isInDoubt })
    #expect(plan.count == (isHeld ? 0 : 1))
    // Where the server tells, no policy sends it on top all the same.
    let isOneItem = status != nil && dialect != .rows && later.itemID != "b"
    #expect(plan[0].map(\.isOvertaken) == (isHeld ? nil : isOneItem))
    // One device's own changes do not overtake each other.
    later.source = 1
    let alone = ReplayPlan(
      OperationList([first, later]), history: history, dialect: dialect, tables: tables)
    #expect(alone.held.allSatisfy { $0.reason != .overtaken })
  }

  /// Whatever the server would tell: what it has is known once the doubt is settled.
  @Test(arguments: overtaken.indices, ["sending", "inDoubt", "rejected"])
  func changeBehindALaterDevicesDoubtIsHeld(number: Int, event: String) {
    var (first, later, dialect, _) = Self.overtaken[number]
    (first.source, later.source) = (1, 2)
    var tables = TableMap()
    _ = tables.map("Old", to: "todoitem")
    var history = ReplayHistory()
    history.add(1, event: "conflict", version: nil)
    history.add(2, event: "sending", version: nil)
    history.add(2, event: event, version: nil, status: 500)
    var plan = ReplayPlan(
      OperationList([first, later]), history: history, dialect: dialect, tables: tables)
    let isOneItem = dialect != .rows && later.itemID != "b"
    #expect(plan.held.map(\.reason) == (isOneItem ? [.afterDoubt] : []))
    #expect((0..<plan.doubts.count).map { plan.doubts[$0].1 } == (isOneItem ? [2] : []))
    #expect(plan[plan.count - 1]?.isInDoubt == true)
    // What was given up is no doubt any more.
    later.state = .dropped
    plan = ReplayPlan(
      OperationList([first, later]), history: history, dialect: dialect, tables: tables)
    #expect(plan.held.isEmpty)
  }

  /// Updates that hold only what they change end on top of nothing else.
  @Test(
    arguments: [
      (#"{"name":"A"}"#, #"{"qty":2}"#, .update, false),
      (#"{"id":"a","name":"A"}"#, #"{"id":"a","qty":2}"#, .update, false),
      (#"{"name":"A"}"#, #"{"qty":2,"Name":"B"}"#, .update, true),
      (#"{"name":"A"}"#, #"{"qty":2}"#, .insert, true), (#"{"name":"A"}"#, nil, .update, true),
    ] as [(String, String?, OperationKind, Bool)])
  func onlyFieldsInCommonOvertake(
    first: String, later: String?, kind: OperationKind, isHeld: Bool
  ) {
    var operations = [operation(1, .update), operation(2, kind), operation(3, .update, id: "b")]
    operations[0].item = Array(first.utf8)
    operations[1].item = later.map { Array($0.utf8) }
    for place in operations.indices { operations[place].source = Int32(place + 1) }
    var history = ReplayHistory()
    history.add(1, event: "rejected", version: nil, status: 400)
    history.add(2, event: "applied", version: nil)
    let plan = ReplayPlan(
      OperationList(operations), history: history, habits: FoldHabits(changeSources: [1, 2]))
    #expect(plan.held.map(\.reason) == (isHeld ? [.overtaken] : []))
    // Whoever sends whole items has something of each field.
    let whole = ReplayPlan(OperationList(operations), history: history)
    #expect(whole.held.map(\.reason) == [.overtaken])
  }

  /// What the journal has of a first run that passes over some operations.
  private func historyPassingOver(
    _ sequences: OperationSequences, of operations: [PendingOperation]
  ) -> ReplayHistory {
    var history = ReplayHistory()
    let first = ReplayPlan(OperationList(operations))
    #expect(first.passedOver == sequences)
    for sequence in first.passedOver { history.add(sequence, event: "held", version: nil) }
    // It is told once.
    #expect(ReplayPlan(OperationList(operations), history: history).passedOver.isEmpty)
    return history
  }

  /// An operation that is held back is older than what is sent behind it, for a run that may send it.
  @Test(arguments: [(1, 2), (2, 1), (1, 1)] as [(Int32, Int32)])
  func whatIsHeldBackIsOlderThanALaterDevices(sources: (Int32, Int32)) {
    var operations = [
      operation(1, .update), operation(2, .update, id: "b"), operation(3, .update),
    ]
    for place in operations.indices { operations[place].source = sources.0 }
    operations[2].source = sources.1
    operations[0].rowKey = nil
    operations[1].rowKey = nil
    let isAlone = sources.0 == sources.1
    var history = historyPassingOver(isAlone ? [] : [1], of: operations)
    history.add(3, event: "applied", version: nil)
    operations[0].rowKey = 1
    let plan = ReplayPlan(OperationList(operations), history: history)
    #expect(plan.held.map(\.reason) == (isAlone ? [] : [.overtaken]) + [.withoutRow])
  }

  /// What a person has dropped is older, too, when it may be sent after all.
  @Test(arguments: [(1, 2), (1, 1)] as [(Int32, Int32)])
  func whatWasDroppedIsOlderThanALaterDevices(sources: (Int32, Int32)) {
    var operations = [operation(1, .update), operation(2, .update)]
    (operations[0].source, operations[1].source) = sources
    operations[0].state = .dropped
    let isAlone = sources.0 == sources.1
    var history = historyPassingOver(isAlone ? [] : [1], of: operations)
    history.add(2, event: "applied", version: nil)
    #expect(
      ReplayPlan(OperationList(operations), history: history).done.map(\.outcome)
        == [.dropped, .applied])
    operations[0].state = .pending
    let plan = ReplayPlan(OperationList(operations), history: history)
    #expect(plan.held.map(\.reason) == (isAlone ? [] : [.overtaken]))
  }

  /// An insert that takes the place of what is there goes without a condition.
  @Test func insertThatReplacesIsHeldBehindALaterDevices() {
    var operations = [operation(1, .delete), operation(2, .insert), operation(3, .update)]
    for place in operations.indices { operations[place].source = place == 2 ? 2 : 1 }
    var history = ReplayHistory()
    for sequence: Int64 in 1...2 {
      history.add(sequence, event: "rejected", version: nil, status: 400)
    }
    history.add(3, event: "applied", version: nil)
    let plan = ReplayPlan(
      OperationList(operations), history: history, habits: FoldHabits(changeSources: [1]))
    #expect(plan.held.map(\.reason) == [.overtaken, .overtaken])
  }

  @Test func droppedOperationsAreTold() {
    var dropped = operation(1, .insert)
    dropped.state = .dropped
    let plan = ReplayPlan([dropped])
    #expect(Array(plan.done) == [DoneBefore(sequence: 1, outcome: .dropped)])
    #expect(plan.count == 0)
  }
}
