import Bytes

/// Finds places in a list by a hash, eight bytes a slot.
///
/// A slot holds half of the hash beside the place, so that a look elsewhere is mostly for a hit.
/// Only places that differ should be added, as each one of the same hash makes the way to the next
/// longer.
package struct HashPlaces: Sendable {
  /// The lower half of the hash, and then one more than the place; 0 is free.
  private var slots: [UInt64]
  private let mask: Int
  /// How many more places may be added.
  private var room: Int
  /// What hashes should begin with.
  package let seed: UInt64

  /// Makes room for so many places.
  package init(capacity: Int, seed: UInt64 = .random(in: .min ... .max)) {
    var size = 16
    // At most three slots in four are taken in the end.
    while size / 4 * 3 < capacity { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    mask = size - 1
    room = size / 4 * 3
    self.seed = seed
  }

  /// Adds a place; more than the capacity are ignored, which no caller asks for.
  package mutating func add(_ place: Int, hash: UInt64) {
    guard room > 0 else { return }
    room -= 1
    var slot = firstSlot(of: hash)
    while slots[slot] != 0 { slot = (slot &+ 1) & mask }
    slots[slot] = hash &<< 32 | UInt64(UInt32(truncatingIfNeeded: place &+ 1))
  }

  /// Gets ready to add or find a place of a hash.
  package func prepare(for hash: UInt64) { prefetch(slots.span, at: firstSlot(of: hash)) }

  /// The first place, as they were added, that is the right one of those that may have this hash.
  package func first(of hash: UInt64, where isRight: (Int) -> Bool) -> Int? {
    var slot = firstSlot(of: hash)
    while slots[slot] != 0 {
      let place = Int(slots[slot] & 0xFFFF_FFFF) &- 1
      if slots[slot] &>> 32 == hash & 0xFFFF_FFFF, isRight(place) { return place }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  private func firstSlot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> 32) & mask }
}
