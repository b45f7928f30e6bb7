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
      guard operation.state.isPending, let hash = operation.itemHash() else { continue }
      items[table, default: []].insert(hash)
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

  /// What they say about one table.
  subscript(table: String) -> TableOperations {
    TableOperations(keys: keys[table] ?? [], items: items[table] ?? [])
  }
}

/// The rows and items of one table that operations are about.
struct TableOperations {
  fileprivate let keys: Set<Int64>
  fileprivate let items: Set<UInt64>

  /// Whether there is no row that an operation is tied to.
  var hasNoRows: Bool { keys.isEmpty }

  /// Whether an operation is tied to the row.
  func isWanted(_ key: Int64) -> Bool { keys.contains(key) }

  /// Whether a pending operation names an item of this hash.
  func names(_ hash: UInt64) -> Bool { items.contains(hash) }
}
