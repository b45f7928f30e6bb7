import Bytes
import Records
import SyncSDKs

/// Which rows and items the operations are about, for fast questions while rows stream by.
struct OperationRows {
  private var keys: [ExactText: KeyLookup] = [:]
  private var items: [ExactText: KeyLookup] = [:]
  /// Whether operations do not know their rows, which are noted where they are read.
  private var areRowsNoted = false
  /// Whether some of the items are known by the very spelling of their ids.
  private var tellsSpellings = false

  /// Takes the rows of all operations, and the items of those that are not done or that a replay
  /// has done: the store's own rows never learn the versions that the target gave.
  ///
  /// Operations that do not know their rows have those that are noted where they are read. To the
  /// SDKs of `exactSources` ids that differ only in letter case are two items.
  init(_ queue: Queue, areRowsNoted: Bool = false, exactSources: Set<Int32> = []) {
    self.areRowsNoted = areRowsNoted
    tellsSpellings = !exactSources.isEmpty
    let deliveries = queue.deliveries
    // One after the other, since both lists of a long queue take too much memory together.
    keys = Self.gather(queue.operations) { $0.rowKey }
    items = Self.gather(queue.operations) { operation in
      guard operation.state.isPending || deliveries.latest(of: operation.sequence) != nil else {
        return nil
      }
      let isExact = !exactSources.isEmpty && exactSources.contains(operation.source)
      let hash =
        isExact
        ? operation.itemHash(seed: spellingSeed, by: spelledHash) : operation.itemHash()
      return hash.map { Int64(bitPattern: $0) }
    }
  }

  /// Takes only the rows of some operations.
  init(of sequences: KeySet, in queue: Queue) {
    guard !sequences.isEmpty else { return }
    keys = Self.gather(queue.operations) { operation in
      sequences.contains(operation.sequence) ? operation.rowKey : nil
    }
  }

  /// What they say about one table.
  subscript(table: String) -> TableOperations {
    TableOperations(
      keys: keys[ExactText(table)] ?? KeyLookup(), areRowsNoted: areRowsNoted,
      items: items[ExactText(table)] ?? KeyLookup(), tellsSpellings: tellsSpellings)
  }

  /// The tables in which operations know their rows.
  var tables: some Sequence<ExactText> { keys.lazy.filter { !$0.value.isEmpty }.map(\.key) }

  /// Gathers a number of each operation, by the table that has the rows of the operations.
  private static func gather(
    _ operations: OperationList,
    _ number: @escaping @Sendable (borrowing PendingOperation) -> Int64?
  ) -> [ExactText: KeyLookup] {
    let gather: @Sendable (Range<Int>) -> [ExactText: [Int64]] = { places in
      var found = NumbersByTable()
      operations.lendEach(in: places) { found.add(number($1), of: $1) }
      return found.all()
    }
    // In slices, those of a long list would take their memory twice.
    guard !operations.isSpilled else { return lookups(of: gather(operations.indices)) }
    var numbers: [ExactText: [Int64]] = [:]
    for slice in inParallel(slicesOf: operations.count, threads: threadCount(), gather) {
      for (name, more) in slice { numbers[name, default: []] += more }
    }
    return lookups(of: numbers)
  }

  /// What looks numbers up, none of which is kept.
  private static func lookups(
    of numbers: consuming [ExactText: [Int64]]
  ) -> [ExactText: KeyLookup] {
    var lookups: [ExactText: KeyLookup] = [:]
    for name in Array(numbers.keys) {
      if let numbers = numbers.removeValue(forKey: name) { lookups[name] = KeyLookup(numbers) }
    }
    return lookups
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

  consuming func all() -> [ExactText: [Int64]] {
    finish()
    return finished
  }
}

/// The rows and items of one table that operations are about.
struct TableOperations: Sendable {
  /// The rows of operations that know theirs.
  let keys: KeyLookup
  /// Whether there are others, which are noted where they are read.
  let areRowsNoted: Bool
  fileprivate let items: KeyLookup
  fileprivate let tellsSpellings: Bool

  /// Whether there is no row that an operation may be tied to.
  var hasNoRows: Bool { keys.isEmpty && !areRowsNoted }

  /// Whether an operation may be tied to a row; `isNamed` tells what was noted where it was read.
  func isWanted(_ key: Int64, isNamed: Bool) -> Bool {
    isNamed && areRowsNoted || keys.contains(key)
  }

  /// Whether an operation that counts names an item, given the hash of its id that is the same for all
  /// letter cases, and the one of its spelling.
  func names(_ folded: UInt64, spelled: (_ seed: UInt64) -> UInt64?) -> Bool {
    if items.contains(Int64(bitPattern: folded)) { return true }
    guard tellsSpellings, let hash = spelled(spellingSeed) else { return false }
    return items.contains(Int64(bitPattern: hash))
  }
}

/// What hashes of spellings begin with, so that none is that of an id in lower case.
private let spellingSeed = ~foldingSeed

extension OperationList {
  /// The first operation of each device on items on which several have some that wait.
  ///
  /// - Throws: `FileError` where they cannot be set aside.
  func firstsOfDevices(_ sdks: DeviceSDKs) throws(FileError) -> DeviceFirsts {
    try DeviceFirsts(of: self, exactly: sdks.allSatisfy(\.tellsCaseTwinsApart))
  }
}

extension Queue {
  /// The operations whose rows are compared with a copy of the server's, and, if so wanted, with those of
  /// other devices.
  func sequencesCompared(asOf source: SourceDescription, amongDevices: Bool) -> KeySet {
    var compared = KeySet(errors.lazy.filter { $0.serverItem != nil }.compactMap(\.operation))
    // What cannot be set aside ends the run where the findings are made.
    guard amongDevices, source.isOfSeveral,
      let devices = try? operations.firstsOfDevices(source.sdks)
    else { return compared }
    var shared: KeySet = []
    for first in operations.indices where devices.isFirst(first) {
      for place in devices.places(from: first) { shared.insert(Int64(place)) }
    }
    // One after the other, since those of a long queue wait in a file.
    operations.lendEach { place, operation in
      if shared.contains(Int64(place)) { compared.insert(operation.sequence) }
    }
    return compared
  }
}
