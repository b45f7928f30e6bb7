import Bytes
import Records

/// Which rows and items the operations are about, for fast questions while rows stream by.
struct OperationRows {
  private var keys: [ExactText: KeyLookup] = [:]
  private var items: [ExactText: KeyLookup] = [:]

  /// Takes the rows of all operations, and the items of those that are not done or that a replay
  /// has done: the store's own rows never learn the versions that the target gave.
  init(_ queue: Queue) {
    let deliveries = queue.deliveries
    // One after the other, since both lists of a long queue take too much memory together.
    keys = Self.gather(queue.operations) { $0.rowKey }
    items = Self.gather(queue.operations) { operation in
      guard operation.state.isPending || deliveries.latest(of: operation.sequence) != nil else {
        return nil
      }
      return operation.itemHash().map { Int64(bitPattern: $0) }
    }
  }

  /// Takes only the rows that are compared with a copy of the server's.
  init(comparedIn queue: Queue) {
    let sequences = Set(
      queue.errors.lazy.filter { $0.serverItem != nil }.compactMap(\.operation))
    guard !sequences.isEmpty else { return }
    keys = Self.gather(queue.operations) { operation in
      sequences.contains(operation.sequence) ? operation.rowKey : nil
    }
  }

  /// What they say about one table.
  subscript(table: String) -> TableOperations {
    TableOperations(
      keys: keys[ExactText(table)] ?? KeyLookup(), items: items[ExactText(table)] ?? KeyLookup())
  }

  /// Gathers a number of each operation, by the table that has the rows of the operations.
  private static func gather(
    _ operations: OperationList, _ number: (borrowing PendingOperation) -> Int64?
  ) -> [ExactText: KeyLookup] {
    var found = NumbersByTable()
    operations.lendEach { found.add(number($1), of: $1) }
    return found.lookups()
  }
}

/// Numbers of operations, by the table that has the rows of the operations.
private struct NumbersByTable: ~Copyable {
  private var finished: [ExactText: [Int64]] = [:]
  /// The operation that came last; neighbours mostly name the same table.
  private var last = PendingOperation()
  /// The name of its table, and the numbers that belong there.
  private var name: ExactText?
  private var numbers: [Int64] = []

  mutating func add(_ number: Int64?, of operation: borrowing PendingOperation) {
    if !last.isForSameRows(as: operation) { turn(to: operation) }
    if name != nil, let number { numbers.append(number) }
  }

  private mutating func turn(to operation: borrowing PendingOperation) {
    finish()
    last = copy operation
    name = (operation.rowTable ?? operation.table).map { ExactText($0) }
    numbers = name.flatMap { finished.removeValue(forKey: $0) } ?? []
  }

  private mutating func finish() {
    if let name { finished[name] = numbers }
    numbers = []
  }

  /// All of them, none of which is kept.
  consuming func lookups() -> [ExactText: KeyLookup] {
    finish()
    var lookups: [ExactText: KeyLookup] = [:]
    for name in Array(finished.keys) {
      if let numbers = finished.removeValue(forKey: name) { lookups[name] = KeyLookup(numbers) }
    }
    return lookups
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
