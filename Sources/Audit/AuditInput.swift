import Bytes
package import Records
import SyncSDKs

/// All that the rules look at: small values, gathered before any rule runs.
package struct AuditInput: Sendable {
  /// What the source is.
  package var source: SourceDescription
  /// What is true of the SDKs of its devices.
  let sdks: DeviceSDKs
  /// The same of each operation.
  let operationSDKs: OperationSDKs
  /// What the devices of a store of several are called.
  let devices: DeviceLabels
  /// Its tables.
  package var catalogue: Catalogue
  /// What it knows about synchronisation.
  var queue: Queue
  /// What was seen of each table's rows, in the catalogue's order.
  package var tables: [TableFacts]
  /// What each error says, in the queue's order.
  var assessments: [ErrorAssessment]
  /// The operations that errors are about.
  let failures: ErrorContext
  /// The present moment.
  var now: Timestamp
  /// The operations that may still be sent, in push order, as places in the queue.
  var pending: PlaceList { fold.traits.pending }
  /// What operations come to, and what rules ask of single ones.
  private let fold: Fold
  /// The operations for which an error holds a copy of the item.
  let sequencesWithCopy: Set<Int64>
  /// The operations with errors that are completed or dropped.
  let settled: Set<Int64>
  /// The operations that an older SDK queued under other codes.
  private let ofOlderSDK: Set<Int64>
  /// The rows that operations would send.
  let rows: AttachedRows
  /// Whether the row of an operation has a version, where its device has one for itself.
  private let rowsWithVersion: RowVersions
  private let versionedTables: [Bool]
  /// The operations of which a value is missing in the row that they would send.
  let gaps: SentGaps
  /// The operations that wait and that no replay sends for what they hold themselves, and why.
  private(set) var unsent: [Int64: UnsentReason] = [:]
  /// The entities above those that have tables; the SDK finds rows of subentities by their names.
  private let parents: Set<String>

  /// Orders the operations by item; takes time in proportion to their number.
  ///
  /// `changed` are operations of which the reader knows that they changed after their errors, and
  /// `ofOlderSDK` those of which it knows that their codes are another SDK's.
  init(
    source: SourceDescription, catalogue: Catalogue, queue: Queue, tables: [TableFacts],
    rows: AttachedRows = AttachedRows(), now: Timestamp, fold: Fold? = nil,
    rowsWithVersion: RowVersions = RowVersions(), gaps: RowsWithGaps = RowsWithGaps(),
    changed: Set<Int64> = [], ofOlderSDK: Set<Int64> = [], parents: Set<String> = []
  ) {
    self.parents = parents
    self.ofOlderSDK = ofOlderSDK
    self.rows = rows
    self.rowsWithVersion = rowsWithVersion
    self.source = source
    sdks = source.sdks
    operationSDKs = OperationSDKs(of: queue.operations, source)
    self.gaps = SentGaps(gaps, tables, sdks)
    devices = DeviceLabels(of: source)
    self.catalogue = catalogue
    self.queue = queue
    self.tables = tables
    self.now = now
    let operations = queue.operations
    let fold =
      fold
      ?? Fold(operations, in: catalogue, habits: FoldHabits(exactSources: source.exactSources))
    self.fold = fold
    let failures = ErrorContext(queue, in: catalogue, sdks, fold.effects, changed: changed)
    self.failures = failures
    assessments = queue.errors.map { ErrorAssessment($0, in: failures) }
    versionedTables = catalogue.tables.map { $0.index(of: .version) != nil }
    sequencesWithCopy = Set(
      queue.errors.lazy.compactMap { $0.item == nil ? nil : $0.operation })
    // Only errors ask whether their operations are settled.
    let failed = Set(queue.errors.lazy.compactMap(\.operation))
    settled =
      failed.isEmpty
      ? []
      : Set(
        operations.lazy.filter { !$0.state.isPending && failed.contains($0.sequence) }
          .map(\.sequence))
    unsent = findUnsent()
  }

  /// The operations in push order.
  var operations: OperationList { queue.operations }

  /// Whether an operation is a command to the server that is no change of an item.
  func isCommand(_ index: Int) -> Bool {
    guard let code = sdk(index).commandCode else { return false }
    return kind(ofOperation: index) == nil && operations[index].originalCode == code
  }

  /// Whether an operation has the codes of an older SDK, of which its reader tells.
  func isOfOlderSDK(_ index: Int) -> Bool {
    !ofOlderSDK.isEmpty && ofOlderSDK.contains(operations.sequence(at: index))
  }

  /// What is true of the SDK that wrote an operation.
  func sdk(_ index: Int) -> SDKTraits { operationSDKs[index] }

  func traits(_ index: Int) -> OperationTraits { fold.traits.traits[index] }

  func isSo(_ trait: OperationTraits, _ index: Int) -> Bool { traits(index).contains(trait) }

  /// What an operation does to its item; nil where that cannot be decoded.
  func kind(ofOperation index: Int) -> OperationKind? { traits(index).kind }

  /// The pending operation before another on the same item, as a place in the queue.
  func previous(_ index: Int) -> Int? { fold.chains.previous[index] }

  /// The pending operation after another on the same item.
  func next(_ index: Int) -> Int? { fold.chains.next[index] }

  /// Whether the SDK's own ids are numbers, each larger than the one before.
  var originalIDsGrow: Bool { fold.traits.originalIDsGrow }

  /// The place in the catalogue of the table that an operation names; nil where it has none.
  func table(ofOperation index: Int) -> Int? { fold.traits.table(ofOperation: index) }

  /// The place in the catalogue of the table that has an operation's row.
  func rowTable(ofOperation index: Int) -> Int? {
    isSo(.hasRowTable, index)
      ? place(ofTable: operations[index].rowTable) : table(ofOperation: index)
  }

  /// Whether the table of an operation's row has a column for versions.
  func hasVersionColumn(_ index: Int) -> Bool {
    rowTable(ofOperation: index).map { versionedTables[$0] } ?? false
  }

  /// Whether the row that an operation would send has a version.
  func sendsRowWithVersion(_ index: Int) -> Bool {
    guard isSo(.hasRow, index) || !rowsWithVersion.isEmpty else { return false }
    if !rowsWithVersion.isEmpty,
      let known = rowsWithVersion[operations.sequence(at: index)]
    {
      return known
    }
    guard let key = operations.with(index, { $0.rowKey }), let table = rowTable(ofOperation: index)
    else { return false }
    return tables[table].attachedWithVersion.contains(key)
  }

  /// What was seen of the rows of a table.
  func facts(ofTable name: String?) -> TableFacts? {
    place(ofTable: name).map { tables[$0] }
  }

  func place(ofTable name: String?) -> Int? { fold.traits.place(ofTable: name) }

  /// Whether a name is that of a table, or of an entity above some that have tables.
  func isKnown(_ table: String?) -> Bool {
    place(ofTable: table) != nil || table.map(parents.contains) ?? false
  }

  /// Whether an operation names such a table.
  func namesKnownTable(_ index: Int) -> Bool {
    table(ofOperation: index) != nil || !parents.isEmpty && isKnown(operations[index].table)
  }
}
