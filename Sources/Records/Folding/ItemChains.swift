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
  /// For each operation that cannot be decoded, the decodable ones before and after it.
  package private(set) var undecoded: [(place: Int, before: Int?, after: Int?)] = []
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
    // The numbers of those that cannot be decoded, by the first of them on an item.
    var waiting: [Int: [Int]] = [:]
    operations.lendEach { place, operation in
      guard operation.state.isPending, let hash = items.hash(of: operation) else { return }
      let mark = items.mark(of: operation)
      items.noteSpelling(of: operation, at: place)
      let latest = items.latest(on: operation, hash) { next.mark(on: $0) == mark }
      let isDecoded = latest.map { waiting.isEmpty || waiting[$0] == nil } ?? false
      guard operation.kind != nil else {
        if latest == nil {
          items.add(place, hash)
          next.set(mark, on: place)
        }
        if !isDecoded { waiting[latest ?? place, default: []].append(undecoded.count) }
        undecoded.append((place, isDecoded ? latest : nil, nil))
        return
      }
      next.set(mark, on: place)
      guard let latest else {
        items.add(place, hash)
        return
      }
      items.replace(latest, hash, with: place)
      if isDecoded {
        previous[place] = latest
        next[latest] = place
        if items.isRespelled(operation, at: place, after: latest) { respelled.append(place) }
      } else {
        for number in waiting.removeValue(forKey: latest) ?? [] { undecoded[number].after = place }
      }
    }
    separateRows(of: operations, exactly: joiningSources ? exactSources : [])
  }
}

extension ItemChains {
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
    let besides = respelled.isEmpty ? [:] : undecodedByNeighbour()
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
    _ besides: [Int: [Int]]
  ) {
    var numbers: Set<Int> = []
    // The operations on each item, in push order.
    var chains: [Item?: [Int]] = [:]
    var place: Int? = first
    while let current = place {
      place = next[current]
      let item = items[ExactText(operations[current].itemID ?? "")] ?? nil
      numbers.formUnion(besides[current] ?? [])
      let before = chains[item]?.last
      chains[item, default: []].append(current)
      previous[current] = before
      next[current] = nil
      if let before { next[before] = current }
    }
    for number in numbers {
      // One that spells the id as none of the others does stays where it is.
      guard let item = items[ExactText(operations[undecoded[number].place].itemID ?? "")] else {
        continue
      }
      let own = chains[item] ?? []
      let behind = firstPlace(in: own) { $0 > undecoded[number].place }
      undecoded[number].before = behind > 0 ? own[behind - 1] : nil
      undecoded[number].after = behind < own.count ? own[behind] : nil
    }
  }

  /// Takes operations that cannot be decoded from between those on items that their SDK tells from
  /// theirs.
  private mutating func separateUndecoded(
    of operations: OperationList, exactly exactSources: Set<Int32>
  ) {
    for number in undecoded.indices {
      let own = operations[undecoded[number].place]
      guard exactSources.contains(own.source) else { continue }
      let isOnOther = { (place: Int) in
        let other = operations[place]
        return exactSources.contains(other.source)
          && !own.fields.isSame(.itemID, as: other.fields)
      }
      if undecoded[number].before.map(isOnOther) == true { undecoded[number].before = nil }
      if undecoded[number].after.map(isOnOther) == true { undecoded[number].after = nil }
    }
  }

  /// The numbers of operations that cannot be decoded, by the operations before and after them.
  private func undecodedByNeighbour() -> [Int: [Int]] {
    var numbers: [Int: [Int]] = [:]
    for (number, operation) in undecoded.enumerated() {
      for place in [operation.before, operation.after].compactMap(\.self) {
        numbers[place, default: []].append(number)
      }
    }
    return numbers
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

/// The latest operation on each item while a queue is gone through: one that can be decoded, unless
/// there is none yet, and then the first.
///
/// Of a long queue the operations before are not looked at, which would be to read all of it in any
/// order. Two hashes of the item tell it instead: one finds an operation, the other is a mark on it.
/// That two of two million items agree in nearly all of these 95 bits is rarer than one run in 10^14.
private struct LatestItems: ~Copyable {
  private let operations: OperationList
  private let joiningSources: Bool
  private let exactSources: Set<Int32>
  private let hashMask: UInt64
  private let hasMarks: Bool
  private let markSeed = UInt64.random(in: .min ... .max)
  private var places: HashPlaces
  /// The capitals of each id, where operations are not looked at unless these are not known; none as
  /// long as no id has any.
  private var capitals: [UInt32] = []
  /// Whether none of the operations may still be sent.
  let isEmpty: Bool

  init(
    _ operations: OperationList, _ joiningSources: Bool, _ exactSources: Set<Int32>,
    _ hashMask: UInt64
  ) {
    self.operations = operations
    self.joiningSources = joiningSources
    self.exactSources = exactSources
    self.hashMask = hashMask
    hasMarks = operations.isSpilled
    // Of a long queue that an earlier run has sent there may be few left, or none.
    let most = hasMarks ? operations.count { $0.state.isPending } : operations.count
    places = HashPlaces(capacity: most, below: operations.count, isWide: hasMarks)
    isEmpty = most == 0
  }

  /// The hash of the item; nil where an operation does not tell it.
  func hash(of operation: borrowing PendingOperation) -> UInt64? {
    hash(of: operation, seed: places.seed).map { $0 & hashMask }
  }

  /// The mark of the item; the same for all where operations are looked at.
  func mark(of operation: borrowing PendingOperation) -> Int32 {
    guard hasMarks, let hash = hash(of: operation, seed: markSeed) else { return 0 }
    return Int32(truncatingIfNeeded: hash &>> 33)
  }

  private func hash(of operation: borrowing PendingOperation, seed: UInt64) -> UInt64? {
    let source = joiningSources ? 0 : operation.source
    // What two sources differ in must not be what the names of two tables differ in.
    let own = (seed ^ UInt64(truncatingIfNeeded: source))
      .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return operation.itemHash(
      inTableSeededBy: own.high ^ own.low,
      exactly: exactSources.contains(operation.source))
  }

  func latest(
    on operation: borrowing PendingOperation, _ hash: UInt64, isMarked: (Int) -> Bool
  ) -> Int? {
    places.first(of: hash) { place in
      guard !hasMarks else { return isMarked(place) }
      return operations.with(place) { other in
        (joiningSources || other.source == operation.source)
          && other.isAboutSameItem(
            as: operation, exactly: exactSources.contains(operation.source))
      }
    }
  }

  /// Notes how an operation spells the id of its item.
  mutating func noteSpelling(of operation: borrowing PendingOperation, at place: Int) {
    guard hasMarks, !exactSources.contains(operation.source) else { return }
    let own = operation.withItemID { capitalLetters(of: $0) } ?? 0
    if capitals.isEmpty, own != 0 {
      capitals = [UInt32](repeating: 0, count: operations.count)
    }
    if !capitals.isEmpty { capitals[place] = own }
  }

  /// Whether an operation spells the id otherwise than the one before it on the item.
  func isRespelled(
    _ operation: borrowing PendingOperation, at place: Int, after latest: Int
  ) -> Bool {
    if hasMarks {
      guard !capitals.isEmpty else { return false }
      guard capitals[place] == capitals[latest] else { return true }
      if capitals[place] != unknownCapitals { return false }
    }
    return !operations.with(latest) { $0.fields.isSame(.itemID, as: operation.fields) }
  }

  mutating func add(_ place: Int, _ hash: UInt64) { places.add(place, hash: hash) }

  mutating func replace(_ place: Int, _ hash: UInt64, with later: Int) {
    places.replace(place, hash: hash, with: later)
  }
}
