package import Bytes

/// What replays of a canonical store have done with its operations, target by target.
///
/// The last entry of a journal about an operation and a target counts. Queues are long, so of each
/// there is one small record, and most need no text.
package struct Deliveries: Sendable, Equatable {
  private struct Record: Sendable, Equatable {
    let sequence: Int64
    let target: Int32
    let outcome: ReplayOutcome
    let status: Int32?
    let time: Timestamp
    let detail: Int32?
  }

  /// The targets, in the order in which they came up.
  package private(set) var targets: [String] = []
  /// The target to which operations went last.
  package private(set) var latestTarget: String?
  private var records: [Record] = []
  private var details: [String] = []
  private var newest = Int64.min

  /// No journal.
  package init() {}

  /// Whether nothing was ever replayed.
  package var isEmpty: Bool { records.isEmpty }

  /// Adds what became of an operation; the operations come in order, and `entry` tells which entry
  /// of the journal is the later one.
  package mutating func add(_ delivery: Delivery, of sequence: Int64, entry: Int64) {
    let place = targets.firstIndex(of: delivery.target) ?? targets.count
    if place == targets.count { targets.append(delivery.target) }
    if entry >= newest { (newest, latestTarget) = (entry, delivery.target) }
    if let detail = delivery.detail, details.last != detail { details.append(detail) }
    records.append(
      Record(
        sequence: sequence, target: Int32(truncatingIfNeeded: place), outcome: delivery.outcome,
        status: delivery.status.map(Int32.init(clamping:)), time: delivery.time,
        detail: delivery.detail.map { _ in Int32(truncatingIfNeeded: details.count - 1) }))
  }

  /// What became of an operation, target by target.
  package subscript(sequence: Int64) -> [Delivery] {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = low + (high - low) / 2
      if records[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return records[low...].prefix { $0.sequence == sequence }.map(delivery)
  }

  /// What became of an operation at the latest target; nil where it never went there.
  package func latest(of sequence: Int64) -> Delivery? {
    isEmpty ? nil : self[sequence].first { $0.target == latestTarget }
  }

  /// How many operations have each outcome at a target, and when the last of them had it.
  package func summary(
    of target: String
  ) -> (counts: [ReplayOutcome: Int], last: Timestamp?) {
    guard let place = targets.firstIndex(of: target) else { return ([:], nil) }
    var counts: [ReplayOutcome: Int] = [:]
    var last: Timestamp?
    for record in records where record.target == Int32(truncatingIfNeeded: place) {
      counts[record.outcome, default: 0] += 1
      last = max(last ?? record.time, record.time)
    }
    return (counts, last)
  }

  private func delivery(_ record: Record) -> Delivery {
    Delivery(
      target: targets[Int(record.target)], outcome: record.outcome, time: record.time,
      status: record.status.map(Int64.init), detail: record.detail.map { details[Int($0)] })
  }
}

extension Queue {
  /// The queue as the latest target has left it: what is done there no longer waits.
  package consuming func afterReplay() -> Queue {
    guard !deliveries.isEmpty else { return self }
    let deliveries = deliveries
    operations.updateEach { _, operation in
      guard operation.state.isPending,
        let delivery = deliveries.latest(of: operation.sequence)
      else { return }
      switch delivery.outcome {
      case .applied, .alreadyApplied: operation.state = .completed
      case .dropped: operation.state = .dropped
      case .conflict, .rejected: operation.state = .failed
      case .inDoubt: operation.state = .attempted
      case .pending: break
      }
    }
    return self
  }
}
