import Bytes
import Records
import Replay
import SyncSDKs

extension LateOperations {
  /// Those of a store, as a replay would decide by its journal: of each device at its latest server, with
  /// the tables' own names, in the protocol of the store's SDK.
  init(in reader: any StoreReader, _ session: Session) throws(StoreError) {
    guard reader.source.isOfSeveral, let kept = reader.kept, try kept.countJournalLines() > 0
    else {
      self.init()
      return
    }
    // What the SDK stored has been decoded, as for a replay.
    let queue = try reader.readQueue(.withoutRaw)
    var late: [(sequence: Int64, reason: Reason)] = []
    for server in queue.deliveries.latestTargets {
      try session.checkInterruption()
      for held in try Self.plan(of: queue.operations, for: server, reader, kept).held {
        guard let reason = Reason(held.reason),
          let device = queue.operations.firstOperation(numbered: held.sequence)?.source,
          queue.deliveries.latestTarget(of: device) ?? server == server
        else { continue }
        late.append((held.sequence, reason))
      }
    }
    self.init(late)
  }

  private static func plan(
    of operations: OperationList, for server: String, _ reader: any StoreReader,
    _ kept: any KeptRecords
  ) throws(StoreError) -> ReplayPlan {
    var history = ReplayHistory()
    try kept.forEachJournalLine { (line) throws(StoreError) in
      guard let target = line.target, plainServerAddress(target) == server else { return }
      history.add(
        line.sequence, event: line.event, version: line.version, status: line.status,
        detail: line.detail)
    }
    let sdks = reader.source.sdks
    let dialects = Set(
      sdks.origins(of: sdks.numbers { _ in true }).map { SDK.traits(of: $0).dialect })
    return ReplayPlan(
      operations, history: history,
      dialect: dialects.count == 1 ? dialects.first.flatMap(\.self) ?? .v3 : .v3,
      habits: reader.source.foldHabits, gaps: try RowsWithGaps(of: reader) { sdks[$0].style })
  }
}

extension LateOperations.Reason {
  fileprivate init?(_ reason: PendingReason) {
    switch reason {
    case .overtaken: self = .overtaken
    case .afterDoubt: self = .afterDoubt
    default: return nil
    }
  }
}
