import Bytes
import Records
import SyncSDKs

/// Items of operations by their places in a queue, of which many wait in a file.
struct ItemsByPlace {
  private var items = ByteSpool(memoryLimit: 4 << 20)
  /// One more than where each is; 0 for none.
  private var starts: [Int] = []
  private let count: Int

  init(count: Int) { self.count = count }

  var isEmpty: Bool { starts.isEmpty }

  mutating func keep(_ item: [UInt8], at place: Int) {
    if starts.isEmpty { starts = [Int](repeating: 0, count: count) }
    starts[place] = items.append(counted: item.span) + 1
  }

  /// Where there are any.
  var places: some Sequence<Int> { starts.indices.lazy.filter { [starts] in starts[$0] != 0 } }

  subscript(place: Int) -> [UInt8]? {
    starts[place] == 0 ? nil : items.counted(at: starts[place] - 1)
  }
}

/// The rows that give way while their devices send them with values that were put there where they had
/// lost their own, by the places of the operations.
struct MendedItems {
  private var rows: ItemsByPlace
  private var bodies: ItemsByPlace

  init(count: Int = 0) { (rows, bodies) = (ItemsByPlace(count: count), ItemsByPlace(count: count)) }

  /// Keeps what the device of an operation would send of the row as it is now.
  mutating func keep(_ item: DeviceItem, at place: Int) {
    guard let row = item.item, let body = item.body else { return }
    rows.keep(row, at: place)
    bodies.keep(body, at: place)
  }

  /// What the device of an operation would send, given what was known of it when its row was its own.
  func mended(_ item: DeviceItem, at place: Int) -> DeviceItem {
    guard !rows.isEmpty, let row = rows[place] else { return item }
    var now = DeviceItem(operation: item.operation)
    (now.item, now.body) = (row, bodies[place])
    var item = item
    LostMembers.mend(&item, from: now)
    return item
  }
}
