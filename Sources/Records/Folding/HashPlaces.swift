import Bytes

/// Finds places in a list by a hash, four bytes a slot.
///
/// A slot holds as much of the hash beside the place as it has room for, so that a look elsewhere is
/// mostly for a hit. Only places that differ should be added, as each one of the same hash makes the
/// way to the next longer.
package struct HashPlaces: Sendable {
  /// A part of the hash, and then one more than the place; 0 is free.
  private var slots: [UInt32]
  /// The bits of a slot that are the place.
  private let placeBits: UInt32
  /// How many more places may be added.
  private var room: Int
  /// What hashes should begin with.
  package let seed: UInt64

  /// Makes room for so many places, each below a bound, which is the capacity where none is given.
  package init(
    capacity: Int, below bound: Int? = nil, seed: UInt64 = .random(in: .min ... .max)
  ) {
    // At most three slots in four are taken in the end.
    let size = max(16, capacity / 3 * 4 + 4)
    slots = [UInt32](repeating: 0, count: size)
    room = capacity
    // One more than the highest place is the bound, which fits into these bits.
    placeBits =
      UInt32.max
      &>> UInt32(clamping: UInt32(clamping: max(bound ?? capacity, 1)).leadingZeroBitCount)
    self.seed = seed
  }

  /// Adds a place; more than the capacity are ignored, which no caller asks for.
  package mutating func add(_ place: Int, hash: UInt64) {
    guard room > 0 else { return }
    room -= 1
    var slot = firstSlot(of: hash)
    while slots[slot] != 0 { slot = next(slot) }
    slots[slot] = mark(of: hash) | UInt32(truncatingIfNeeded: place &+ 1) & placeBits
  }

  /// Gets ready to add or find a place of a hash.
  package func prepare(for hash: UInt64) { prefetch(slots.span, at: firstSlot(of: hash)) }

  /// The first place, as they were added, that is the right one of those that may have this hash.
  package func first(of hash: UInt64, where isRight: (Int) -> Bool) -> Int? {
    let mark = mark(of: hash)
    var slot = firstSlot(of: hash)
    while slots[slot] != 0 {
      let place = Int(slots[slot] & placeBits) &- 1
      if slots[slot] & ~placeBits == mark, isRight(place) { return place }
      slot = next(slot)
    }
    return nil
  }

  /// The upper half of the hash, as a part of all there are, tells the slot.
  private func firstSlot(of hash: UInt64) -> Int {
    Int((hash &>> 32 &* UInt64(slots.count)) &>> 32)
  }

  private func next(_ slot: Int) -> Int { slot &+ 1 == slots.count ? 0 : slot &+ 1 }

  private func mark(of hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) & ~placeBits }
}
