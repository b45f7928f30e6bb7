import Bytes
import Records
import SyncSDKs

/// Tells of which operations a value is missing in the row that they would send.
struct SentGaps: Sendable {
  /// What a store of ours has kept.
  private let kept: RowsWithGaps
  /// What was seen of the rows of another, by table.
  private let seen: [ExactText: KeySet]
  /// Those that send sets of changes and no rows, as Parse does.
  private let setSenders: Set<Int32>

  init(_ kept: RowsWithGaps, _ tables: [TableFacts], _ sdks: DeviceSDKs) {
    let sendsRows = !sdks.numbers { !$0.sendsSets }.isEmpty
    self.kept = sendsRows ? kept : RowsWithGaps()
    let tables = tables.filter { sendsRows && !$0.attachedWithGaps.isEmpty }
    seen = Dictionary(keepingFirst: tables.map { (ExactText($0.name), $0.attachedWithGaps) })
    setSenders = sdks.setSenders
  }

  /// Whether no row lacks a value.
  var isEmpty: Bool { kept.isEmpty && seen.isEmpty }

  /// Whether the row that an insert or update sends lacks a value.
  func isSent(by operation: PendingOperation) -> Bool {
    guard !isEmpty, operation.kind == .insert || operation.kind == .update,
      !setSenders.contains(operation.source),
      operation.item == nil, let key = operation.rowKey,
      let table = operation.rowTable ?? operation.table
    else { return false }
    return kept.isSent(by: operation) || seen[ExactText(table)]?.contains(key) == true
  }

  /// Whether the row that an effect sends lacks a value.
  func isSent(_ places: EffectPlaces, of operations: OperationList) -> Bool {
    guard places.kind != .delete, operations[places.payload].item == nil else { return false }
    return isSent(by: operations[places.row])
  }
}
