import Bytes
import Formats
import Records

/// The changes that an earlier run knew, and that would end on top of a later one, of another device on
/// what is one item to the server, that it has sent.
struct OvertakenChanges {
  /// What is to be done about such a change.
  enum Verdict: Equatable {
    /// It is not sent.
    case held(PendingReason)
    /// The server tells of a conflict, and no policy sends it on top.
    case told

    /// Why it is not sent, if it is not.
    var reason: PendingReason? { if case .held(let reason) = self { reason } else { nil } }
  }

  private let queue: OperationList
  private let history: ReplayHistory
  private let operations: OvertakenOperations
  private let dialect: Dialect

  /// Finds them by what earlier runs did; updates of `partial` sources hold only what they change.
  ///
  /// Of what none of these runs knew nobody knows which change is the older one.
  init(
    in queue: OperationList, _ history: ReplayHistory, partial: Set<Int32>,
    hash: (borrowing PendingOperation) -> UInt64?, _ dialect: Dialect
  ) {
    self.queue = queue
    self.history = history
    self.dialect = dialect
    guard !history.isEmpty else {
      operations = OvertakenOperations()
      return
    }
    operations = OvertakenOperations(
      of: queue, hash: hash,
      isWaiting: { _, operation in
        operation.state.isPending && history.state(of: operation.sequence) != nil
          && !history.isDone(operation.sequence)
      },
      isSent: { _, operation in
        operation.state.isPending && history.mayBeThere(operation.sequence)
      },
      fields: { $0.changedFields(by: partial) })
  }

  /// Whether there are none.
  var isEmpty: Bool { operations.isEmpty }

  /// The last change that was sent behind some of the operations at these places; nil where none was.
  func later(than places: [Int]) -> Int? { places.compactMap(operations.later).max() }

  /// What is done about an effect behind which a later change was sent; `version` is what it expects.
  ///
  /// Where the item is gone, a change of it is a conflict; where it is there, a new item is one, and so
  /// is a change whose version is another. What else there is nobody would tell.
  func verdict(on effect: Effect, behind later: Int, version: String?) -> Verdict {
    // Only once that is settled it is known what the server has.
    guard history.isThere(queue.sequence(at: later)) else { return .held(.afterDoubt) }
    let isGone = queue.with(later) { $0.kind == .delete }
    guard effect.kind != .insert else {
      return isGone || effect.replaces ? .held(.overtaken) : .told
    }
    let isCompared = version.map { dialect != .parse || ParseVersion($0)?.updatedAt != nil }
    return isGone || isCompared == true ? .told : .held(.overtaken)
  }
}

extension PendingOperation {
  /// The fields that an update of some sources changes, without regard to letter case; nil where it may
  /// be all.
  fileprivate borrowing func changedFields(by sources: Set<Int32>) -> Set<ExactText>? {
    guard kind == .update, sources.contains(source),
      let object = (copy self).item.flatMap({ JSONObject(parsing: $0.span) })
    else { return nil }
    return Set(object.members.map { ExactText(folding: $0.key) }).subtracting(Self.id)
  }

  /// What names the item, and is no change of it.
  private static let id: Set<ExactText> = [ExactText("id")]
}
