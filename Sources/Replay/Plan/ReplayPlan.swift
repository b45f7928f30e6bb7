package import Records

/// What is sent, in which order, and what is not and why; a decision not yet carried out.
///
/// A long plan stays small: steps are put together when they are asked for.
package struct ReplayPlan: Sendable {
  /// Operations that are not sent, in push order.
  package private(set) var held = NotedOperations(HeldBack.init(sequence:number:))
  /// Operations that an earlier run or a person has settled, in push order.
  package private(set) var done = NotedOperations(DoneBefore.init(sequence:number:))

  /// What the operations on each item come to.
  let fold: Fold
  /// The effects of which the steps are made.
  private var effects = PlaceList()
  /// The step before each on the same item, as far as there is any.
  private var predecessors = StepLinks()
  /// The steps that an earlier run sent without learning the outcome.
  private var doubtful = PlaceList()
  /// Those of them of which the server said that it took them.
  private var promised = PlaceList()
  /// Those of these that were sent once more all the same.
  private var sentAgain = PlaceList()
  /// The steps behind which an earlier run has sent a change of another device, on top of which no
  /// policy sends them.
  private var overtakenSteps = PlaceList()
  /// Operations that are held back or dropped while later devices' changes of their items may be sent,
  /// and of which no journal tells yet that they are older.
  private(set) var passedOver = OperationSequences()
  /// The operations that are held back for doubts about later ones, and the latter.
  package private(set) var doubts = PackedPairs()
  /// Whether no server reads the ids, so that any may be sent.
  private let takesAnyID: Bool
  /// For the steps that follow operations of earlier runs on their item: what these ended with.
  private var followers = PackedPairs()
  private let history: ReplayHistory?
  /// The objects to which changes point by the names that they have on their device.
  package internal(set) var pointers: LocalPointers
  /// The steps whose new objects a step points to, and the other way round.
  private var creators: [Int: [Int]] = [:]
  private var dependents: [Int: [Int]] = [:]
  /// Whether each operation is a step of its own.
  private let keepsApart: Bool
  /// The rows that would send null for a value that nobody could read.
  private let gaps: RowsWithGaps
  /// What the devices call tables and items.
  private let names: SentNames
  /// What was seen before steps were sent that are in doubt.
  private var marks: [Int: String] = [:]

  /// Decides about a queue in push order, given what earlier runs did.
  ///
  /// What SDKs do otherwise than most is told by `habits`; rows with `gaps` are not sent. The dialect
  /// and the tables are those of the server.
  package init(
    _ operations: consuming OperationList, history: ReplayHistory = ReplayHistory(),
    dialect: Dialect = .v2, tables: TableMap = TableMap(), habits: FoldHabits = FoldHabits(),
    pointers: LocalPointers = LocalPointers(), gaps: RowsWithGaps = RowsWithGaps(),
    names: SentNames = SentNames()
  ) {
    self.names = names
    self.pointers = pointers
    self.gaps = gaps
    takesAnyID = dialect == .rows
    keepsApart = habits.keepsApart
    var queue = operations
    let hasMarks = queue.contains { $0.state == .dropped }
    if hasMarks {
      queue.updateEach { _, operation in
        // No mark undoes what the target has.
        guard operation.state == .dropped, history.isThere(operation.sequence) else { return }
        operation.state = .pending
      }
    }
    let isContinued = queue.contains { $0.state.isPending && history.isDone($0.sequence) }
    // What was done is no longer part of what an item's operations come to, but is what the
    // others on the item follow.
    let before =
      isContinued ? Self.settled(before: queue, history, habits) : PackedPairs()
    let hash = { (operation: borrowing PendingOperation) -> UInt64? in
      let named = names.named(copy operation)
      guard let table = named.table, let id = named.itemID, !id.isEmpty else { return nil }
      return tables.itemHash(ofTable: table, id: id, dialect)
    }
    let overtaken = OvertakenChanges(
      in: queue, history, partial: habits.changeSources, hash: hash, dialect)
    self.history = history.isEmpty ? nil : history
    var done = done
    if isContinued || hasMarks {
      queue.updateEach { _, operation in
        guard let outcome = Self.settledOutcome(operation, history) else { return }
        done.append(operation.sequence, DoneBefore.number(of: outcome))
        if operation.state.isPending { operation.state = .completed }
      }
    }
    self.done = done
    fold = Fold(queue, habits: habits)
    var obstacles: [Int: PendingReason] = [:]
    if keepsApart {
      tie(queue, history, tables)
      obstacles = self.obstacles(queue, tables)
    }
    decide(queue, history, tables, obstacles, overtaken, before)
    if hasMarks || !held.isEmpty { passedOver = passedOver(in: queue, history, hash) }
    if keepsApart { addDependencies(queue) }
    addVersions(queue, before)
  }

  /// How many steps there are.
  package var count: Int { effects.count }

  /// One step, put together when it is asked for; nil outside the plan.
  package subscript(id: Int) -> ReplayStep? {
    guard effects.indices.contains(id) else { return nil }
    let number = effects[id]
    let known = fold.effects[number]
    let effect = names.named(known)
    guard let table = effect.table, let itemID = effect.itemID else { return nil }
    let isBranch = fold.isBranch(effect: number)
    return ReplayStep(
      id: id, effect: effect, table: table, knownTable: known.table ?? table, itemID: itemID,
      baseVersion: isBranch ? effect.baseVersion : earlierVersion(id) ?? effect.baseVersion,
      predecessor: predecessors[id], isInDoubt: doubtful.contains(id),
      isPromised: promised.contains(id), wasSentAgain: sentAgain.contains(id), mark: marks[id],
      isOvertaken: overtakenSteps.contains(id), isBranch: isBranch,
      followsDelete: !isBranch && followsDelete(id))
  }

  private func followsDelete(_ id: Int) -> Bool {
    predecessors[id].map { fold.effects.places(at: effects[$0]).kind == .delete } ?? false
  }

  /// The version after the operation of an earlier run that a step follows; nil where it follows none.
  private func earlierVersion(_ id: Int) -> String?? {
    let place = followers.firstPosition(from: id)
    guard let history, place < followers.count, followers[place].0 == id else { return nil }
    return .some(history.version(after: Int64(followers[place].1)))
  }

  /// The steps that make the objects to which one points.
  func creators(of id: Int) -> [Int] { creators[id] ?? [] }

  /// The steps that point to the object that one makes.
  func dependents(of id: Int) -> [Int] { dependents[id] ?? [] }

  /// The step before another on the same item.
  func predecessor(of id: Int) -> Int? { predecessors[id] }

  /// Whether some step updates an item for one of these sources.
  package func hasUpdates(of sources: Set<Int32>) -> Bool {
    !sources.isEmpty
      && effects.contains { number in
        fold.effects.places(at: number).kind == .update
          && sources.contains(fold.source(ofEffect: number))
      }
  }

  /// Whether the steps are those of several devices.
  var isOfSeveral: Bool { count > 1 && source(of: 0) != source(of: count - 1) }

  /// Whether no earlier run knew an operation.
  func isNew(_ sequence: Int64) -> Bool { history?.state(of: sequence) == nil }

  func beginsDevice(_ id: Int) -> Bool {
    guard id > 0, effects.indices.contains(id) else { return false }
    return source(of: id) != source(of: id - 1)
  }

  private func source(of id: Int) -> Int32 { fold.source(ofEffect: effects[id]) }

  private static func settledOutcome(
    _ operation: PendingOperation, _ history: ReplayHistory
  ) -> ReplayOutcome? {
    if operation.state == .dropped { return .dropped }
    guard operation.state.isPending,
      case .ended(let outcome)? = history.state(of: operation.sequence), outcome.isFinal
    else { return nil }
    return outcome
  }
}

extension ReplayPlan {
  /// Stands for the step of an operation that has none.
  private static let noStep: Int32 = -1

  /// Goes through the queue and makes each operation part of a step or holds it back.
  private mutating func decide(
    _ queue: OperationList, _ history: ReplayHistory, _ tables: TableMap,
    _ obstacles: [Int: PendingReason], _ overtaken: OvertakenChanges, _ earlier: PackedPairs
  ) {
    guard !fold.traits.pending.isEmpty else { return }
    var owners = [Int32](repeating: Self.noStep, count: queue.count)
    // One more than the reason why each is held back.
    var reasons = [UInt8](repeating: 0, count: queue.count)
    var effect = 0
    let traits = fold.traits.traits
    for place in queue.indices where traits[place].contains(.isPending) {
      guard traits[place].kind != nil else {
        reasons[place] = (obstacles[place] ?? .unreadable).mark
        continue
      }
      let before = fold.chains.previous[place].map { owners[$0] }
      if effect < fold.effects.count, fold.start(of: effect) == place {
        let verdict = verdict(on: effect, overtaken, queue, history, earlier)
        let obstacle =
          obstacles[place] ?? knownObstacle(of: effect, queue) ?? gap(inRowOf: effect, queue)
          ?? verdict?.reason
        if let reason = add(effect, after: before, obstacle, history, tables) {
          fold.effects.forEachPlace(fold.effects.places(from: place)) { reasons[$0] = reason.mark }
        } else {
          owners[place] = Int32(truncatingIfNeeded: count - 1)
          if verdict != nil { overtakenSteps.append(count - 1) }
        }
        effect += 1
      } else {
        owners[place] = before ?? Self.noStep
      }
    }
    for place in reasons.indices where reasons[place] > 0 {
      let sequence = queue.sequence(at: place)
      if reasons[place] == PendingReason.afterDoubt.mark,
        let later = overtaken.later(than: [place])
      {
        doubts.append(Int(sequence), Int(queue.sequence(at: later)))
      }
      // Of what nothing is sent any more, no run will know more.
      let isInDoubt =
        history.state(of: sequence) == .inDoubt && reasons[place] != PendingReason.overtaken.mark
      held.append(sequence, Int(reasons[place] - 1) << 1 | (isInDoubt ? 1 : 0))
    }
  }

  /// Why one of the operations of an effect cannot be sent, where that was known beforehand.
  private func knownObstacle(of number: Int, _ queue: OperationList) -> PendingReason? {
    guard !pointers.unsendable.isEmpty else { return nil }
    var reason: PendingReason?
    let places = fold.effects.places(at: number)
    fold.effects.forEachPlace(places) { place in
      // What was changed before a delete need not be sent.
      guard places.kind != .delete || queue[place].kind == .delete else { return }
      reason = reason ?? pointers.unsendable[queue.sequence(at: place)]
    }
    return reason
  }

  /// Whether an effect would send a row in which a value is missing, as an obstacle.
  private func gap(inRowOf number: Int, _ queue: OperationList) -> PendingReason? {
    guard !gaps.isEmpty else { return nil }
    let places = fold.effects.places(at: number)
    guard places.kind != .delete, queue[places.payload].item == nil,
      gaps.isSent(by: queue[places.row], as: places.kind)
    else { return nil }
    return .withoutValue
  }

  /// Adds a step; returns why its operations are held back instead, if they are.
  private mutating func add(
    _ number: Int, after predecessor: Int32?, _ obstacle: PendingReason?,
    _ history: ReplayHistory, _ tables: TableMap
  ) -> PendingReason? {
    let effect = names.named(fold.effects[number])
    let isBranch = fold.isBranch(effect: number)
    let predecessor = isBranch && predecessor == Self.noStep ? nil : predecessor
    let objection =
      fold.deletesBranchOnly(number)
      ? .otherBranchStays
      : obstacle
        ?? objection(to: effect, tables)
    if let reason = predecessor == Self.noStep ? .afterUnfinished : objection { return reason }
    let id = count
    if let mark = history.mark(of: effect.source) { marks[id] = mark }
    if let predecessor { predecessors[id] = Int(predecessor) }
    effects.append(number)
    if effect.sequences.contains(where: history.needsQuestion) { doubtful.append(id) }
    if effect.sequences.contains(where: history.isPromised) { promised.append(id) }
    if effect.sequences.contains(where: history.wasSentAgain) { sentAgain.append(id) }
    return nil
  }

  /// Why an effect cannot be sent as it is; nil when it can.
  func objection(to effect: Effect, _ tables: TableMap) -> PendingReason? {
    // What is known of an object of Parse goes into no header.
    let rules = RequestRules(takesAnyID: takesAnyID, hasConditions: !keepsApart)
    let isRenamed = effect.table.map { tables[$0] != nil } ?? false
    return effect.obstacle(rules, isRenamed: isRenamed).map { PendingReason($0) }
  }

  /// Finds the steps that wait for the objects that others make.
  private mutating func addDependencies(_ queue: OperationList) {
    guard !pointers.targets.isEmpty else { return }
    let makers = NewObjects(queue)
    var steps: [Int: Int] = [:]
    for (id, effect) in effects.enumerated() { steps[fold.start(of: effect)] = id }
    for (id, effect) in effects.enumerated() {
      let operation = queue[fold.start(of: effect)]
      for name in unknownTargets(of: operation) {
        guard let maker = makers.place(of: name, operation.source).flatMap({ steps[$0] })
        else { continue }
        creators[id, default: []].append(maker)
        dependents[maker, default: []].append(id)
      }
    }
  }

  /// Finds the versions that earlier runs left behind.
  private mutating func addVersions(_ queue: OperationList, _ before: PackedPairs) {
    guard before.count > 0 else { return }
    for (id, effect) in effects.enumerated() {
      let start = fold.start(of: effect)
      let place = before.firstPosition(from: start)
      guard place < before.count, before[place].0 == start else { continue }
      followers.append(id, Int(queue.sequence(at: before[place].1)))
    }
  }

  /// Which step leads to which; where none does, no memory is taken.
  fileprivate struct StepLinks: Sendable {
    private var links: [Int32] = []

    subscript(id: Int) -> Int? {
      get { links.indices.contains(id) && links[id] >= 0 ? Int(links[id]) : nil }
      set {
        while links.count <= id { links.append(-1) }
        links[id] = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1
      }
    }
  }
}

extension PendingReason {
  /// One more than its place among all.
  fileprivate var mark: UInt8 {
    UInt8(truncatingIfNeeded: (Self.allCases.firstIndex(of: self) ?? 0) + 1)
  }
}

extension HeldBack {
  /// One whose reason has a place among all, behind a bit for a doubt.
  fileprivate init(sequence: Int64, number: Int) {
    self.init(
      sequence: sequence, reason: PendingReason.allCases[number >> 1], isInDoubt: number & 1 == 1)
  }
}

extension DoneBefore {
  /// One whose outcome has a place among all.
  fileprivate init(sequence: Int64, number: Int) {
    self.init(sequence: sequence, outcome: ReplayOutcome.allCases[number])
  }

  fileprivate static func number(of outcome: ReplayOutcome) -> Int {
    ReplayOutcome.allCases.firstIndex(of: outcome) ?? 0
  }
}

extension PendingReason {
  /// Why an effect cannot be sent as it is.
  fileprivate init(_ obstacle: SendObstacle) {
    self =
      switch obstacle {
      case .besideUnreadable: .besideUnreadable
      case .withoutTable: .withoutTable
      case .withoutItem: .withoutItem
      case .withoutRow: .withoutRow
      case .notSendable: .notSendable
      }
  }
}
