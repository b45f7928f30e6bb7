import Bytes
import Records

/// Some operations on items of one table, of which they need the rows.
struct NeededItems: Sendable {
  /// The places of the operations in their queue.
  private(set) var operations: [Int] = []
  private(set) var hashes: [UInt64] = []

  /// The operations of some places that need a row of one of some tables, by the table that they
  /// name, found on several threads.
  static func byTable(
    _ operations: OperationList, of tables: Set<ExactText>, in places: Range<Int>,
    hashing comparison: ItemIDComparison, seed: UInt64
  ) -> [ExactText: [NeededItems]] {
    let slices = inParallel(slicesOf: places.count, threads: threadCount()) { slice in
      var found = NeededTables(tables, count: slice.count)
      let start = places.lowerBound
      operations.lendEach(in: slice.lowerBound + start..<slice.upperBound + start) {
        guard $1.kind == .insert || $1.kind == .update,
          let hash = $1.itemHash(seed: seed, by: comparison.hash)
        else { return }
        found.add($1, at: $0, hash: hash)
      }
      return found.all
    }
    var needed: [ExactText: [NeededItems]] = [:]
    for (name, items) in slices.joined() { needed[name, default: []].append(items) }
    return needed
  }

  /// The same, at most so many at a time.
  func chunks(of size: Int) -> some Sequence<(ArraySlice<Int>, ArraySlice<UInt64>)> {
    stride(from: 0, to: hashes.count, by: size).lazy.map { start in
      let chunk = start..<min(start + size, hashes.count)
      return (operations[chunk], hashes[chunk])
    }
  }

  fileprivate mutating func reserve(_ count: Int) {
    operations.reserveCapacity(count)
    hashes.reserveCapacity(count)
  }

  fileprivate mutating func add(_ place: Int, _ hash: UInt64) {
    operations.append(place)
    hashes.append(hash)
  }
}

/// Operations that need a row, by table.
private struct NeededTables {
  private let wanted: Set<ExactText>
  private var finished: [ExactText: NeededItems] = [:]
  /// The table of the operation that came last; neighbours mostly name the same.
  private var items = NeededItems()
  private var example: PendingOperation?
  /// The table of that operation, where it is wanted.
  private var name: ExactText?

  init(_ wanted: Set<ExactText>, count: Int) {
    self.wanted = wanted
    items.reserve(count)
  }

  mutating func add(_ operation: borrowing PendingOperation, at place: Int, hash: UInt64) {
    if example?.isForSameTable(as: operation) != true {
      if name != nil { finish() }
      example = copy operation
      name = operation.table.map { ExactText($0) }.flatMap { wanted.contains($0) ? $0 : nil }
      items = name.flatMap { finished.removeValue(forKey: $0) } ?? items
    }
    if name != nil { items.add(place, hash) }
  }

  private mutating func finish() {
    if let name { finished[name] = items }
    items = NeededItems()
  }

  var all: [ExactText: NeededItems] {
    var copy = self
    copy.finish()
    return copy.finished
  }
}
