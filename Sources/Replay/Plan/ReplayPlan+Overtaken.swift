import Bytes
import Records

extension ReplayPlan {
  /// The operations behind which an earlier run has sent a change of another device, on what is one
  /// item to the server.
  static func overtaken(
    in queue: OperationList, _ history: ReplayHistory, _ names: SentNames, _ rules: ReplaySettings
  ) -> OvertakenOperations {
    OvertakenOperations(
      of: queue,
      hash: { operation in
        let named = names.named(copy operation)
        guard let table = named.table, let id = named.itemID, !id.isEmpty else { return nil }
        return rules.itemHash(ofTable: table, id: id)
      },
      isWaiting: { $0.state.isPending && !history.isDone($0.sequence) },
      isDone: { $0.state.isPending && history.isThere($0.sequence) })
  }
}

/// What tells whether a change would end on top of a later one, of another device, that an earlier run
/// has sent.
struct UndoneChanges {
  let queue: OperationList
  let overtaken: OvertakenOperations
  let rules: ReplaySettings

  /// Whether an effect of operations at some places would; `version` is what it expects.
  ///
  /// Where that goes with it, or a new item is in the way, the server tells; unless a policy is for
  /// the device then.
  func include(_ effect: Effect, knownTable: String?, at places: [Int], version: String?) -> Bool {
    guard !overtaken.isEmpty, let later = places.compactMap(overtaken.later).max(),
      let table = effect.table
    else { return false }
    let isGone = queue.with(later) { $0.kind == .delete }
    let situation: ConflictSituation
    if effect.kind == .insert {
      guard !isGone, !effect.replaces else { return true }
      situation = .exists
    } else {
      guard let version,
        rules.dialect != .parse || ParseVersion(version)?.updatedAt != nil
      else { return true }
      situation = isGone ? .deleted : .changed
    }
    let policy = rules.conflicts.policy(
      forTable: table, knownTable: knownTable ?? table, effect.kind, situation)
    return policy == .clientWins
  }
}

extension ReplaySettings {
  /// A hash of what is one item to the server.
  func itemHash(ofTable table: String, id: String) -> UInt64 {
    var hasher = Hasher()
    for text in [tables.path(of: table, dialect), id] {
      hasher.combine(dialect.tellsCaseTwinsApart ? ExactText(text) : ExactText(folding: text))
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
