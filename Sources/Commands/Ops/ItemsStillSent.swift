import Bytes
import Records
import SyncSDKs

/// How many items have operations that wait beside those that are dropped, and send the row as it
/// stands: SDKs that keep no values with an operation send what all have left in the row.
struct ItemsStillSent {
  private(set) var count = 0

  /// Looks for the items of some operations, which are those numbered `dropped`.
  init(
    of operations: OperationList, numbered dropped: KeySet, in queue: Queue, _ sdks: DeviceSDKs
  ) {
    // A number stands for each item, of which there may be millions.
    var items: Set<Int> = []
    for operation in operations where dropped.contains(operation.sequence) {
      if Self.sendsRow(operation, sdks) { items.insert(Self.item(of: operation)) }
    }
    guard !items.isEmpty else { return }
    var still: Set<Int> = []
    for operation in queue.operations
    where operation.state.isPending && !dropped.contains(operation.sequence)
      && !queue.isDropped(operation)
    {
      // With a delete at the end the item is deleted, and no row is sent.
      let isDelete = operation.kind == .delete
      guard isDelete || Self.sendsRow(operation, sdks) else { continue }
      let item = Self.item(of: operation)
      guard items.contains(item) else { continue }
      if isDelete { still.remove(item) } else { still.insert(item) }
    }
    count = still.count
  }

  private static func item(of operation: PendingOperation) -> Int {
    var hasher = Hasher()
    hasher.combine(operation.source)
    hasher.combine(operation.table.map { ExactText($0) })
    hasher.combine(operation.itemID.map { ExactText($0) })
    return hasher.finalize()
  }

  private static func sendsRow(_ operation: PendingOperation, _ sdks: DeviceSDKs) -> Bool {
    let sdk = sdks[operation.source]
    return operation.state.isPending && operation.itemID != nil && operation.item == nil
      && [.insert, .update].contains(operation.kind)
      && !sdk.sendsSets && !sdk.sendsBranches && !sdk.sendsChanges
  }

  /// What a person should know of them; nil where there are none.
  var words: String? {
    guard count > 0 else { return nil }
    return
      "note: \(count.counted("of the items has", "of the items have")) other operations that wait; "
      + "they send the row as it stands, with the values of what is dropped"
  }
}
