import Records

/// Which rows and items the operations are about, for fast questions while rows stream by.
struct OperationRows {
  private var keys: [String: Set<Int64>] = [:]
  private var items: [String: Set<UInt64>] = [:]

  /// Takes the rows and items of all operations that are not done.
  init(_ operations: [PendingOperation]) {
    for operation in operations {
      guard let table = operation.rowTable ?? operation.table else { continue }
      if let key = operation.rowKey { keys[table, default: []].insert(key) }
      guard let id = operation.itemID, operation.state.isPending else { continue }
      items[table, default: []].insert(foldedHash(id.utf8Span.span))
    }
  }

  /// Takes only the rows that are compared with a copy of the server's.
  init(comparedIn queue: Queue) {
    let sequences = Set(
      queue.errors.lazy.filter { $0.serverItem != nil }.compactMap(\.operation))
    guard !sequences.isEmpty else { return }
    for operation in queue.operations where sequences.contains(operation.sequence) {
      guard let table = operation.rowTable ?? operation.table, let key = operation.rowKey
      else { continue }
      keys[table, default: []].insert(key)
    }
  }

  /// Whether an operation is tied to the row.
  func isWanted(_ table: String, _ key: Int64) -> Bool { keys[table]?.contains(key) ?? false }

  /// Whether any operation is tied to a row of the table.
  func hasRows(ofTable table: String) -> Bool { keys[table] != nil }

  /// Whether a pending operation names an item of this hash.
  func names(_ hash: UInt64, inTable table: String) -> Bool {
    items[table]?.contains(hash) ?? false
  }
}
