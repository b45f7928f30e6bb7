package import Records

/// What is sent, in which order, and what is not and why; a decision not yet carried out.
///
/// A long plan stays small: steps are put together when they are asked for.
package struct ReplayPlan: Sendable {
  /// Operations that are not sent, in push order.
  package private(set) var held: [HeldBack] = []
  /// Operations that an earlier run or a person has settled, in push order.
  package private(set) var done: [DoneBefore] = []

  /// What a step is made of.
  private struct Seed: Sendable {
    let effect: Int32
    let predecessor: Int32
    let isInDoubt: Bool
  }

  /// What the operations on each item come to.
  let fold: Fold
  private var seeds: [Seed] = []
  private var successors: [Int: Int] = [:]
  /// Whether no server reads the ids, so that any may be sent.
  private let takesAnyID: Bool
  /// Versions after operations of earlier runs, for the steps that follow them on their item.
  private var earlierVersions: [Int: String?] = [:]
  /// The objects to which changes point by the names that they have on their device.
  package internal(set) var pointers: LocalPointers
  /// The steps whose new objects a step points to, and the other way round.
  private var creators: [Int: [Int]] = [:]
  private var dependents: [Int: [Int]] = [:]
  /// Whether each operation is a step of its own.
  private let keepsApart: Bool
  /// What was seen before steps were sent that are in doubt.
  private var marks: [Int: String] = [:]

  /// Decides about a queue in push order, given what earlier runs did.
  ///
  /// What SDKs do otherwise than most is told by `habits`; a rehearsal may take any id.
  package init(
    _ operations: consuming OperationList, history: ReplayHistory = ReplayHistory(),
    tables: TableMap = TableMap(), habits: FoldHabits = FoldHabits(),
    pointers: LocalPointers = LocalPointers(), takesAnyID: Bool = false
  ) {
    self.pointers = pointers
    self.takesAnyID = takesAnyID
    keepsApart = habits.keepsApart
    var queue = operations
    let isContinued = queue.contains { $0.state.isPending && history.isDone($0.sequence) }
    // What was done is no longer part of what an item's operations come to, but is what the
    // others on the item follow.
    let before = isContinued ? ItemChains(queue, exactSources: habits.exactSources) : nil
    var done: [DoneBefore] = []
    if isContinued || queue.contains(where: { $0.state == .dropped }) {
      queue.updateEach { _, operation in
        guard let outcome = Self.settledOutcome(operation, history) else { return }
        done.append(DoneBefore(sequence: operation.sequence, outcome: outcome))
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
    decide(queue, history, tables, obstacles)
    if keepsApart { addDependencies(queue) }
    if let before { addVersions(queue, before, history) }
  }

  /// How many steps there are.
  package var count: Int { seeds.count }

  /// One step, put together when it is asked for; nil outside the plan.
  package subscript(id: Int) -> ReplayStep? {
    guard seeds.indices.contains(id) else { return nil }
    let seed = seeds[id]
    let effect = fold.effects[Int(seed.effect)]
    guard let table = effect.table, let itemID = effect.itemID else { return nil }
    let isBranch = fold.isBranch(effect: Int(seed.effect))
    return ReplayStep(
      id: id, effect: effect, table: table, itemID: itemID,
      baseVersion: isBranch ? effect.baseVersion : earlierVersions[id] ?? effect.baseVersion,
      predecessor: seed.predecessor < 0 ? nil : Int(seed.predecessor), isInDoubt: seed.isInDoubt,
      mark: marks[id], isBranch: isBranch)
  }

  /// The steps that make the objects to which one points.
  func creators(of id: Int) -> [Int] { creators[id] ?? [] }

  /// The steps that point to the object that one makes.
  func dependents(of id: Int) -> [Int] { dependents[id] ?? [] }

  /// The step before another on the same item.
  func predecessor(of id: Int) -> Int? {
    guard seeds.indices.contains(id), seeds[id].predecessor >= 0 else { return nil }
    return Int(seeds[id].predecessor)
  }

  /// Whether a step is of another device than the one before it in the plan.
  func beginsDevice(_ id: Int) -> Bool {
    guard id > 0, seeds.indices.contains(id) else { return false }
    return source(of: id) != source(of: id - 1)
  }

  private func source(of id: Int) -> Int32 { fold.source(ofEffect: Int(seeds[id].effect)) }

  /// The step after another on the same item.
  func successor(of id: Int) -> Int? { successors[id] }

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
    _ obstacles: [Int: PendingReason]
  ) {
    var owners = [Int32](repeating: Self.noStep, count: queue.count)
    var effect = 0
    for place in queue.indices where queue[place].state.isPending {
      guard queue[place].kind != nil else {
        hold([queue[place].sequence], obstacles[place] ?? .unreadable, history)
        continue
      }
      let before = fold.chains.previous[place].map { owners[$0] }
      if effect < fold.effects.count, fold.start(of: effect) == place {
        owners[place] = add(effect, after: before, obstacles[place], history, tables)
        effect += 1
      } else {
        owners[place] = before ?? Self.noStep
      }
    }
    held.sort { $0.sequence < $1.sequence }
  }

  /// Adds a step, or holds its operations back; returns the step's number, or that there is none.
  private mutating func add(
    _ number: Int, after predecessor: Int32?, _ obstacle: PendingReason?,
    _ history: ReplayHistory, _ tables: TableMap
  ) -> Int32 {
    let effect = fold.effects[number]
    let isBranch = fold.isBranch(effect: number)
    let predecessor = isBranch && predecessor == Self.noStep ? nil : predecessor
    let objection =
      fold.deletesBranchOnly(number)
      ? .otherBranchStays
      : obstacle
        ?? effect.objection(tables, takesAnyID: takesAnyID, hasConditions: !keepsApart)
    let reason = predecessor == Self.noStep ? .afterUnfinished : objection
    if let reason {
      hold(effect.sequences, reason, history)
      return Self.noStep
    }
    let id = seeds.count
    marks[id] = history.mark(of: effect.source)
    if let predecessor { successors[Int(predecessor)] = id }
    seeds.append(
      Seed(
        effect: Int32(truncatingIfNeeded: number), predecessor: predecessor ?? Self.noStep,
        isInDoubt: effect.sequences.contains { history.needsQuestion($0) }))
    return Int32(truncatingIfNeeded: id)
  }

  private mutating func hold(
    _ sequences: [Int64], _ reason: PendingReason, _ history: ReplayHistory
  ) {
    for sequence in sequences {
      let isInDoubt = history.state(of: sequence) == .inDoubt
      held.append(HeldBack(sequence: sequence, reason: reason, isInDoubt: isInDoubt))
    }
  }

  /// Finds the steps that wait for the objects that others make.
  private mutating func addDependencies(_ queue: OperationList) {
    guard !pointers.targets.isEmpty else { return }
    let makers = NewObjects(queue)
    var steps: [Int: Int] = [:]
    for (id, seed) in seeds.enumerated() { steps[fold.start(of: Int(seed.effect))] = id }
    for (id, seed) in seeds.enumerated() {
      let operation = queue[fold.start(of: Int(seed.effect))]
      for name in unknownTargets(of: operation) {
        guard let maker = makers.place(of: name, operation.source).flatMap({ steps[$0] })
        else { continue }
        creators[id, default: []].append(maker)
        dependents[maker, default: []].append(id)
      }
    }
  }

  /// Finds the versions that earlier runs left behind.
  private mutating func addVersions(
    _ queue: OperationList, _ before: ItemChains, _ history: ReplayHistory
  ) {
    for (id, seed) in seeds.enumerated() {
      guard let place = before.previous[fold.start(of: Int(seed.effect))],
        case .ended(let outcome)? = history.state(of: queue[place].sequence),
        // What was given up says nothing about the item that the server kept.
        outcome == .applied || outcome == .alreadyApplied
      else { continue }
      earlierVersions[id] = .some(history.version(after: queue[place].sequence))
    }
  }
}

extension Effect {
  /// Why it cannot be sent; nil when it can.
  ///
  /// What is known of an object of Parse goes into no header.
  func objection(
    _ tables: TableMap, takesAnyID: Bool, hasConditions: Bool
  ) -> PendingReason? {
    guard undecoded.isEmpty else { return .besideUnreadable }
    guard let table, !table.isEmpty else { return .withoutTable }
    guard let itemID, !itemID.isEmpty else { return .withoutItem }
    guard kind == .delete || item != nil || rowKey != nil else { return .withoutRow }
    guard takesAnyID || isPathSegment(itemID), tables[table] != nil || isPathSegment(table),
      !hasConditions || baseVersion.map(isHeaderText) ?? true
    else { return .notSendable }
    return nil
  }
}
