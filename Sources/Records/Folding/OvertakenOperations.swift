package import Bytes

/// The operations of a queue that wait although a later one of another device on their item was sent.
///
/// A device's own operations never overtake each other.
package struct OvertakenOperations: Sendable {
  /// The place of each, and that of the last operation on the item that was sent.
  private var places = PackedPairs()

  /// None.
  package init() {}

  /// Finds them in a queue, given which operations wait, which were sent, and a hash of the item of
  /// each, which is nil where it has none.
  ///
  /// Where devices send parts of items, `fields` tells what an operation has of its item, and nil where
  /// that may be all: those that have nothing in common do not overtake each other.
  package init(
    of operations: OperationList, hash: (borrowing PendingOperation) -> UInt64?,
    isWaiting: (Int, borrowing PendingOperation) -> Bool,
    isSent: (Int, borrowing PendingOperation) -> Bool,
    fields: ((borrowing PendingOperation) -> Set<ExactText>?)? = nil
  ) {
    let survey = Survey(of: operations, isWaiting: isWaiting, isSent: isSent)
    guard survey.hasSeveralDevices, survey.waiting > 0 else { return }
    let isByWaiting = survey.waiting < survey.sent
    var last = LastSent(capacity: min(survey.waiting, survey.sent), hasParts: fields != nil)
    if isByWaiting {
      operations.lendEach(in: survey.places) { place, operation in
        if isWaiting(place, operation), let hash = hash(operation) { last.addItem(hash) }
      }
    }
    operations.lendEach(in: survey.places) { place, operation in
      guard isSent(place, operation), let hash = hash(operation) else { return }
      guard let item = isByWaiting ? last.item(hash) : last.addItem(hash) else { return }
      last.add(place, to: item, fields?(operation))
    }
    operations.lendEach(in: survey.places) { place, operation in
      guard isWaiting(place, operation), let item = hash(operation).flatMap({ last.item($0) }),
        last.ofAll(item) > place
      else { return }
      let later = last.place(on: item, sharing: fields?(operation))
      guard later > place, survey.device(at: later) != operation.source else { return }
      places.append(place, later)
    }
  }

  /// Whether there are none.
  package var isEmpty: Bool { places.count == 0 }

  /// The places of all, in their order.
  package var all: some Sequence<Int> { places.lazy.map { $0.0 } }

  /// The place of the operation that was sent behind the one at a place; nil where none is.
  package func later(than place: Int) -> Int? {
    let position = places.firstPosition(from: place)
    guard position < places.count, places[position].0 == place else { return nil }
    return places[position].1
  }
}

/// Which operations of a queue there are to compare.
private struct Survey {
  /// The operations up to the last one that was sent.
  private(set) var places = 0..<0
  /// How many of them were sent, and how many wait.
  private(set) var sent = 0
  private(set) var waiting = 0
  private(set) var hasSeveralDevices = false
  /// Where the operations of another device begin than those before; devices mostly stand together.
  private var devices: [(start: Int32, device: Int32)] = []

  init(
    of operations: OperationList, isWaiting: (Int, borrowing PendingOperation) -> Bool,
    isSent: (Int, borrowing PendingOperation) -> Bool
  ) {
    var waiting = 0
    operations.lendEach { place, operation in
      let wasSent = isSent(place, operation)
      let waits = isWaiting(place, operation)
      guard wasSent || waits else { return }
      note(operation.source, at: place)
      if waits { waiting += 1 }
      guard wasSent else { return }
      sent += 1
      (places, self.waiting) = (0..<place + 1, waiting)
    }
    hasSeveralDevices = devices.contains { $0.device != devices[0].device }
  }

  private mutating func note(_ device: Int32, at place: Int) {
    if devices.last?.device != device {
      devices.append((Int32(truncatingIfNeeded: place), device))
    }
  }

  /// The device of an operation that was sent or waits.
  func device(at place: Int) -> Int32 {
    devices[firstPlace(in: devices) { $0.start > place } - 1].device
  }
}

/// The last of the operations on each of some items that were sent, by places in the queue.
private struct LastSent {
  private struct Field: Hashable {
    let item: Int32
    let name: Int32
  }

  /// The items by their hashes.
  private var items: HashPlaces
  private var hashes: [UInt64] = []
  /// The last operation on each item, and the last of those that may have every field.
  private var last: [Int32] = []
  private var whole: [Int32] = []
  private let hasParts: Bool
  private var byField: [Field: Int32] = [:]
  private var names: [ExactText: Int32] = [:]

  /// Makes room for so many items; where there are no parts, operations may have every field.
  init(capacity: Int, hasParts: Bool) {
    items = HashPlaces(capacity: capacity)
    self.hasParts = hasParts
    hashes.reserveCapacity(capacity)
    last.reserveCapacity(capacity)
    if hasParts { whole.reserveCapacity(capacity) }
  }

  /// The item with a hash; nil where it is none of these.
  func item(_ hash: UInt64) -> Int? { items.first(of: hash) { hashes[$0] == hash } }

  /// Adds an item, unless it is there.
  @discardableResult
  mutating func addItem(_ hash: UInt64) -> Int? {
    if let item = item(hash) { return item }
    items.add(hashes.count, hash: hash)
    hashes.append(hash)
    last.append(-1)
    if hasParts { whole.append(-1) }
    return hashes.count - 1
  }

  /// Adds an operation behind all others.
  mutating func add(_ place: Int, to item: Int, _ fields: Set<ExactText>?) {
    let place = Int32(truncatingIfNeeded: place)
    last[item] = place
    guard hasParts else { return }
    guard let fields else {
      whole[item] = place
      return
    }
    for field in fields {
      let name = names[field] ?? Int32(truncatingIfNeeded: names.count)
      names[field] = name
      byField[Field(item: Int32(truncatingIfNeeded: item), name: name)] = place
    }
  }

  /// The last operation on an item; -1 where there is none.
  func ofAll(_ item: Int) -> Int { Int(last[item]) }

  /// The last one that has something of what another operation has; -1 where none has.
  func place(on item: Int, sharing fields: Set<ExactText>?) -> Int {
    guard hasParts, let fields else { return ofAll(item) }
    var found = whole[item]
    for name in fields.lazy.compactMap({ names[$0] }) {
      let field = Field(item: Int32(truncatingIfNeeded: item), name: name)
      found = max(found, byField[field] ?? -1)
    }
    return Int(found)
  }
}
