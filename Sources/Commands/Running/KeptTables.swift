import Bytes
import Records
import SyncSDKs

/// The tables of a source that go, where others may be left out with all that is in their rows.
struct KeptTables {
  let reader: any StoreReader
  private let choice: TableChoice
  /// The operations on tables that are left out, by their sequences.
  private var others: KeySet = []

  /// Keeps of a reader what belongs to chosen tables.
  init(_ choice: TableChoice, of reader: any StoreReader) {
    self.reader = reader
    self.choice = choice
  }

  private var areAll: Bool { choice.areAll }

  /// Takes from the queue of the source what is in rows that are left out, and what a merge has put
  /// there of them; what the SDK itself has put there stays.
  mutating func leaveRows(of queue: inout MatchedQueue) throws(StoreError) {
    guard !areAll else { return }
    others = queue.keepRows(ofTables: choice.names, setSenders: reader.source.sdks.setSenders)
    var (sent, isAny): (KeySet, Bool) = ([], false)
    try reader.kept?.forEachDeviceItem { item in
      guard item.hasRow, !item.isOfPayload, others.contains(item.operation) else { return }
      sent.insert(item.operation)
      isAny = true
    }
    if isAny { queue.dropItems(of: sent, payloadSources: reader.source.payloadSources) }
  }
}

// MARK: - What earlier runs have kept

extension KeptTables {
  /// What was found in the source, but for rows of other tables that gave way.
  var findings: Findings {
    guard !areAll else { return reader.findings }
    return Findings(
      reader.findings.lazy.filter { $0.code != MergedRow.code || isKept($0.table) })
  }

  /// Lends what devices would send, without the rows that are left out of the queue.
  func forEachDeviceItem(
    _ body: (DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {
    try reader.kept?.forEachDeviceItem { (item) throws(StoreError) in
      try body(others.contains(item.operation) ? item.withoutRow : item)
    }
  }

  /// Lends the values of these tables that an earlier run could not take.
  func forEachStoredReject(
    _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    try reader.kept?.forEachStoredReject { (reject) throws(StoreError) in
      if isKept(reject.table) { try body(reject) }
    }
  }

  /// What to tell of these values where the rows go alone, without a place for them.
  func findingsOfRowsAlone() throws(StoreError) -> [Finding] {
    var count = 0
    try forEachStoredReject { _ in count += 1 }
    guard count > 0, let kept = reader.kept else { return [] }
    let words =
      count.counting("value is", "values are") + " not in this output, as the store had set "
      + (count == 1 ? "it" : "them") + " aside"
    return try kept.findingsOfRejects { isKept($0) } + [
      Finding("not-carried-over", .warning, table: choice.names.first?.wrappedValue, message: words)
    ]
  }

  /// Lends the rows of these tables that gave way to others in an earlier run.
  func forEachStoredMergedBatch(
    _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try reader.kept?.forEachStoredMergedBatch { (rows) throws(StoreError) in
      try body(areAll ? rows : rows.filter { isKept($0.finding.table) })
    }
  }

  private func isKept(_ table: String?) -> Bool {
    table.map { choice.names.contains(ExactText($0)) } ?? true
  }
}

// MARK: - What is told

extension KeptTables {
  /// Tells what becomes of changes of tables of which only the rows stay behind.
  ///
  /// What is sent as the queue itself keeps it still can be; the others are the operations that a replay
  /// holds back. Of sets of changes, which can be sent without the rows of their objects, nothing is
  /// told.
  func findings(ofChangesWithoutRows operations: OperationList) -> [Finding] {
    guard !areAll else { return [] }
    let setSenders = reader.source.sdks.setSenders
    var lost: [ExactText: Int] = [:]
    var sent: [ExactText: Int] = [:]
    let effects = Fold(operations, in: reader.catalogue, habits: reader.source.foldHabits).effects
    for effect in effects.indices {
      let places = effects.places(at: effect)
      let first = operations[places.first]
      guard let table = first.table, !isKept(table), !setSenders.contains(first.source) else {
        continue
      }
      let isHeld = places.kind != .delete && operations[places.payload].item == nil
      effects.forEachPlace(places) { _ in
        if isHeld {
          lost[ExactText(table), default: 0] += 1
        } else {
          sent[ExactText(table), default: 0] += 1
        }
      }
    }
    guard !lost.isEmpty || !sent.isEmpty else { return [] }
    return choice.all.flatMap { table in
      [
        (
          lost, Severity.warning,
          "changes of rows of \(table), which was left out, that cannot be sent from here"
        ),
        (
          sent, .note,
          "changes of rows of \(table), which was left out, that can be sent as the queue holds them"
        ),
      ].compactMap { counts, severity, words in
        counts[ExactText(table)].map {
          Finding("not-carried-over", severity, table: table, message: "\(words): \($0)")
        }
      }
    }
  }
}
