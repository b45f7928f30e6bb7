import Bytes
import Records

/// The payloads of deleted items that have a table of their own, found by what they are called there.
///
/// They are kept like operations, so that many wait in a file.
struct ItemBackups {
  private var items = OperationList(memoryLimit: 1 << 20)
  private var places = HashPlaces(capacity: 0)
  /// Of which of them an operation was found.
  private var areTaken: [Bool] = []

  var isEmpty: Bool { items.isEmpty }

  /// Adds the payload of an item; without a name no operation takes it.
  mutating func append(_ payload: RawValue?, of name: String?) {
    var item = PendingOperation()
    item.sequence = Int64(items.count) + 1
    item.itemID = name
    item.raw = payload
    items.append(item)
  }

  /// Gets ready to find payloads when all were added; of two with one name the later one counts.
  mutating func finish() {
    places = HashPlaces(capacity: items.count, isWide: items.isSpilled)
    areTaken = Array(repeating: false, count: items.count)
    for place in items.indices.reversed() {
      guard let name = items[place].itemID, self.place(of: name) == nil else { continue }
      places.add(place, hash: hash(of: name))
    }
  }

  /// The payload of an item, for an operation on it; nil where there is none.
  mutating func take(_ name: String) -> RawValue? {
    guard let place = place(of: name) else { return nil }
    areTaken[place] = true
    return items[place].raw
  }

  /// Lends those of items on which no operation waits.
  func forEachLeft(_ body: (_ name: String?, _ payload: RawValue?) -> Void) {
    for place in items.indices where !areTaken[place] {
      body(items[place].itemID, items[place].raw)
    }
  }

  private func place(of name: String) -> Int? {
    places.first(of: hash(of: name)) { place in
      items.with(place) { $0.isItemID(name.utf8Span.span) }
    }
  }

  private func hash(of name: String) -> UInt64 {
    spelledHash(name.utf8Span.span, seed: places.seed)
  }
}
