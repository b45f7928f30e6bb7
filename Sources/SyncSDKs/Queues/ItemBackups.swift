import Bytes
import Records

/// A deleted item as the SDK keeps it until the delete has been tried.
struct ItemBackup {
  /// What the SDK finds it by: the table, a slash and the item's id; nil in a row that it never finds.
  let id: String?
  /// The names of its table and its own, which are in the id where no column has them.
  let table: String?
  let itemID: String?
  /// The payload, and behind it what else the row has.
  let raw: RawValue?
  /// Whether the id alone tells the names.
  fileprivate let isPlain: Bool

  init(id: String?, table: String? = nil, itemID: String? = nil, raw: RawValue?) {
    self.id = id
    self.raw = raw
    if let table, let itemID, Self.isID(id, of: table, itemID), !table.utf8.contains(Self.slash) {
      (self.table, self.itemID, isPlain) = (table, itemID, true)
      return
    }
    let parts = id.flatMap(Self.parts)
    let isWhole = table != nil && itemID != nil
    self.table = isWhole ? table : parts?.table ?? table
    self.itemID = isWhole ? itemID : parts?.itemID ?? itemID
    isPlain = hasSameBytes(parts?.table, self.table) && hasSameBytes(parts?.itemID, self.itemID)
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether an id is made of these names, as nearly all are.
  private static func isID(_ id: String?, of table: String, _ itemID: String) -> Bool {
    guard let bytes = id?.utf8, bytes.count == table.utf8.count + 1 + itemID.utf8.count,
      bytes.starts(with: table.utf8)
    else { return false }
    let rest = bytes.dropFirst(table.utf8.count)
    return rest.first == slash && rest.dropFirst().elementsEqual(itemID.utf8)
  }

  /// The names in an id; of bytes, because a mark behind the slash is one letter with it.
  private static func parts(of id: String) -> (table: String, itemID: String)? {
    id.utf8.firstIndex(of: slash).map { slash in
      (String(id[..<slash]), String(id[id.utf8.index(after: slash)...]))
    }
  }

  /// Whether the columns of a row name another item than its id does.
  static func contradicts(id: String?, table: String?, itemID: String?) -> Bool {
    guard let id, table != nil || itemID != nil else { return false }
    if let table, let itemID { return !isID(id, of: table, itemID) }
    let parts = parts(of: id)
    guard let table = table ?? parts?.table, let itemID = itemID ?? parts?.itemID else {
      return false
    }
    return !isID(id, of: table, itemID)
  }
}

/// The deleted items that have a table of their own, found by their ids there as the SDK finds them.
///
/// They are kept like operations, so that many wait in a file.
struct ItemBackups {
  /// As operations on items that are called by those ids; of those that are not plain the other texts
  /// say more.
  private var items = OperationList(memoryLimit: 1 << 20)
  /// The first of each id.
  private var places = HashPlaces(capacity: 0)
  /// The last of an id that several have, by the first.
  private var lastTwins: [Int: Int] = [:]
  /// Of which of them an operation was found.
  private var areTaken: [Bool] = []

  var isEmpty: Bool { items.isEmpty }

  mutating func append(_ backup: ItemBackup) {
    var item = PendingOperation()
    item.sequence = Int64(items.count) + 1
    item.itemID = backup.id
    if !backup.isPlain {
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
      guard let id = item.itemID else { continue }
      if let first = self.place(of: id) {
        lastTwins[first] = place
      } else {
        places.add(place, hash: hash(of: id))
      }
    }
  }

  /// What is kept of the item of an id, for an operation on it; of several the last one counts.
  ///
  /// The others are left, as whatever is no text is: an item is no other's for being called alike.
  mutating func take(_ id: String) -> RawValue? {
    guard let first = place(of: id) else { return nil }
    let place = lastTwins[first] ?? first
    areTaken[place] = true
    return items[place].raw
  }

  /// Lends those that no operation took.
  func forEachLeft(_ body: (ItemBackup) -> Void) {
    for (place, item) in items.enumerated() where !areTaken[place] {
      body(
        ItemBackup(
          id: item.itemID, table: item.table, itemID: item.originalCode, raw: item.raw))
    }
  }

  private func place(of id: String) -> Int? {
    places.first(of: hash(of: id)) { place in
      items.with(place) { $0.isItemID(id.utf8Span.span) }
    }
  }

  private func hash(of id: String) -> UInt64 {
    spelledHash(id.utf8Span.span, seed: places.seed)
  }
}
