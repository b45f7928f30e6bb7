import Records

/// Finds the operation that an error is about.
struct OperationIndex {
  private var byOriginalID: [String: [PendingOperation]] = [:]
  private var byItem: [ItemKey: [PendingOperation]] = [:]

  private struct ItemKey: Hashable {
    let table: String?
    let itemID: String?
    let kind: OperationKind?
  }

  init(_ operations: [PendingOperation]) {
    for operation in operations {
      if let id = operation.originalID { byOriginalID[id, default: []].append(operation) }
      byItem[Self.key(operation.table, operation.itemID, operation.kind), default: []]
        .append(operation)
    }
  }

  /// Sets the error's operation, and takes from it what the error's payload does not say.
  ///
  /// An operation id is trusted only when the payload does not name another item, because ids are
  /// used again after the queue has run empty; an update may have become a delete meanwhile. Id 0 and no id mean that the SDK did not write one; then
  /// the payload decides, and of several operations that fit, the first in push order.
  func connect(_ error: inout OperationError) {
    let isKnown = error.originalOperationID.map { $0 != "0" } ?? false
    let match: PendingOperation?
    if isKnown, let id = error.originalOperationID {
      match = byOriginalID[id]?.first { Self.agrees(error, $0) }
    } else if error.itemID != nil {
      match = byItem[Self.key(error.table, error.itemID, error.kind)]?.first
    } else {
      match = nil
    }
    guard let match else { return }
    error.operation = match.sequence
    error.table = error.table ?? match.table
    error.itemID = error.itemID ?? match.itemID
    error.kind = error.kind ?? match.kind
  }

  private static func agrees(_ error: OperationError, _ operation: PendingOperation) -> Bool {
    (error.table == nil || error.table == operation.table)
      && (error.itemID == nil || folded(error.itemID) == folded(operation.itemID))
  }

  private static func key(
    _ table: String?, _ itemID: String?, _ kind: OperationKind?
  ) -> ItemKey {
    ItemKey(table: table, itemID: folded(itemID), kind: kind)
  }

  private static func folded(_ id: String?) -> String? {
    id?.lowercased()
  }
}
