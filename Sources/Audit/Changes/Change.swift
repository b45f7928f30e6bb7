package import Records
import SyncSDKs

/// What the operations on one item come to, or one operation that comes to nothing any more.
package struct Change: Sendable {
  /// What can still become of it.
  let fate: ChangeFate
  /// The first of its operations.
  package let first: PendingOperation
  /// The numbers of all of them, in push order; an item may have more than memory should hold.
  package let sequences: OperationSequences
  /// What they come to; nil for an operation that is settled or cannot be read.
  package let effect: Effect?
  /// The failures that were noted about its operations, as places in the queue's list.
  package let errors: [Int]

  /// The table, as its first operation names it.
  package var table: String? { first.table }
  /// The item's id likewise.
  package var itemID: String? { first.itemID }
  /// What is to be done; nil when that cannot be read.
  package var kind: OperationKind? { effect?.kind ?? first.kind }
  /// The number of its first operation, which names it.
  var sequence: Int64 { first.sequence }
  /// The numbers of as many operations as people are told of one by one.
  package var shownSequences: [Int64] { Array(sequences.prefix(Self.mostShown)) }
  /// How many operations there are besides.
  package var unshownCount: Int { max(0, sequences.count - Self.mostShown) }

  /// How much of a kind people are told of one by one.
  static let mostShown = 20
}

/// The changes of a store, those that need a person first.
///
/// Each is put together when it is asked for, so that a long queue is never held twice.
package struct ChangeList: RandomAccessCollection, Sendable {
  /// Some changes with one fate: effects, or operations for which no effect stands.
  private struct Part {
    let fate: ChangeFate
    var effects = PlaceList()
    var operations = PlaceList()

    var count: Int { effects.count + operations.count }
  }

  /// One for each fate, in their order.
  private let parts: [Part]
  private let judge: ChangeJudge
  /// How many changes have each fate.
  package let counts: FateCounts

  /// Sorts the changes of an audit; takes time in proportion to their number.
  init(_ audit: StoreAudit) {
    let judge = ChangeJudge(audit)
    var parts = ChangeFate.allCases.map { Part(fate: $0) }
    let effects = audit.effects
    for start in effects.starts {
      let places = effects.places(from: start)
      parts[Int(judge.fate(of: places).rawValue)].effects.append(start)
    }
    for (place, traits) in judge.traits.enumerated() {
      if !traits.contains(.isPending) {
        parts[Int(ChangeFate.settled.rawValue)].operations.append(place)
      } else if traits.kind == nil, !effects.hasEffect(besideUndecoded: place) {
        parts[Int(ChangeFate.lost.rawValue)].operations.append(place)
      }
    }
    var counts = FateCounts()
    for part in parts { counts[part.fate] = part.count }
    self.parts = parts
    self.counts = counts
    self.judge = judge
  }

  /// Where the first change is.
  package var startIndex: Int { 0 }
  /// How many changes there are.
  package var endIndex: Int { counts.total }

  /// One change.
  package subscript(position: Int) -> Change {
    var inside = position
    var number = 0
    while inside >= parts[number].count {
      inside -= parts[number].count
      number += 1
    }
    let part = parts[number]
    guard inside >= part.effects.count else {
      return judge.change(ofEffectFrom: part.effects[inside], part.fate)
    }
    return judge.change(
      ofOperation: part.operations[inside - part.effects.count], part.fate)
  }

  /// The changes with one fate.
  package func range(of fate: ChangeFate) -> Range<Int> {
    let start = ChangeFate.allCases.prefix { $0 != fate }.reduce(0) { $0 + counts[$1] }
    return start..<start + counts[fate]
  }
}

/// Tells what can still become of changes; shared, since each of them asks for it.
private final class ChangeJudge: Sendable {
  private let audit: StoreAudit
  private let effects: Fold.Effects
  /// What is known of each operation.
  let traits: [OperationTraits]
  private let errors: ErrorPlaces

  init(_ audit: StoreAudit) {
    self.audit = audit
    effects = audit.effects
    traits = effects.traits.traits
    errors = ErrorPlaces(in: audit.queue.errors)
  }

  func change(ofEffectFrom start: Int, _ fate: ChangeFate) -> Change {
    let places = effects.places(from: start)
    let effect = effects.effect(places)
    var sequences = effect.sequences
    if effects.areBesideUndecoded(places) {
      var all = Array(sequences)
      effects.forEachUndecoded(places) { all.append($0) }
      sequences = OperationSequences(all.sorted())
    }
    return Change(
      fate: fate, first: sequences.first.flatMap(audit.operation) ?? PendingOperation(),
      sequences: sequences, effect: effect, errors: sequences.flatMap { errors[$0] })
  }

  func change(ofOperation number: Int, _ fate: ChangeFate) -> Change {
    let operation = audit.queue.operations[number]
    return Change(
      fate: fate, first: operation, sequences: [operation.sequence], effect: nil,
      errors: Array(errors[operation.sequence]))
  }

  func fate(of places: EffectPlaces) -> ChangeFate {
    if audit.isUnsendable(places) || audit.blocked.contains(places.first) { return .lost }
    if effects.followsOddly(places) { return .decide }
    if errors.isEmpty, audit.queue.deliveries.isEmpty, !audit.asksFirst { return .ready }
    var isOpen = false
    effects.forEachSequence(places) { isOpen = isOpen || needsDecision($0) }
    return isOpen ? .decide : .ready
  }

  /// Whether a failure, a replay or a finding has left an operation to a person.
  private func needsDecision(_ sequence: Int64) -> Bool {
    if audit.asksFirst(of: sequence) { return true }
    if let delivery = audit.queue.deliveries.latest(of: sequence) {
      if delivery.outcome == .conflict || delivery.outcome == .rejected { return true }
    }
    return errors[sequence].contains { place in
      let assessment = audit.assessments[place]
      guard assessment.bond == .current else { return false }
      switch assessment.cause {
      case .conflict: return !audit.serverCopy(audit.queue.errors[place]).isAsWanted
      case .rejected: return true
      case .transient, .answered, .unknown: return false
      }
    }
  }
}

extension StoreAudit {
  /// The operation with a number.
  package func operation(_ sequence: Int64) -> PendingOperation? {
    queue.operations.anyPlace(numbered: sequence).map { queue.operations[$0] }
  }

  /// What the device has of a change: what it would send, or else what its last operation is about.
  package func item(of change: Change) -> [UInt8]? {
    change.effect.flatMap { item(of: $0) }
      ?? change.sequences.last.flatMap(operation).flatMap { item(of: $0) }
  }

  /// Whether an effect can never be sent for its own sake: the same as asking it for the reason,
  /// without putting it together.
  func isUnsendable(_ places: EffectPlaces) -> Bool {
    let first = effects.traits(ofOperation: places.first)
    guard first.contains(.namesTable), !first.contains(.hasEmptyTable), first.contains(.namesItem)
    else { return true }
    if places.kind != .delete, !effects.traits(ofOperation: places.row).contains(.hasRow),
      !effects.traits(ofOperation: places.payload).contains(.hasItem)
    {
      return true
    }
    if effects.areBesideUndecoded(places) || isHeldBack(places) { return true }
    if !effects.areSendable(places, operationSDKs[places.first].requestRules) { return true }
    return !gaps.isEmpty && gaps.isSent(places, of: queue.operations)
  }

  /// Whether one of its operations cannot be read, or is none that its service takes.
  private func isHeldBack(_ places: EffectPlaces) -> Bool {
    guard !unreadable.isEmpty || !unsent.isEmpty else { return false }
    var isHeldBack = false
    effects.forEachSequence(places) { sequence in
      isHeldBack = isHeldBack || unreadable.contains(sequence) || unsent[sequence] != nil
    }
    return isHeldBack
  }

  /// Why an effect can never be sent as it is, in words for people; nil when it can.
  package func reasonNotToSend(_ effect: Effect) -> String? {
    if let obstacle = effect.obstacle(sdks[effect.device].requestRules) { return obstacle.words }
    if effect.sequences.contains(where: unreadable.contains) {
      return "the payload of one of its operations cannot be read"
    }
    if let reason = effect.sequences.lazy.compactMap({ unsent[$0] }).first {
      return reason.words
    }
    if !gaps.isEmpty, effect.kind != .delete,
      let operation = queue.operations.firstOperation(numbered: effect.sent),
      gaps.isSent(by: operation, as: effect.kind)
    {
      return
        "a value of the row that it would send could not be taken over, and null would be sent "
        + "instead" + (effect.kind == .update ? ", or no condition for want of its version" : "")
    }
    return effect.sequences.first.flatMap { first in
      blocked.reason(ofChangeAt: queue.operations.firstPlace { $0.sequence >= first })
    }
  }

  /// What people can still do about each change, those that need a person first.
  package var changes: ChangeList { ChangeList(self) }
}

extension SDKTraits {
  /// What can stand in the requests of a replay; a service that speaks something else is sent none.
  fileprivate var requestRules: RequestRules {
    RequestRules(takesAnyID: service != nil, hasConditions: dialect != .parse)
  }
}
