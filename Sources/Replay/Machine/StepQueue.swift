import Bytes
import Records

/// Which steps have had their turn, and which is next.
///
/// Steps begin in the order of the plan; one that follows another on its item waits for that, and
/// the first step of a device for the last of the device before.
struct StepQueue: Sendable {
  enum State: UInt8, Sendable {
    case waiting
    case begun
    case final
    case unfinished
  }

  private let plan: ReplayPlan
  private var states: [State]
  private var cursor = 0
  private var ended = 0
  /// Steps that were passed over and now may have their turn, the last one first.
  private var ready: [Int] = []
  /// Steps that wait for another one, by its id, although it is not on the item that they name.
  private var postponed: [Int: [Int]] = [:]
  private var followed: FollowedSteps
  private var versionTexts = ByteSpool(memoryLimit: 64 << 10)

  init(_ plan: ReplayPlan) {
    self.plan = plan
    states = [State](repeating: .waiting, count: plan.count)
    followed = FollowedSteps(plan)
  }

  /// Whether no step is left that could begin now.
  var isEmpty: Bool { ready.isEmpty && cursor == states.count }

  /// Begins the next step whose predecessor has ended; nil when there is none now.
  mutating func begin() -> Int? {
    if let id = ready.popLast() {
      states[id] = .begun
      return id
    }
    while cursor < states.count {
      let id = cursor
      // What one device leaves on the server is what the next one meets.
      if ended < id, plan.beginsDevice(id) { return nil }
      cursor += 1
      if isWaiting(id) { continue }
      states[id] = .begun
      return id
    }
    return nil
  }

  /// Takes back a step that was begun, until another one has ended.
  mutating func postpone(_ id: Int, behind other: Int) {
    states[id] = .waiting
    postponed[other, default: []].append(id)
  }

  /// Begins, only to be told off, some step that has not begun; nil when there is none.
  mutating func drain(from place: inout Int) -> Int? {
    while place < states.count {
      defer { place += 1 }
      if states[place] == .waiting {
        states[place] = .begun
        return place
      }
    }
    return nil
  }

  /// Whether some step must end before another one begins.
  private func isWaiting(_ id: Int) -> Bool {
    plan.predecessor(of: id).map(isOpen) == true
      || plan.creators(of: id).contains(where: isOpen)
  }

  private func isOpen(_ id: Int) -> Bool { states[id] == .waiting || states[id] == .begun }

  /// Why a step cannot begin although others have ended; nil where it can.
  func obstacle(to id: Int) -> PendingReason? {
    if plan.predecessor(of: id).map({ states[$0] }) == .unfinished { return .afterUnfinished }
    return plan.creators(of: id).contains { states[$0] == .unfinished } ? .withoutTarget : nil
  }

  /// The version that a step's item should have.
  func version(for step: ReplayStep) -> String? {
    guard !step.isBranch, let before = step.predecessor, !isOpen(before) else {
      return step.baseVersion
    }
    return switch followed.legacy(of: before) {
    case .nothing: step.baseVersion
    case .withoutVersion: nil
    case .version(let place): String(decoding: versionTexts.counted(at: place), as: UTF8.self)
    }
  }

  /// Ends a step; the one that follows it on its item has its turn next.
  mutating func end(_ result: StepResult) {
    let id = result.step
    guard states.indices.contains(id), isOpen(id) else { return }
    states[id] = result.outcome.isFinal ? .final : .unfinished
    ended += 1
    if let follower = followed.follower(of: id) {
      followed.end(id, leaving: keepVersion(after: result))
      wake(follower)
    }
    if var waiting = postponed.removeValue(forKey: id), let first = waiting.min() {
      // The others would only wait again, for the first one.
      waiting.removeAll { $0 == first }
      if !waiting.isEmpty { postponed[first, default: []] += waiting }
      wake(first)
    }
    // The last one first, as they are kept.
    for dependent in plan.dependents(of: id).reversed() { wake(dependent) }
  }

  private mutating func keepVersion(after result: StepResult) -> FollowedSteps.Legacy {
    // What was given up says nothing about the item that the server kept.
    guard result.outcome == .applied || result.outcome == .alreadyApplied else { return .nothing }
    guard let version = result.version else { return .withoutVersion }
    return .version(at: versionTexts.append(counted: version.utf8Span.span))
  }

  /// Lets a step that was passed over have its turn, unless it still waits for another one.
  private mutating func wake(_ id: Int) {
    guard id < cursor, states[id] == .waiting, !isWaiting(id) else { return }
    let place = firstPlace(in: ready) { $0 <= id }
    if place < ready.count, ready[place] == id { return }
    ready.insert(id, at: place)
  }
}
