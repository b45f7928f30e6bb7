import Bytes
import Records
import SyncSDKs

/// Tells of which operations a value is missing in the row that they would send.
struct SentGaps: Sendable {
  /// What a store of ours has kept.
  private let kept: RowsWithGaps
  /// What was seen of the rows of another, by table.
  private let seen: [ExactText: KeySet]
  /// Whether rows are sent also where a payload was kept.
  private let sendsRows: Bool

  init(_ kept: RowsWithGaps, _ tables: [TableFacts], _ sdk: SDKTraits) {
    // Parse sends sets of changes and no rows.
    let sendsItems = sdk.dialect != .parse
    self.kept = sendsItems ? kept : RowsWithGaps()
    let tables = tables.filter { sendsItems && $0.attachedWithGaps != KeySet() }
    seen = Dictionary(
      tables.map { (ExactText($0.name), $0.attachedWithGaps) },
      uniquingKeysWith: { first, _ in first })
    sendsRows = sdk.style.sendsRows
  }

  /// Whether no row lacks a value.
  var isEmpty: Bool { kept.isEmpty && seen.isEmpty }

  /// Whether the row that an insert or update sends lacks a value.
  func isSent(by operation: PendingOperation) -> Bool {
    guard !isEmpty, operation.kind == .insert || operation.kind == .update,
      operation.item == nil || sendsRows, let key = operation.rowKey,
      let table = operation.rowTable ?? operation.table
    else { return false }
    return kept.isSent(by: operation) || seen[ExactText(table)]?.contains(key) == true
  }

  /// Whether the row that an effect sends lacks a value.
  func isSent(_ places: EffectPlaces, of operations: OperationList) -> Bool {
    places.kind != .delete && (sendsRows || operations[places.payload].item == nil)
      && isSent(by: operations[places.row])
  }
}
