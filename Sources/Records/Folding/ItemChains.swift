import Bytes

/// Which operations are about the same item, as the SDKs tell items apart.
///
/// Only operations take part that may still be sent, can be decoded and name table and item. Of a
/// store of several sources each has its own: what one device has queued says nothing about what
/// another one does with its copy of the item. Ids that differ in letter case name one item unless
/// they are tied to different rows, or only one of them to any.
package struct ItemChains: Sendable {
  /// The operation before each on the same item.
  package private(set) var previous: Places
  /// The operation after each on the same item.
  package private(set) var next: Places
  /// The operations that cannot be decoded, each of which may stand beside some that can.
  package private(set) var undecoded = PlaceList()
  /// The operations that spell their id otherwise than the one before them on the item.
  private var respelled = PlaceList()

  /// A place in the queue, or none, for each operation; no memory where none has one.
  package struct Places: Sendable {
    private var places: [Int32]

    init(count: Int) { places = [Int32](repeating: -1, count: count) }

    /// The place for an operation.
    package fileprivate(set) subscript(place: Int) -> Int? {
      get { place >= places.count || places[place] < 0 ? nil : Int(places[place]) }
      set { places[place] = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
    }

    /// A mark of 31 bits on an operation that has no place, for which there is room meanwhile.
    fileprivate func mark(on place: Int) -> Int32 { ~places[place] }

    fileprivate mutating func set(_ mark: Int32, on place: Int) { places[place] = ~mark }

    /// What an operation stands beside that takes no part, and so has no place of its own.
    fileprivate func neighbour(of place: Int) -> Int? {
      place >= places.count || places[place] > -2 ? nil : Int(-2 - places[place])
    }

    fileprivate mutating func set(neighbour: Int?, of place: Int) {
      places[place] = neighbour.map { -2 - Int32(truncatingIfNeeded: $0) } ?? -1
    }
  }

  /// Links operations that come in push order; takes time in proportion to their number.
  ///
  /// Sources are told apart unless `joiningSources` says that all of them become one device; to
  /// `exactSources` ids that differ only in letter case are two items, also beside those of others.
  /// The `hashMask` lets tests see what becomes of items whose hashes are the same.
  package init(
    _ operations: OperationList, joiningSources: Bool = false,
    exactSources: Set<Int32> = [], hashMask: UInt64 = .max
  ) {
    // What is one item to some of the devices that are joined, and two to others, is split up later.
    var items = LatestItems(
      operations, joiningSources, joiningSources ? [] : exactSources, hashMask)
    previous = Places(count: items.isEmpty ? 0 : operations.count)
    next = previous
    operations.lendEach { place, operation in
      guard operation.state.isPending, let hash = items.hash(of: operation) else { return }
      let mark = items.mark(of: operation)
      items.noteSpelling(of: operation, at: place)
      let latest = items.latest(on: operation, hash) { next.mark(on: $0) == mark }
      if latest == nil { items.add(place, hash) }
      guard operation.kind != nil else {
        if latest == nil { next.set(mark, on: place) }
        addUndecoded(place, behind: latest)
        return
      }
      next.set(mark, on: place)
      guard let latest else { return }
      items.replace(latest, hash, with: place)
      if undecoded.contains(latest) {
        endWaiting(behind: latest, at: place)
      } else {
        previous[place] = latest
        next[latest] = place
        if items.isRespelled(operation, at: place, after: latest) { respelled.append(place) }
      }
    }
    forgetWaiting()
    separateRows(of: operations, exactly: joiningSources ? exactSources : [])
  }
}

extension ItemChains {
  /// The decodable operation on the item before one that cannot be decoded.
  package func before(undecoded place: Int) -> Int? {
    undecoded.contains(place) ? previous.neighbour(of: place) : nil
  }

  /// The first decodable operation behind it, where none is before it or their item was told from
  /// others.
  package func after(undecoded place: Int) -> Int? {
    undecoded.contains(place) ? next.neighbour(of: place) : nil
  }

  /// A decodable operation on the item of one that cannot be decoded.
  package func neighbour(ofUndecoded place: Int) -> Int? {
    before(undecoded: place) ?? after(undecoded: place)
  }

  /// Notes an operation that cannot be decoded: those before the first on the item that can wait for
  /// it in a ring, in which the first of them leads to the last.
  private mutating func addUndecoded(_ place: Int, behind latest: Int?) {
    if let latest, undecoded.contains(latest) {
      previous.set(neighbour: before(undecoded: latest), of: place)
      previous.set(neighbour: place, of: latest)
    } else {
      previous.set(neighbour: latest ?? place, of: place)
    }
    undecoded.append(place)
  }

  /// Tells those that wait in a ring which decodable operation comes after them.
  private mutating func endWaiting(behind first: Int, at after: Int) {
    var place: Int? = first
    while let current = place, let before = before(undecoded: current) {
      previous.set(neighbour: nil, of: current)
      next.set(neighbour: after, of: current)
      place = before
    }
  }

  /// Lets go of the rings of those that have waited in vain.
  private mutating func forgetWaiting() {
    for place in undecoded {
      guard let before = before(undecoded: place), undecoded.contains(before) else { continue }
      previous.set(neighbour: nil, of: place)
      next.set(neighbour: nil, of: place)
    }
  }

  /// Links operations on ids that differ in letter case only where they are tied to the same row.
  ///
  /// Rows of their own show that to the SDK they are two items. To `exactSources` they are two where
  /// no row says otherwise, too.
  ///
  /// - Returns: whether any were linked otherwise before.
  @discardableResult
  mutating func separateRows(
    of operations: OperationList, exactly exactSources: Set<Int32> = []
  ) -> Bool {
    var isChanged = false
    // Which of those that cannot be decoded stand beside an operation, where any do.
    let besides = respelled.isEmpty ? [] : undecodedByNeighbour()
    for place in respelled {
      guard let first = first(ofItemRespelledAt: place) else { continue }
      let items = itemsBySpelling(from: first, operations, exactSources)
      guard Set(items.values).count > 1 else { continue }
      link(from: first, operations, by: items, besides)
      isChanged = true
    }
    if !exactSources.isEmpty { separateUndecoded(of: operations, exactly: exactSources) }
    return isChanged
  }

  /// The first operation on the item that the one at a place is the first to spell anew; nil where
  /// another one is, so that each item is looked at once.
  private func first(ofItemRespelledAt place: Int) -> Int? {
    guard previous[place] != nil else { return nil }
    var first = place
    while let before = previous[first] {
      if respelled.contains(before) { return nil }
      first = before
    }
    return first
  }

  /// What the operations of a chain are about, by how they spell the id; nil where nothing tells it
  /// from what others are about.
  private func itemsBySpelling(
    from first: Int, _ operations: OperationList, _ exactSources: Set<Int32>
  ) -> [ExactText: Item?] {
    var items: [ExactText: Item?] = [:]
    var place: Int? = first
    while let current = place {
      let operation = operations[current]
      let spelling = ExactText(operation.itemID ?? "")
      let known = items[spelling] ?? nil
      if let row = Row(of: operation) {
        if known?.isRow != true { items[spelling] = .row(row) }
      } else if known == nil {
        let isExact = exactSources.contains(operation.source)
        items.updateValue(isExact ? .spelling(spelling) : nil, forKey: spelling)
      }
      place = next[current]
    }
    return items
  }

  /// Links the operations of a chain to those before them on the same item.
  private mutating func link(
    from first: Int, _ operations: OperationList, by items: [ExactText: Item?],
    _ besides: [Beside]
  ) {
    // The operations on each item, in push order.
    var chains: [Item?: [Int]] = [:]
    var place: Int? = first
    while let current = place {
      place = next[current]
      let item = items[ExactText(operations[current].itemID ?? "")] ?? nil
      let before = chains[item]?.last
      chains[item, default: []].append(current)
      previous[current] = before
      next[current] = nil
      if let before { next[before] = current }
    }
    for neighbour in chains.values.joined() {
      let start = firstPlace(in: besides) { $0.neighbour >= neighbour }
      for beside in besides[start...].prefix(while: { $0.neighbour == neighbour }) {
        // One that spells the id as none of the others does stays where it is.
        guard let item = items[ExactText(operations[Int(beside.place)].itemID ?? "")] else {
          continue
        }
        let own = chains[item] ?? []
        let behind = firstPlace(in: own) { $0 > beside.place }
        previous.set(neighbour: behind > 0 ? own[behind - 1] : nil, of: Int(beside.place))
        next.set(neighbour: behind < own.count ? own[behind] : nil, of: Int(beside.place))
      }
    }
  }

  /// Takes operations that cannot be decoded from between those on items that their SDK tells from
  /// theirs.
  private mutating func separateUndecoded(
    of operations: OperationList, exactly exactSources: Set<Int32>
  ) {
    for place in undecoded {
      let own = operations[place]
      guard exactSources.contains(own.source) else { continue }
      let isOnOther = { (place: Int) in
        let other = operations[place]
        return exactSources.contains(other.source)
          && !own.fields.isSame(.itemID, as: other.fields)
      }
      if before(undecoded: place).map(isOnOther) == true {
        previous.set(neighbour: nil, of: place)
      }
      if after(undecoded: place).map(isOnOther) == true { next.set(neighbour: nil, of: place) }
    }
  }

  /// An operation that cannot be decoded, and one that can on its item.
  private struct Beside {
    let neighbour: Int32
    let place: Int32
  }

  /// The operations that cannot be decoded, in the order of the operations beside them.
  private func undecodedByNeighbour() -> [Beside] {
    var besides: [Beside] = []
    for place in undecoded {
      guard let neighbour = neighbour(ofUndecoded: place) else { continue }
      besides.append(
        Beside(
          neighbour: Int32(truncatingIfNeeded: neighbour),
          place: Int32(truncatingIfNeeded: place)))
    }
    besides.sort { $0.neighbour < $1.neighbour }
    return besides
  }

  /// What tells the item of operations from others whose ids differ in letter case only.
  private enum Item: Hashable {
    case row(Row)
    /// How the id is spelled, for SDKs to which that matters.
    case spelling(ExactText)

    var isRow: Bool {
      if case .row = self { true } else { false }
    }
  }

  /// A row to which operations are tied.
  private struct Row: Hashable {
    let table: ExactText
    let key: Int64

    init?(of operation: PendingOperation) {
      guard let key = operation.rowKey, let table = operation.rowTable ?? operation.table else {
        return nil
      }
      (self.table, self.key) = (ExactText(table), key)
    }
  }
}
