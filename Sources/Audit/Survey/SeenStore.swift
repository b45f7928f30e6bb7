import Bytes
import Records
import SyncSDKs

/// A store's queue, what it comes to, and what was seen of the rows.
struct SeenStore {
  let queue: Queue
  /// What the operations come to.
  let fold: Fold
  let survey: StoreSurvey
  /// Whether the rows have versions that devices of a store of several would send.
  let versions: RowVersions

  /// What is wanted of a store and how it is read.
  struct Plan {
    /// Whether rows are kept that only a listing of all operations shows.
    let listsRows: Bool
    /// Up to how many operations such rows are kept in any case.
    let few: Int
    /// How many threads may look at the rows.
    let threads: Int
  }

  /// Reads a store; `check` hears how many rows were read since it was last called, and may stop the
  /// run.
  init(
    _ reader: any StoreReader, _ plan: Plan, check: (_ rows: Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    if let ahead = try Self.surveyAhead(reader, plan, check: check) {
      queue = try reader.readQueue().afterReplay()
      (survey, versions) = (ahead.survey, RowVersions())
      var fold = ahead.fold
      fold.takeTied(queue.operations)
      self.fold = fold
      return
    }
    var queue = try reader.readQueue().afterReplay()
    let shown = plan.shown(of: queue, reader.source)
    let devices = try DeviceRows(of: reader, shown: shown)
    devices.takePlace(in: &queue, of: reader.source)
    let later = Self.fold(queue.operations, of: reader, threads: plan.threads)
    survey = try StoreSurvey(
      of: reader, queue: queue, besides: devices.rows, shown: shown, threads: plan.threads,
      check: check)
    var fold = later.value
    if !survey.goneRows.isEmpty {
      queue.forget(
        survey.goneRows, besides: devices.versions, sendingNone: reader.source.sdks.setSenders)
      fold = Self.fold(queue.operations, of: reader, threads: plan.threads).value
    }
    (self.queue, self.fold, versions) = (queue, fold, devices.versions)
  }

  /// Where operations do not know their rows, finds these and surveys them in one pass over the tables;
  /// nil where that does not work, or takes too much memory at once.
  private static func surveyAhead(
    _ reader: any StoreReader, _ plan: Plan,
    check: (_ rows: Int) throws(StoreError) -> Void
  ) throws(StoreError) -> (survey: StoreSurvey, fold: Fold)? {
    guard let ahead = try reader.readQueueAhead(), !ahead.queue.operations.isSpilled else {
      return nil
    }
    let queue = ahead.queue
    // Which rows are those of some operations is known too late.
    let shown = plan.shown(of: queue, reader.source)
    guard shown?.isEmpty ?? true else { return nil }
    let later = fold(queue.operations, of: reader, threads: plan.threads)
    let survey = try StoreSurvey(
      of: reader, queue: queue, areRowsNoted: true,
      shown: shown, threads: plan.threads, check: check)
    guard ahead.isTied else { return nil }
    var fold = later.value
    // What operations become takes the place of what they are.
    fold.forgetOperations()
    return (survey, fold)
  }

  /// Folds operations while the rows are looked at, of which a fold needs none.
  private static func fold(
    _ operations: OperationList, of reader: any StoreReader, threads: Int
  ) -> Background<Fold> {
    let (catalogue, habits) = (reader.catalogue, reader.source.foldHabits)
    // Of a long queue both at once would take too much memory.
    return Background(threads: operations.isSpilled ? 1 : threads) {
      Fold(operations, in: catalogue, habits: habits)
    }
  }
}

extension SeenStore.Plan {
  /// The operations whose rows are kept; nil for all.
  fileprivate func shown(of queue: Queue, _ source: SourceDescription) -> KeySet? {
    guard !listsRows, queue.operations.count > few else { return nil }
    // Only where some rows are shown anybody sees how those of devices differ.
    return queue.sequencesCompared(asOf: source, amongDevices: few > 0)
  }
}
