import Records

/// The changes that a replay holds back because of others on their items.
struct BlockedChanges: Sendable {
  /// Where those begin that follow one that cannot be sent.
  private var following = PlaceList()
  /// Where those begin behind which stands one that cannot be read.
  private var besideUnreadable = PlaceList()

  /// None.
  init() {}

  /// Finds those of an audit, in one pass over its effects.
  init(in audit: StoreAudit) {
    let effects = audit.effects
    guard effects.haveSteps else { return }
    var isFollowing = [Bool](repeating: false, count: audit.queue.operations.count)
    for start in effects.starts {
      let places = effects.places(from: start)
      if isFollowing[start] { following.append(start) }
      guard let next = effects.start(after: places) else { continue }
      let isBeside = audit.unreadable.contains(audit.queue.operations.sequence(at: next))
      if isBeside { besideUnreadable.append(start) }
      isFollowing[next] = isFollowing[start] || isBeside || audit.isUnsendable(places)
    }
  }

  /// Whether the change that begins at a place is held back.
  func contains(_ start: Int) -> Bool { reason(ofChangeAt: start) != nil }

  /// Why the change that begins at a place is held back, in words for people; nil where it is not.
  func reason(ofChangeAt start: Int) -> String? {
    if besideUnreadable.contains(start) { return SendObstacle.besideUnreadable.words }
    return following.contains(start) ? "the change before it on the item cannot be sent" : nil
  }
}
