import Bytes
import Records

/// A deleted item as the SDK keeps it until the delete has been tried.
struct ItemBackup {
  /// What the SDK finds it by: the table, a slash and the item's id.
  let id: String?
  /// The names of its table and its own, which are in the id where no column has them.
  let table: String?
  let itemID: String?
  /// The payload, and behind it what else the row has.
  let raw: RawValue?
  /// Whether the id alone tells the names.
  fileprivate let isPlain: Bool

  init(id: String?, table: String? = nil, itemID: String? = nil, raw: RawValue?) {
    let parts = id.flatMap(Self.parts)
    let isWhole = table != nil && itemID != nil
    self.id = id
    self.table = isWhole ? table : parts?.table ?? table
    self.itemID = isWhole ? itemID : parts?.itemID ?? itemID
    self.raw = raw
    isPlain = hasSameBytes(parts?.table, self.table) && hasSameBytes(parts?.itemID, self.itemID)
  }

  /// The names in an id; of bytes, because a mark behind the slash is one letter with it.
  private static func parts(of id: String) -> (table: String, itemID: String)? {
    id.utf8.firstIndex(of: UInt8(ascii: "/")).map { slash in
      (String(id[..<slash]), String(id[id.utf8.index(after: slash)...]))
    }
  }

  /// What an operation finds it by; a row without an id says the same in two columns.
  fileprivate var name: String? {
    if let id { return id }
    guard let table, let itemID else { return nil }
    return "\(table)/\(itemID)"
  }
}

/// The deleted items that have a table of their own, found by what they are called there.
///
/// They are kept like operations, so that many wait in a file.
struct ItemBackups {
  /// As operations on items that are called as operations find them; of those that are not plain the
  /// other texts say more.
  private var items = OperationList(memoryLimit: 1 << 20)
  /// The first of each name.
  private var places = HashPlaces(capacity: 0)
  /// Those behind the first ones of their names.
  private var twins: [Int: [Int]] = [:]
  /// Of which of them an operation was found.
  private var areTaken: [Bool] = []

  var isEmpty: Bool { items.isEmpty }

  mutating func append(_ backup: ItemBackup) {
    var item = PendingOperation()
    item.sequence = Int64(items.count) + 1
    item.itemID = backup.name
    if !backup.isPlain {
      item.originalID = backup.id
      item.table = backup.table
      item.originalCode = backup.itemID
    }
    item.raw = backup.raw
    items.append(item)
  }

  /// Gets ready to find items when all were added.
  mutating func finish() {
    places = HashPlaces(capacity: items.count, isWide: items.isSpilled)
    areTaken = Array(repeating: false, count: items.count)
    for (place, item) in items.enumerated() {
      guard let name = item.itemID else { continue }
      if let first = self.place(of: name) {
        twins[first, default: []].append(place)
      } else {
        places.add(place, hash: hash(of: name))
      }
    }
  }

  /// What is kept of the items of a name, for an operation on it, the one that counts last; nil where
  /// there is none.
  mutating func take(_ name: String) -> [RawValue?]? {
    guard let first = place(of: name) else { return nil }
    areTaken[first] = true
    guard let more = twins[first] else { return [items[first].raw] }
    return ([first] + more).map { place in
      areTaken[place] = true
      return items[place].raw
    }
  }

  /// Lends those of items on which no operation waits.
  func forEachLeft(_ body: (ItemBackup) -> Void) {
    for (place, item) in items.enumerated() where !areTaken[place] {
      let (table, itemID) = (item.table, item.originalCode)
      let isPlain = table == nil && itemID == nil
      let id = isPlain ? item.itemID : item.originalID
      body(ItemBackup(id: id, table: table, itemID: itemID, raw: item.raw))
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
