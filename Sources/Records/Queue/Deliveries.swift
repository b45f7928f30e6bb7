package import Bytes

/// What replays of a canonical store have done with its operations, target by target.
///
/// The last entry of a journal about an operation and a target counts. Queues are long, so each
/// entry takes a few bytes.
package struct Deliveries: Sendable {
  /// What most entries share with others.
  private struct Shape: Hashable {
    let target: Int
    let outcome: ReplayOutcome
    let status: Int64?
    let device: Int32
  }

  /// The targets, in the order in which they came up.
  package private(set) var targets: [String] = []
  private var latestServers = LatestServers()
  private var targetNumbers: [ExactText: Int] = [:]
  private var shapes: [Shape] = []
  private var shapeNumbers: [Shape: Int] = [:]
  /// The `sequence` and the shape of each entry.
  private var entries = PackedPairs()
  /// When each was written down: milliseconds, and what comes on top of them.
  private var times = PackedPairs()
  /// Which entries have words, and which.
  private var details = PackedPairs()
  private var words = RepeatedTexts()

  /// No journal.
  package init() {}

  /// Whether nothing was ever replayed.
  package var isEmpty: Bool { entries.count == 0 }

  /// The servers to which operations went last, device by device; what was only rehearsed has
  /// reached none.
  package var latestTargets: [String] { latestServers.all.sorted().map { targets[$0] } }

  /// Adds what became of an operation of a device; the operations come in order, and `entry` tells
  /// which entry of the journal is the later one.
  package mutating func add(
    _ delivery: Delivery, of sequence: Int64, device: Int32 = 0, entry: Int64
  ) {
    let target = targetNumbers[ExactText(delivery.target)] ?? targets.count
    if target == targets.count {
      targets.append(delivery.target)
      targetNumbers[ExactText(delivery.target)] = target
    }
    if !delivery.isRehearsal {
      latestServers.add(target, of: device, line: entry, at: delivery.time)
    }
    if let detail = delivery.detail { details.append(entries.count, words.add(detail)) }
    let shape = Shape(
      target: target, outcome: delivery.outcome, status: delivery.status, device: device)
    let number = shapeNumbers[shape] ?? shapes.count
    if number == shapes.count {
      shapes.append(shape)
      shapeNumbers[shape] = number
    }
    entries.append(Int(sequence), number)
    let nanoseconds = Int(delivery.time.nanoseconds)
    times.append(
      Int(delivery.time.secondsSince1970) * 1000 + nanoseconds / 1_000_000,
      nanoseconds % 1_000_000)
  }

  /// The same of operations whose numbers have changed, but not their order; what has none is left
  /// out.
  package func renumbered(_ number: (Int64) -> Int64?) -> Deliveries {
    var new = Deliveries()
    for entry in 0..<entries.count {
      let (sequence, shape) = entries[entry]
      guard let own = number(Int64(sequence)) else { continue }
      let shared = shapes[shape]
      new.add(delivery(entry, shared), of: own, device: shared.device, entry: 0)
    }
    new.latestServers = latestServers.renumbered { new.targetNumbers[ExactText(targets[$0])] }
    return new
  }

  /// What became of an operation, target by target.
  package subscript(sequence: Int64) -> [Delivery] {
    var found: [Delivery] = []
    forEachEntry(of: sequence) { found.append(delivery($0, $1)) }
    return found
  }

  /// Finds the latest server of each device, after everything was added.
  package mutating func settle() { latestServers.settle() }

  /// What became of an operation at the latest server of its device; nil where it never went there.
  package func latest(of sequence: Int64) -> Delivery? {
    var found: Delivery?
    forEachEntry(of: sequence) { entry, shape in
      if found == nil, latestServers[shape.device] == shape.target {
        found = delivery(entry, shape)
      }
    }
    return found
  }

  private func forEachEntry(of sequence: Int64, _ body: (Int, Shape) -> Void) {
    entries.forEachSecond(of: Int(sequence)) { shape, entry in body(entry, shapes[shape]) }
  }

  /// What became of the operations at one target.
  package struct Summary: Sendable {
    /// The target.
    package let target: String
    /// How many operations have each outcome there.
    package fileprivate(set) var counts: [ReplayOutcome: Int] = [:]
    /// When the last of them had it.
    package fileprivate(set) var last: Timestamp?

    /// Whether it is a canonical store, so that no server has seen them.
    package var isRehearsal: Bool { target.hasPrefix(Delivery.storeMark) }
  }

  /// What became of the operations, target by target, found in one pass.
  package var summaries: [Summary] {
    var summaries = targets.map { Summary(target: $0) }
    for ((_, number), time) in zip(entries, times) {
      let shape = shapes[number]
      let time = Self.time(time)
      summaries[shape.target].counts[shape.outcome, default: 0] += 1
      summaries[shape.target].last = max(summaries[shape.target].last ?? time, time)
    }
    return summaries
  }

  private func delivery(_ entry: Int, _ shape: Shape) -> Delivery {
    Delivery(
      target: targets[shape.target], outcome: shape.outcome, time: Self.time(times[entry]),
      status: shape.status, detail: details.last(of: entry).map { words[$0] })
  }

  private static func time(_ packed: (milliseconds: Int, rest: Int)) -> Timestamp {
    let (milliseconds, rest) = packed
    let (seconds, part) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    // Before 1970 the part of a second comes on top of one that is lower.
    let isLower = part < 0
    return Timestamp(
      wholeSecondsSince1970: Int64(isLower ? seconds - 1 : seconds),
      nanoseconds: Int32((isLower ? part + 1000 : part) * 1_000_000 + rest)) ?? .epoch
  }
}

extension Deliveries: Equatable {
  /// Whether the same became of the same operations.
  package static func == (left: Deliveries, right: Deliveries) -> Bool {
    guard left.targets == right.targets, left.latestServers == right.latestServers,
      left.entries.count == right.entries.count
    else { return false }
    return (0..<left.entries.count).allSatisfy { entry in
      let (mine, other) = (left.entries[entry], right.entries[entry])
      return mine.0 == other.0
        && left.delivery(entry, left.shapes[mine.1]) == right.delivery(entry, right.shapes[other.1])
    }
  }
}

extension Queue {
  /// The queue as the latest server of each device has left it: what is done there no longer waits.
  package consuming func afterReplay() -> Queue {
    guard !deliveries.isEmpty else { return self }
    let deliveries = deliveries
    operations.updateEach { _, operation in
      guard operation.state != .completed,
        let delivery = deliveries.latest(of: operation.sequence)
      else { return }
      switch delivery.outcome {
      // No mark undoes what a server has.
      case .applied, .alreadyApplied: operation.state = .completed
      case _ where !operation.state.isPending: break
      case .dropped: operation.state = .dropped
      case .conflict, .rejected: operation.state = .failed
      case .inDoubt: operation.state = .attempted
      case .pending: break
      }
    }
    return self
  }
}
