/// What is kept of the steps that others follow on the same item: the follower of each until it has
/// ended, and then where the version begins that the server has of the item.
///
/// Four bytes do for both, of which there may be as many as the queue is long.
struct FollowedSteps: Sendable {
  /// What a step has left on the server for the one that follows.
  enum Legacy: Equatable {
    /// What was there before.
    case nothing
    /// A change after which the server told no version.
    case withoutVersion
    /// A version that begins at a place.
    case version(at: Int)
  }

  private var slots: [Int32] = []
  private static let nothing: Int32 = 0
  private static let withoutVersion: Int32 = -1

  /// The steps that others of a plan follow; where there are none, no memory is taken.
  init(_ plan: ReplayPlan) {
    for id in 0..<plan.count {
      guard let before = plan.predecessor(of: id) else { continue }
      if slots.isEmpty { slots = [Int32](repeating: Self.nothing, count: plan.count) }
      slots[before] = Int32(truncatingIfNeeded: id)
    }
  }

  /// The step after one that has not ended; nil where there is none.
  func follower(of id: Int) -> Int? {
    slots.indices.contains(id) && slots[id] > Self.nothing ? Int(slots[id]) : nil
  }

  /// What a step that has ended has left.
  func legacy(of id: Int) -> Legacy {
    guard slots.indices.contains(id), slots[id] != Self.nothing else { return .nothing }
    return slots[id] == Self.withoutVersion ? .withoutVersion : .version(at: Int(slots[id] - 1))
  }

  /// Ends a step that another one follows.
  mutating func end(_ id: Int, leaving legacy: Legacy) {
    guard slots.indices.contains(id) else { return }
    slots[id] =
      switch legacy {
      case .nothing: Self.nothing
      case .withoutVersion: Self.withoutVersion
      // Who is told nothing expects what was there before, and meets a conflict at the worst.
      case .version(let place): Int32(exactly: place + 1) ?? Self.nothing
      }
  }
}
