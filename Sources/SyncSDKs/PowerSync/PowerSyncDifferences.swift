import Bytes
import Records

/// What the queue, the downloads and the list of what was written here tell of an item.
struct PowerSyncFacts: ItemFacts {
  /// Where a note comes from; those of operations have their places, and those of copies the number
  /// of what was sent and their row among the downloads.
  enum Source: UInt8 {
    case write
    case delete
    /// An operation that waits, too, of which nobody can tell what it does.
    case unreadable
    case written
    case copy
    /// A copy that waits to be applied.
    case waitingCopy
  }

  /// The newest copy of an item; what it holds is read when it is asked for.
  struct Copy {
    let operation: Int64
    /// Its row among the downloads.
    let row: Int64
  }

  /// The place of the last operation, and those of all that write the item.
  private(set) var last: Int?
  private(set) var writes: [Int32] = []
  private var endsWithDelete = false
  /// Whether it was written here since the last complete download.
  private(set) var isWritten = false
  private(set) var copy: Copy?
  private(set) var hasWaitingCopy = false

  /// Whether operations leave a row.
  var isWrittenInTheEnd: Bool { !writes.isEmpty && !endsWithDelete }

  mutating func add(_ note: ItemNotes<Self>.Note) {
    switch note.source {
    case .write, .delete:
      last = Int(note.numbers.0)
      endsWithDelete = note.source == .delete
      if !endsWithDelete { writes.append(Int32(truncatingIfNeeded: note.numbers.0)) }
    case .unreadable:
      last = Int(note.numbers.0)
    case .written:
      isWritten = true
    case .copy, .waitingCopy:
      if note.source == .waitingCopy { hasWaitingCopy = true }
      if let copy, copy.operation >= note.numbers.0 { return }
      copy = Copy(operation: note.numbers.0, row: note.numbers.1)
    }
  }
}

/// What differs between operations, rows and copies, of however many items.
struct PowerSyncDifferences {
  /// An item for which something waits and of which the service has sent a newer copy.
  struct Conflict {
    let item: ItemName
    /// The place of its last operation.
    let place: Int
    /// The row of the copy among the downloads.
    let row: Int64
  }

  /// A row that is not as the service sent it, though nothing waits.
  private struct LocalChange {
    let item: ItemName
    let isCopied: Bool
  }

  /// The places of operations whose items have no row, and of the last ones on items in conflict.
  private var rowless: KeySet = []
  private var conflicts: KeySet = []
  private var hasRowless = false
  private var hasConflicts = false
  /// Of how many conflicts the fields are compared; those of all would take much memory.
  private var firstConflicts = FirstFew<Conflict>(1000) { $0.place < $1.place }
  private var localChanges = FirstFew<LocalChange>(ListedFindings.limit, by: Self.isBefore)
  /// How many there are of each type.
  private var changeCounts: [ExactText: Int] = [:]

  private static func isBefore(_ one: LocalChange, _ other: LocalChange) -> Bool {
    guard one.item.table == other.item.table else {
      return one.item.table ?? "" < other.item.table ?? ""
    }
    return one.item.id.wrappedValue < other.item.id.wrappedValue
  }

  /// Adds what operations write that has no row all the same.
  mutating func addRowless(_ items: Set<ItemName>, of group: [ItemName: PowerSyncFacts]) {
    for item in items {
      for place in group[item]?.writes ?? [] { rowless.insert(Int64(place)) }
      hasRowless = true
    }
  }

  /// Adds items for which something waits, and of which a newer copy waits to be applied, too.
  mutating func addConflicts(of group: [ItemName: PowerSyncFacts]) {
    for (item, facts) in group {
      guard facts.hasWaitingCopy, let place = facts.last, let copy = facts.copy else { continue }
      conflicts.insert(Int64(place))
      hasConflicts = true
      firstConflicts.append(Conflict(item: item, place: place, row: copy.row))
    }
  }

  /// Adds a row that is not as it was sent, or of which there is no copy.
  mutating func addLocalChange(of item: ItemName, isCopied: Bool) {
    localChanges.append(LocalChange(item: item, isCopied: isCopied))
    if let type = item.table { changeCounts[type, default: 0] += 1 }
  }

  /// The conflicts of which the fields are compared.
  var compared: ArraySlice<Conflict> { firstConflicts.inOrder }
}

extension PowerSyncDifferences {
  /// Tells of operations whose items end with a write and have no row all the same.
  func tellRowless(to queue: inout Queue) {
    guard hasRowless else { return }
    for (place, operation) in queue.operations.enumerated() where rowless.contains(Int64(place)) {
      queue.tell(
        Finding(
          "operation-without-row", .warning, operation,
          "the row that this operation was made of is gone; its own payload is sent"))
    }
  }

  /// Tells of the conflicts, and in what some of them differ, by the places of their operations.
  func tellConflicts(to queue: inout Queue, differing words: [Int: String]) {
    guard hasConflicts else { return }
    for (place, operation) in queue.operations.enumerated() where conflicts.contains(Int64(place)) {
      queue.tell(
        Finding(
          "conflict-with-downloaded-copy", .warning, operation,
          "the service has sent a newer copy of the item" + (words[place] ?? "")))
    }
  }

  /// Tells of the first rows that are not as they were sent, and counts the others.
  func tellLocalChanges(to queue: inout Queue, _ rows: PowerSyncRows) {
    var left = changeCounts
    for change in localChanges.inOrder {
      guard let type = change.item.table else { continue }
      left[type, default: 0] -= 1
      queue.tell(
        Self.localChange(
          table: rows.name(of: type.wrappedValue), itemID: change.item.id.wrappedValue,
          message: change.isCopied
            ? "the row is not as the service sent it, and nothing waits to be sent"
            : "the row was written here or removed by the service, and nothing waits to be sent"))
    }
    for (type, count) in left.sorted(by: { $0.key < $1.key }) where count > 0 {
      queue.tell(
        Self.localChange(
          table: rows.name(of: type.wrappedValue), message: "and further rows", count: count))
    }
  }

  private static func localChange(
    table: String, itemID: String? = nil, message: String, count: Int = 1
  ) -> Finding {
    Finding(
      "local-change-without-operation", .warning, table: table, itemID: itemID, message: message,
      count: count)
  }
}
