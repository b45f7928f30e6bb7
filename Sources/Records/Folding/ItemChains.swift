/// Which operations are about the same item, as the SDKs tell items apart.
///
/// Only operations take part that may still be sent, can be decoded and name table and item. Of a
/// store of several sources each has its own: what one device has queued says nothing about what
/// another one does with its copy of the item.
package struct ItemChains: Sendable {
  /// The operation before each on the same item.
  package private(set) var previous: Places
  /// The operation after each on the same item.
  package private(set) var next: Places
  /// For each operation that cannot be decoded, the decodable ones before and after it.
  private(set) var undecoded: [(place: Int, before: Int?, after: Int?)] = []

  /// A place in the queue, or none, for each operation.
  package struct Places: Sendable {
    private var places: [Int32]

    init(count: Int) { places = [Int32](repeating: -1, count: count) }

    /// The place for an operation.
    package fileprivate(set) subscript(place: Int) -> Int? {
      get { places[place] < 0 ? nil : Int(places[place]) }
      set { places[place] = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
    }
  }

  /// Links operations that come in push order; takes time in proportion to their number.
  ///
  /// Sources are told apart unless `joiningSources` says that all of them become one device; in
  /// `exactSources` ids that differ only in letter case are two items.
  package init(
    _ operations: OperationList, joiningSources: Bool = false,
    exactSources: Set<Int32> = []
  ) {
    previous = Places(count: operations.count)
    next = previous
    var items = LatestItems(operations, joiningSources, exactSources)
    // The numbers of those that cannot be decoded, by the first of them on an item.
    var waiting: [Int: [Int]] = [:]
    for (place, operation) in operations.enumerated() where operation.state.isPending {
      guard let hash = items.hash(of: operation) else { continue }
      let latest = items.latest(on: operation, hash)
      let isDecoded = latest.map { waiting.isEmpty || waiting[$0] == nil } ?? false
      guard operation.kind != nil else {
        if latest == nil { items.add(place, hash) }
        if !isDecoded { waiting[latest ?? place, default: []].append(undecoded.count) }
        undecoded.append((place, isDecoded ? latest : nil, nil))
        continue
      }
      guard let latest else {
        items.add(place, hash)
        continue
      }
      items.replace(latest, hash, with: place)
      if isDecoded {
        previous[place] = latest
        next[latest] = place
      } else {
        for number in waiting.removeValue(forKey: latest) ?? [] { undecoded[number].after = place }
      }
    }
  }
}

/// The latest operation on each item while a queue is gone through: one that can be decoded, unless
/// there is none yet, and then the first.
private struct LatestItems {
  private let operations: OperationList
  private let joiningSources: Bool
  private let exactSources: Set<Int32>
  private var places: HashPlaces

  init(
    _ operations: OperationList, _ joiningSources: Bool, _ exactSources: Set<Int32>
  ) {
    self.operations = operations
    self.joiningSources = joiningSources
    self.exactSources = exactSources
    // To look at the operation before each would be to read all of a long queue in any order.
    places = HashPlaces(capacity: operations.count, isExact: operations.isSpilled)
  }

  /// The hash of the item; nil where an operation does not tell it.
  func hash(of operation: PendingOperation) -> UInt64? {
    let source = joiningSources ? 0 : operation.source
    return operation.itemHash(
      inTableSeededBy: places.seed ^ UInt64(truncatingIfNeeded: source),
      exactly: exactSources.contains(operation.source))
  }

  func latest(on operation: PendingOperation, _ hash: UInt64) -> Int? {
    places.first(of: hash) { place in
      let other = operations[place]
      return (joiningSources || other.source == operation.source)
        && other.isAboutSameItem(
          as: operation, exactly: exactSources.contains(operation.source))
    }
  }

  mutating func add(_ place: Int, _ hash: UInt64) { places.add(place, hash: hash) }

  mutating func replace(_ place: Int, _ hash: UInt64, with later: Int) {
    places.replace(place, hash: hash, with: later)
  }
}
