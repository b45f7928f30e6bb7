package import Bytes
import Formats
package import Records
import SyncSDKs

/// Everything that an audit knows about one store.
package struct StoreAudit: Sendable {
  /// What the source is.
  package var source: SourceDescription
  /// The name of a store before it that has the same bytes; nil where there is none.
  package var twin: String?
  /// What the devices of a store of several are called.
  package let devices: DeviceLabels
  /// Its queue.
  package let queue: Queue
  /// What was seen of each table.
  package let tables: [TableFacts]
  /// The rows that operations would send.
  package let rows: AttachedRows
  /// What the operations come to, item by item.
  package let effects: Fold.Effects
  /// What each error says, in the queue's order.
  package let assessments: [ErrorAssessment]
  /// The operations of which a value is missing in the row that they would send.
  let gaps: SentGaps
  /// The operations whose payload nobody can read.
  let unreadable: KeyLookup
  /// The operations of which a finding says that a person has to look before they are sent.
  private let undecided: [KeyLookup]
  /// The operations that no replay sends for what they hold themselves, and why.
  let unsent: [Int64: UnsentReason]
  /// The changes that are held back because of others on their items.
  private(set) var blocked = BlockedChanges()
  /// The operations that errors are about.
  private let failures: ErrorContext
  /// What was found, most serious first.
  package let findings: FindingList

  /// What is true of the SDKs of its devices, and of those that wrote the operations.
  let sdks: DeviceSDKs
  let operationSDKs: OperationSDKs

  /// What a person must know where no replay reaches the service that the changes are for.
  package var wordsOfService: String? {
    let all = operationSDKs.all
    guard let service = all.lazy.compactMap(\.service).first else { return nil }
    guard all.allSatisfy({ $0.service != nil }) else {
      return "the service that some of the changes are for spoke \(service), which is not spoken "
        + "here"
    }
    return "the service spoke \(service), which is not spoken here; a replay can apply the changes "
      + "to a canonical store, with --to STORE"
  }

  /// Reads the queue and the rows of a store and applies every rule; `check` hears
  /// how many rows were read since it was last called, and may stop the run.
  ///
  /// Rows that only a listing of all operations shows are left out when `listsRows` is false and
  /// there are more than a few.
  /// Several threads may look at the rows; what is found is the same for any number.
  package init(
    of reader: any StoreReader, now: Timestamp, listsRows: Bool = true, orUpTo few: Int = 0,
    threads: Int = 1, check: (_ rows: Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let plan = SeenStore.Plan(listsRows: listsRows, few: few, threads: threads)
    let seen = try SeenStore(reader, plan, check: check)
    let (queue, fold, survey) = (seen.queue, seen.fold, seen.survey)
    let known = (reader.findings + queue.findings).ofOpenOperations(in: queue)
    let input = AuditInput(
      source: reader.source, catalogue: reader.catalogue, queue: queue, tables: survey.tables,
      rows: survey.rows, now: now, fold: fold, rowsWithVersion: seen.versions,
      gaps: try RowsWithGaps(of: reader),
      changed: known.operations(ofCode: FindingKind.staleError.code),
      ofOlderSDK: known.operations(ofCode: FindingKind.operationOfOlderSDK.code),
      parents: Set((reader.model?.entities ?? []).compactMap(\.parent)))
    self.init(input, known: known + (try reader.examineRows()), threads: threads)
    try checkWhatWasSetAside()
  }

  /// Applies every rule to what was read.
  init(_ input: AuditInput, known: Findings = [], threads: Int = 1) {
    source = input.source
    devices = input.devices
    queue = input.queue
    tables = input.tables
    rows = input.rows
    effects = input.failures.effects
    assessments = input.assessments
    gaps = input.gaps
    (sdks, operationSDKs) = (input.sdks, input.operationSDKs)
    failures = input.failures
    findings = FindingCatalogue.findings(in: input, besides: known, threads: threads)
    unreadable = KeyLookup(findings.sequences(ofCode: FindingKind.undecodableOperation.code))
    undecided = FindingCatalogue.asking.map { [findings] code in
      KeyLookup(findings.sequences(ofCode: code))
    }.filter { !$0.isEmpty }
    unsent = input.unsent
    blocked = BlockedChanges(in: self)
  }

  /// The item of an operation: its payload, else the current row; nil when there is neither.
  package func item(of operation: PendingOperation) -> [UInt8]? { rows.item(of: operation) }

  /// The item of an effect, likewise.
  package func item(of effect: Effect) -> [UInt8]? {
    if let item = effect.item { return item }
    guard effect.kind != .delete else { return nil }
    return rows.row(effect.sent, ofTable: AttachedRows.devices)
      ?? rows.row(effect.rowKey, ofTable: effect.rowTable ?? effect.table)
  }

  /// Where the device's copy and the one that the server sent with an error differ; nil when one of
  /// them is not known.
  package func differences(of error: OperationError) -> [FieldDifference]? {
    failures.differences(error, rows)
  }

  /// What the server has of the item of an error, beside what the device has.
  func serverCopy(_ error: OperationError) -> ServerCopy { failures.serverCopy(error, rows) }

  /// What to say of an error's copies that do not differ.
  package func wordsOfSameCopies(_ error: OperationError) -> String {
    failures.serverCopy(error, fields: []).words ?? ""
  }

  /// What compares two copies of an item of a table.
  package func comparison(ofTable table: String?) -> ItemComparison {
    failures.comparison(ofTable: table)
  }

  /// Whether an operation is a command to the server that is no change of an item.
  package func isCommand(_ operation: PendingOperation) -> Bool {
    guard operation.kind == nil, let code = operation.originalCode else { return false }
    return sdks[operation.source].commandCode == code
  }

  /// Whether findings leave some operations to a person, before any is sent.
  var asksFirst: Bool { !undecided.isEmpty }

  /// Whether a finding leaves an operation to a person.
  func asksFirst(of sequence: Int64) -> Bool { undecided.contains { $0.contains(sequence) } }

  /// How serious the worst finding is.
  package var worstSeverity: Severity? { findings.first?.severity }

  /// How serious the worst finding about an operation is.
  package func worstSeverity(ofOperation sequence: Int64) -> Severity? {
    findings.worstSeverity(ofOperation: sequence)
  }
}

extension FindingCatalogue {
  /// Applies every rule, on several threads, adds what the reader has found itself, and sorts the
  /// most serious first.
  package static func findings(
    in input: AuditInput, besides known: Findings, threads: Int = 1
  ) -> FindingList {
    let numbers = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.code, $0) })
    var findings = FindingList(about: input.operations)
    for finding in known { findings.add(finding, kind: numbers[finding.code] ?? all.count) }
    let codes = Set(known.lazy.map(\.code))
    var work = OrderedWork<Int, FindingList>(threads: threads) {
      { number, emit in
        var sink = FindingSink(number, about: input.operations)
        all[number].rule(input, &sink)
        var raised = sink.findings
        // A canonical store brings along what was found when it was made.
        if !raised.isEmpty, codes.contains(all[number].code) {
          let places = Set(
            known.lazy.filter { $0.code == all[number].code }.map(FindingPlace.init))
          raised.removeAll { places.contains(FindingPlace($0)) }
        }
        _ = emit(raised)
      }
    }
    for (number, kind) in all.enumerated() {
      // A reader that follows references by itself counts rows, which says more than keys.
      if kind.code == FindingKind.danglingReference.code, codes.contains(kind.code) { continue }
      // What is true of all rows is not told of each.
      if kind.code == FindingKind.rowWithoutVersionOrOperation.code, !input.source.isOfSeveral,
        codes.contains(FindingKind.neverSynced.code)
      {
        continue
      }
      work.put(number) { findings.add($0) }
    }
    work.finish { findings.add($0) }
    findings.sort()
    return findings
  }
}

extension Findings {
  /// The operations that findings with a code are about.
  fileprivate func operations(ofCode code: String) -> Set<Int64> {
    Set(lazy.filter { $0.code == code }.compactMap(\.operation))
  }

  /// Without those that tell only of what waits, or ask to look before it is sent, and whose
  /// operations were dropped or done since.
  package func ofOpenOperations(in queue: Queue) -> Findings {
    let codes = Set(FindingCatalogue.asking + [FindingKind.operationNeverPushed.code])
    let told = KeySet(lazy.filter { codes.contains($0.code) }.compactMap(\.operation))
    guard !told.isEmpty else { return self }
    let closed = KeySet(
      queue.operations.lazy.filter { !$0.state.isPending && told.contains($0.sequence) }
        .map(\.sequence))
    guard !closed.isEmpty else { return self }
    return Findings(
      lazy.filter { finding in
        !codes.contains(finding.code) || !(finding.operation.map(closed.contains) ?? false)
      })
  }
}

/// What a finding is about, apart from its words.
private struct FindingPlace: Hashable {
  let code: String
  let table: ExactText?
  let itemID: ExactText?
  let operation: Int64?
  /// Findings about a table as a whole may come several times, once for each column.
  let message: String?

  init(_ finding: Finding) {
    code = finding.code
    table = finding.table.map { ExactText($0) }
    itemID = finding.itemID.map { ExactText($0) }
    operation = finding.operation
    message = finding.itemID == nil && finding.operation == nil ? finding.message : nil
  }
}
