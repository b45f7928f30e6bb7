import Bytes

/// Short byte strings, each known by a number, that are looked up without making a `String`.
struct NameTable {
  /// The names by number.
  private(set) var names: [String] = []
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Numbers plus one by hash; zero where a place is free.
  private var slots = [Int32](repeating: 0, count: 64)

  /// The number of a name, a new one if it is new; nil when that would make more than `limit`.
  mutating func number(of name: Span<UInt8>, limit: Int) -> Int? {
    var place = Self.hash(name) & (slots.count - 1)
    while slots[place] != 0 {
      let number = Int(slots[place]) - 1
      if isName(number, name) { return number }
      place = (place + 1) & (slots.count - 1)
    }
    guard names.count < limit, names.count < Int(Int32.max) else { return nil }
    bytes.append(name)
    ends.append(bytes.count)
    names.append(String(decoding: bytes[start(names.count)...], as: UTF8.self))
    slots[place] = Int32(names.count)
    // A table that is half full is enlarged, so that there is always a free place.
    if names.count * 2 > slots.count { grow() }
    return names.count - 1
  }

  private func start(_ number: Int) -> Int { number == 0 ? 0 : ends[number - 1] }

  private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
    let start = start(number)
    guard ends[number] - start == name.count else { return false }
    for place in name.indices where bytes[start + place] != name[place] { return false }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    for number in names.indices {
      var place = Self.hash(bytes.span.extracting(start(number)..<ends[number])) & (slots.count - 1)
      while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = Int32(number + 1)
    }
  }

  private static func hash(_ name: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in name.indices { hash = (hash ^ UInt64(name[place])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash >> 20)
  }
}
