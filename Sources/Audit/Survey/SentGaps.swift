import Bytes
import Records
import SyncSDKs

/// Tells of which operations a value is missing in the row that they would send, or the version that is
/// their condition.
struct SentGaps: Sendable {
  /// What a store of ours has kept.
  private let kept: RowsWithGaps
  /// What was seen of the rows of another, by table.
  private let seen: [ExactText: KeySet]
  /// The rows of it whose version is missing.
  private let versions: [ExactText: KeySet]
  /// Those that send sets of changes and no rows, as Parse does.
  private let setSenders: Set<Int32>

  init(_ kept: RowsWithGaps, _ tables: [TableFacts], _ sdks: DeviceSDKs) {
    let sendsRows = !sdks.numbers { !$0.sendsSets }.isEmpty
    self.kept = sendsRows ? kept : RowsWithGaps()
    func keys(_ path: KeyPath<TableFacts, KeySet>) -> [ExactText: KeySet] {
      let tables = tables.filter { sendsRows && !$0[keyPath: path].isEmpty }
      return Dictionary(keepingFirst: tables.map { (ExactText($0.name), $0[keyPath: path]) })
    }
    seen = keys(\.attachedWithGaps)
    versions = keys(\.attachedWithLostVersion)
    setSenders = sdks.setSenders
  }

  /// Whether no row lacks a value.
  var isEmpty: Bool { kept.isEmpty && seen.isEmpty && versions.isEmpty }

  /// Whether the row that an insert or update sends lacks one, where it goes as one of a kind.
  func isSent(by operation: PendingOperation, as kind: OperationKind? = nil) -> Bool {
    guard !isEmpty, operation.kind == .insert || operation.kind == .update,
      !setSenders.contains(operation.source),
      operation.item == nil, let key = operation.rowKey,
      let table = (operation.rowTable ?? operation.table).map({ ExactText($0) })
    else { return false }
    if kept.isSent(by: operation, as: kind) || seen[table]?.contains(key) == true { return true }
    return (kind ?? operation.kind) == .update && operation.baseVersion == nil
      && versions[table]?.contains(key) == true
  }

  /// Whether the row that an effect sends lacks one.
  func isSent(_ places: EffectPlaces, of operations: OperationList) -> Bool {
    guard places.kind != .delete, operations[places.payload].item == nil else { return false }
    return isSent(by: operations[places.row], as: places.kind)
  }
}
