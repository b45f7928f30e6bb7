/// Finds places in a list by a hash: four bytes a slot, and the hashes themselves.
///
/// Places of equal hashes form a chain in the order in which they were added, so that many equal
/// ones cost no more than as many different ones.
package struct HashPlaces: Sendable {
  private var slots: [Int32]
  private var entries: [Entry] = []
  private let mask: Int
  /// What hashes should begin with.
  package let seed: UInt64

  private struct Entry {
    let hash: UInt64
    let place: Int32
    /// The next entry of the same hash.
    var next: Int32 = -1
    /// The last entry of the chain, kept in its first.
    var last: Int32
  }

  /// Makes room for so many places.
  package init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    mask = size - 1
    seed = UInt64.random(in: .min ... .max)
    entries.reserveCapacity(capacity)
  }

  /// Adds a place; more than the capacity are ignored, which no caller asks for.
  package mutating func add(_ place: Int, hash: UInt64) {
    guard entries.count * 2 <= mask else { return }
    let number = Int32(truncatingIfNeeded: entries.count)
    let slot = slot(of: hash)
    let first = slots[slot]
    if first < 0 {
      slots[slot] = number
    } else {
      entries[Int(entries[Int(first)].last)].next = number
      entries[Int(first)].last = number
    }
    entries.append(
      Entry(hash: hash, place: Int32(truncatingIfNeeded: place), last: number))
  }

  /// Calls `body` with each place of a hash until it returns true.
  package func forEach(_ hash: UInt64, _ body: (Int) -> Bool) {
    var number = slots[slot(of: hash)]
    while number >= 0 {
      let entry = entries[Int(number)]
      if body(Int(entry.place)) { return }
      number = entry.next
    }
  }

  /// The slot of a hash, or the free one where it belongs.
  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
    while slots[slot] >= 0, entries[Int(slots[slot])].hash != hash { slot = (slot + 1) & mask }
    return slot
  }
}
