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
    var waiting: [Int: [Int]] = [:]
    for place in operations.indices where operations[place].state.isPending {
      guard let item = items.item(of: place) else { continue }
      guard operations[place].kind != nil else {
        let before = items.latest(item)
        if before == nil { waiting[item, default: []].append(undecoded.count) }
        undecoded.append((place, before, nil))
        continue
      }
      if let before = items.replaceLatest(item, with: place) {
        previous[place] = before
        next[before] = place
      } else if !waiting.isEmpty {
        for number in waiting.removeValue(forKey: item) ?? [] { undecoded[number].after = place }
      }
    }
  }
}

/// The latest decodable operation on each item while a queue is gone through.
private struct LatestItems {
  private let operations: OperationList
  private let joiningSources: Bool
  private let exactSources: Set<Int32>
  private var places: HashPlaces
  /// For the first operation on an item: the latest decodable one.
  private var latest: [Int32]

  init(
    _ operations: OperationList, _ joiningSources: Bool, _ exactSources: Set<Int32>
  ) {
    self.operations = operations
    self.joiningSources = joiningSources
    self.exactSources = exactSources
    places = HashPlaces(capacity: operations.count)
    latest = [Int32](repeating: -1, count: operations.count)
  }

  /// The first operation on the same item; nil where an operation does not tell its item.
  mutating func item(of place: Int) -> Int? {
    let source = joiningSources ? 0 : operations[place].source
    let seed = places.seed ^ UInt64(truncatingIfNeeded: source)
    let isExact = exactSources.contains(operations[place].source)
    guard let hash = operations[place].itemHash(inTableSeededBy: seed, exactly: isExact) else {
      return nil
    }
    let first = places.first(of: hash) {
      (joiningSources || operations[$0].source == source)
        && operations[$0].isAboutSameItem(as: operations[place], exactly: isExact)
    }
    if first == nil { places.add(place, hash: hash) }
    return first ?? place
  }

  func latest(_ item: Int) -> Int? { latest[item] < 0 ? nil : Int(latest[item]) }

  mutating func replaceLatest(_ item: Int, with place: Int) -> Int? {
    defer { latest[item] = Int32(truncatingIfNeeded: place) }
    return latest(item)
  }
}
