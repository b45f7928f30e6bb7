import Bytes
import Records

extension ReplayPlan {
  /// The operations that an earlier run has tried, and behind which it has sent a change of another
  /// device on what is one item to the server.
  ///
  /// Of what was never tried nobody knows which change is the older one.
  static func overtaken(
    in queue: OperationList, _ history: ReplayHistory, _ names: SentNames, _ dialect: Dialect,
    _ tables: TableMap
  ) -> OvertakenOperations {
    OvertakenOperations(
      of: queue,
      hash: { operation in
        let named = names.named(copy operation)
        guard let table = named.table, let id = named.itemID, !id.isEmpty else { return nil }
        return tables.itemHash(ofTable: table, id: id, dialect)
      },
      isWaiting: {
        $0.state.isPending && history.state(of: $0.sequence) != nil && !history.isDone($0.sequence)
      },
      isDone: { $0.state.isPending && history.isThere($0.sequence) })
  }
}

/// What tells whether a change would end on top of a later one, of another device, that an earlier run
/// has sent.
struct UndoneChanges {
  let queue: OperationList
  let overtaken: OvertakenOperations
  let dialect: Dialect

  /// Whether an effect of operations at some places would, untold; `version` is what it expects.
  ///
  /// Where the item is gone, a change of it is a conflict; where it is there, a new item is one, and so
  /// is a change whose version is another. Conflicts are decided as a person wants.
  func include(_ effect: Effect, at places: [Int], version: String?) -> Bool {
    guard !overtaken.isEmpty, let later = places.compactMap(overtaken.later).max() else {
      return false
    }
    let isGone = queue.with(later) { $0.kind == .delete }
    guard effect.kind != .insert else { return isGone || effect.replaces }
    let isCompared = version.map { dialect != .parse || ParseVersion($0)?.updatedAt != nil }
    return !isGone && isCompared != true
  }
}

extension TableMap {
  /// A hash of what is one item to the server.
  func itemHash(ofTable table: String, id: String, _ dialect: Dialect) -> UInt64 {
    var hasher = Hasher()
    for text in [path(of: table, dialect), id] {
      hasher.combine(dialect.tellsCaseTwinsApart ? ExactText(text) : ExactText(folding: text))
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
