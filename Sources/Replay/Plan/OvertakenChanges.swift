import Bytes
import Records

/// The changes that an earlier run has tried, and that would end on top of a later one, of another
/// device on what is one item to the server, that it has sent.
struct OvertakenChanges {
  private let queue: OperationList
  private let operations: OvertakenOperations
  private let dialect: Dialect

  /// None, where no earlier run has sent anything.
  init() {
    queue = OperationList()
    operations = OvertakenOperations()
    dialect = .v2
  }

  /// Finds them by what earlier runs did; of what was never tried nobody knows which change is the
  /// older one.
  init(
    in queue: OperationList, _ history: ReplayHistory, _ names: SentNames, _ dialect: Dialect,
    _ tables: TableMap
  ) {
    self.queue = queue
    self.dialect = dialect
    operations = OvertakenOperations(
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

  /// Whether there are none.
  var isEmpty: Bool { operations.isEmpty }

  /// Whether an effect of operations at some places is one of which nobody would tell; `version` is
  /// what it expects.
  ///
  /// Where the item is gone, a change of it is a conflict; where it is there, a new item is one, and so
  /// is a change whose version is another. Conflicts are decided as a person wants.
  func include(_ effect: Effect, at places: [Int], version: String?) -> Bool {
    guard let later = places.compactMap(operations.later).max() else { return false }
    let isGone = queue.with(later) { $0.kind == .delete }
    guard effect.kind != .insert else { return isGone || effect.replaces }
    let isCompared = version.map { dialect != .parse || ParseVersion($0)?.updatedAt != nil }
    return !isGone && isCompared != true
  }
}
