import Records

/// Which rows and items the operations are about, for fast questions while rows stream by.
struct OperationRows {
  private var tables: [String: TableOperations] = [:]

  /// What is gathered about one table.
  private struct Gathered {
    var keys: [Int64] = []
    var items: [Int64] = []

    /// The keys, whose memory is not needed any more.
    mutating func takeKeys() -> KeyLookup {
      var taken: [Int64] = []
      swap(&taken, &keys)
      return KeyLookup(taken)
    }

    /// The items likewise.
    mutating func takeItems() -> KeyLookup {
      var taken: [Int64] = []
      swap(&taken, &items)
      return KeyLookup(taken)
    }
  }

  /// Takes the rows of all operations, and the items of those that are not done or that a replay
  /// has done: the store's own rows never learn the versions that the target gave.
  init(_ queue: Queue) {
    let deliveries = queue.deliveries
    gather(queue.operations) { operation, found in
      if let key = operation.rowKey { found.keys.append(key) }
      guard operation.state.isPending || deliveries.latest(of: operation.sequence) != nil,
        let hash = operation.itemHash()
      else { return }
      found.items.append(Int64(bitPattern: hash))
    }
  }

  /// Takes only the rows that are compared with a copy of the server's.
  init(comparedIn queue: Queue) {
    let sequences = Set(
      queue.errors.lazy.filter { $0.serverItem != nil }.compactMap(\.operation))
    guard !sequences.isEmpty else { return }
    gather(queue.operations) { operation, found in
      guard sequences.contains(operation.sequence), let key = operation.rowKey else { return }
      found.keys.append(key)
    }
  }

  subscript(table: String) -> TableOperations {
    tables[table] ?? TableOperations(keys: KeyLookup(), items: KeyLookup())
  }

  private mutating func gather(
    _ operations: OperationList, _ body: (PendingOperation, inout Gathered) -> Void
  ) {
    var found: [String: Gathered] = [:]
    var name: String?
    var last: PendingOperation?
    var current = Gathered()
    for operation in operations {
      // Neighbours mostly name the same table.
      if last.map(operation.isForSameRows) != true {
        if let name { found[name] = current }
        name = operation.rowTable ?? operation.table
        current = name.flatMap { found.removeValue(forKey: $0) } ?? Gathered()
        last = operation
      }
      if name != nil { body(operation, &current) }
    }
    if let name { found[name] = current }
    for name in Array(found.keys) {
      guard var gathered = found.removeValue(forKey: name) else { continue }
      tables[name] = TableOperations(keys: gathered.takeKeys(), items: gathered.takeItems())
    }
  }
}

/// The rows and items of one table that operations are about.
struct TableOperations: Sendable {
  let keys: KeyLookup
  fileprivate let items: KeyLookup

  /// Whether there is no row that an operation is tied to.
  var hasNoRows: Bool { keys.isEmpty }

  func isWanted(_ key: Int64) -> Bool { keys.contains(key) }

  /// Whether an operation that counts names an item of this hash.
  func names(_ hash: UInt64) -> Bool { items.contains(Int64(bitPattern: hash)) }
}
