import Bytes
import Records

/// What a plan knows of the objects of Parse that have no id of the server's yet.
extension ReplayPlan {
  /// Ties the object that an earlier run made to the id that the server gave it.
  mutating func tie(
    _ queue: OperationList, _ history: ReplayHistory, _ tables: TableMap
  ) {
    for operation in queue where operation.kind == .insert && !operation.state.isPending {
      guard case .ended(let outcome)? = history.state(of: operation.sequence),
        outcome == .applied || outcome == .alreadyApplied,
        let name = operation.itemID, let table = operation.table,
        let version = history.version(after: operation.sequence).flatMap({ ParseVersion($0) })
      else { continue }
      pointers.tie(name, className: tables.name(of: table), objectID: version.objectID)
    }
  }

  /// Why operations cannot be sent, by their places.
  ///
  /// What points to a new object waits for it. Where nothing makes that object, or making it waits
  /// for the other way round, neither can be sent, as the SDK would not send them.
  func obstacles(_ queue: OperationList, _ tables: TableMap) -> [Int: PendingReason] {
    var obstacles: [Int: PendingReason] = [:]
    for (number, effect) in fold.effects.enumerated() {
      obstacles[fold.start(of: number)] = objection(to: effect, tables)
    }
    for place in queue.indices where queue[place].state.isPending {
      if let reason = obstacle(to: place, queue) { obstacles[place] = reason }
    }
    guard !pointers.targets.isEmpty else { return obstacles }
    let makers = NewObjects(queue)
    // Each operation counts those for which it waits; what never comes to zero waits for what is
    // not sent, or for itself.
    var open: [Int: Int] = [:]
    var waiting: [Int: [Int]] = [:]
    var ready: [Int] = []
    for place in queue.indices where queue[place].state.isPending && obstacles[place] == nil {
      let names = unknownTargets(of: queue[place])
      let before = names.compactMap { makers.place(of: $0, queue[place].source) }
      guard before.count == names.count else {
        obstacles[place] = .withoutTarget
        continue
      }
      let all = before + [fold.chains.previous[place]].compactMap(\.self)
      for other in all { waiting[other, default: []].append(place) }
      if all.isEmpty { ready.append(place) } else { open[place] = all.count }
    }
    while let place = ready.popLast() {
      for next in waiting.removeValue(forKey: place) ?? [] {
        guard let count = open[next] else { continue }
        open[next] = count > 1 ? count - 1 : nil
        if count == 1 { ready.append(next) }
      }
    }
    for place in open.keys { obstacles[place] = .withoutTarget }
    return obstacles
  }

  private func obstacle(to place: Int, _ queue: OperationList) -> PendingReason? {
    let operation = queue[place]
    if let reason = pointers.unsendable[operation.sequence] { return reason }
    guard let kind = operation.kind, kind != .insert, operation.baseVersion == nil,
      fold.chains.previous[place] == nil
    else { return nil }
    return operation.itemID.map(pointers.isKnown) == true ? nil : .withoutObject
  }

  /// The objects to which an operation points and of which the server's ids are not known.
  func unknownTargets(of operation: PendingOperation) -> [String] {
    (pointers.targets[operation.sequence] ?? []).filter { !pointers.isKnown($0) }
  }
}

/// Where in a queue new objects are made, by their names on their devices.
struct NewObjects {
  private struct Key: Hashable {
    @ExactText var name: String
    let source: Int32
  }

  private var places: [Key: Int] = [:]

  /// Looks through a queue.
  init(_ queue: OperationList) {
    for place in queue.indices where queue[place].state.isPending && queue[place].kind == .insert {
      guard let name = queue[place].itemID else { continue }
      let key = Key(name: name, source: queue[place].source)
      if places[key] == nil { places[key] = place }
    }
  }

  /// Where an object of a device is made; nil where nothing makes it.
  func place(of name: String, _ source: Int32) -> Int? { places[Key(name: name, source: source)] }
}
