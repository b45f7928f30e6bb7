import Bytes
import Records

/// What became of a change at targets, in sentences; all operations of a long chain mostly come to the
/// same.
package struct ChangeOutcomes {
  /// What is told, each outcome once.
  package private(set) var shown: [(sentence: String, isRehearsal: Bool)] = []
  /// How many outcomes there are besides, in words; nil where there are none.
  package private(set) var rest: String?

  fileprivate init(of change: Change, in queue: Queue) {
    var kinds: [Kind] = []
    var all: [Kind: Group] = [:]
    for delivery in change.sequences.lazy.flatMap({ queue.deliveries[$0] }) {
      let kind = Kind(delivery)
      if all[kind] == nil { kinds.append(kind) }
      all[kind, default: Group(last: delivery)].add(delivery)
    }
    shown = kinds.prefix(Change.mostShown).compactMap { all[$0] }.map {
      ($0.sentence, $0.last.isRehearsal)
    }
    let unshown = kinds.count - shown.count
    if unshown > 0 {
      rest = "and \(unshown.counted("other outcome", "other outcomes")), which --json tells"
    }
  }

  /// What one outcome has in common, whenever it was.
  private struct Kind: Hashable {
    let target: String
    let outcome: ReplayOutcome
    let status: Int64?
    let detail: String?

    init(_ delivery: Delivery) {
      (target, outcome) = (delivery.target, delivery.outcome)
      (status, detail) = (delivery.status, delivery.detail)
    }
  }

  private struct Group {
    var last: Delivery
    private var count = 0
    private var isOfOneTime = true

    init(last: Delivery) { self.last = last }

    mutating func add(_ delivery: Delivery) {
      count += 1
      if delivery.time != last.time { isOfOneTime = false }
      if delivery.time > last.time { last = delivery }
    }

    var sentence: String {
      guard count > 1 else { return last.sentence }
      let words = isOfOneTime ? "for \(count.grouped)" : "the last of \(count.grouped)"
      return last.sentence + " (\(words) operations)"
    }
  }
}

extension StoreAudit {
  /// What became of a change at targets.
  package func outcomes(of change: Change) -> ChangeOutcomes {
    ChangeOutcomes(of: change, in: queue)
  }
}
