import Bytes

/// Finds places in a list by a hash, four bytes a slot.
///
/// A slot holds as much of the hash beside the place as it has room for, so that a look elsewhere is
/// mostly for a hit. Only places that differ should be added, as each one of the same hash makes the
/// way to the next longer.
///
/// Where a look elsewhere is dear, wide slots of eight bytes hold so much of the hash that hardly any
/// look is in vain: of two million seeded hashes two are taken for one in a run of some 500,000.
package struct HashPlaces: Sendable {
  /// A part of the hash, and then one more than the place; 0 is free.
  private var slots: [UInt32] = []
  /// The same, in eight bytes.
  private var wideSlots: [UInt64] = []
  /// How many slots there are.
  private let size: Int
  /// The bits of a slot that are the place.
  private let placeBits: UInt32
  /// How many more places may be added.
  private var room: Int
  /// What hashes should begin with.
  package let seed: UInt64

  /// Makes room for so many places, each below a bound, which is the capacity where none is given.
  package init(
    capacity: Int, below bound: Int? = nil, seed: UInt64 = .random(in: .min ... .max),
    isWide: Bool = false
  ) {
    // At most three slots in four are taken in the end.
    size = max(16, capacity / 3 * 4 + 4)
    if isWide {
      wideSlots = [UInt64](repeating: 0, count: size)
    } else {
      slots = [UInt32](repeating: 0, count: size)
    }
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
    set(freeSlot(of: hash), to: place, hash)
  }

  /// Puts another place where one was added.
  mutating func replace(_ place: Int, hash: UInt64, with other: Int) {
    if let slot = slot(of: hash, where: { $0 == place }) { set(slot, to: other, hash) }
  }

  /// Gets ready to add or find a place of a hash.
  package func prepare(for hash: UInt64) {
    if slots.isEmpty {
      prefetch(wideSlots.span, at: firstSlot(of: hash))
    } else {
      prefetch(slots.span, at: firstSlot(of: hash))
    }
  }

  /// The first place, as they were added, that is the right one of those that may have this hash.
  package func first(of hash: UInt64, where isRight: (Int) -> Bool) -> Int? {
    slot(of: hash, where: isRight).map(place)
  }

  /// The slot of the right one of the places that may have a hash.
  private func slot(of hash: UInt64, where isRight: (Int) -> Bool) -> Int? {
    var slot = firstSlot(of: hash)
    while !isFree(slot) {
      if isSame(slot, hash), isRight(place(slot)) { return slot }
      slot = next(slot)
    }
    return nil
  }

  private func freeSlot(of hash: UInt64) -> Int {
    var slot = firstSlot(of: hash)
    while !isFree(slot) { slot = next(slot) }
    return slot
  }

  /// The upper half of the hash, as a part of all there are, tells the slot; where slots hold that
  /// half, all of it does.
  private func firstSlot(of hash: UInt64) -> Int {
    let part = (slots.isEmpty ? hash &* Self.mixer : hash) &>> 32
    return Int((part &* UInt64(size)) &>> 32)
  }

  /// An odd number, by which the lowest bits of a hash come to have a say in the highest.
  private static let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15

  private func next(_ slot: Int) -> Int { slot &+ 1 == size ? 0 : slot &+ 1 }

  private func isFree(_ slot: Int) -> Bool {
    slots.isEmpty ? wideSlots[slot] == 0 : slots[slot] == 0
  }

  private func place(_ slot: Int) -> Int {
    let bits =
      slots.isEmpty ? UInt32(truncatingIfNeeded: wideSlots[slot]) : slots[slot]
    return Int(bits & placeBits) &- 1
  }

  private func isSame(_ slot: Int, _ hash: UInt64) -> Bool {
    guard slots.isEmpty else { return slots[slot] & ~placeBits == mark(of: hash) }
    return (wideSlots[slot] ^ hash) & ~UInt64(placeBits) == 0
  }

  private mutating func set(_ slot: Int, to place: Int, _ hash: UInt64) {
    let place = UInt32(truncatingIfNeeded: place &+ 1) & placeBits
    if slots.isEmpty {
      wideSlots[slot] = hash & ~UInt64(placeBits) | UInt64(place)
    } else {
      slots[slot] = mark(of: hash) | place
    }
  }

  private func mark(of hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) & ~placeBits }
}
