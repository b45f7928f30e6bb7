/// Finds the number of a name by the addresses that the parser has for it.
///
/// The parser keeps each name once for as long as it lives, so equal addresses mean equal names.
struct NameCache {
  private struct Slot {
    var local: UInt = 0
    var namespace: UInt = 0
    var number = -1
  }

  private var slots = [Slot](repeating: Slot(), count: Self.size)
  private static let size = 512

  /// The number that was stored for a name; nil when another name has displaced it.
  func number(local: UInt, namespace: UInt) -> Int? {
    let slot = slots[Self.place(local, namespace)]
    return slot.local == local && slot.namespace == namespace && slot.number >= 0
      ? slot.number : nil
  }

  /// Stores the number of a name.
  mutating func store(_ number: Int, local: UInt, namespace: UInt) {
    slots[Self.place(local, namespace)] = Slot(
      local: local, namespace: namespace, number: number)
  }

  private static func place(_ local: UInt, _ namespace: UInt) -> Int {
    // Names lie close together; the multiplier spreads them, and the mask bounds the place.
    let mixed = (local &+ namespace &* 31) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 40) & (size - 1)
  }
}
