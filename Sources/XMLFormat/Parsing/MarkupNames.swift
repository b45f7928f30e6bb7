import Bytes

/// The names of a document, found by their bytes.
struct MarkupNames {
  /// All of them, by number.
  private(set) var all: XMLNames
  private let limit: Int
  /// The bytes of all names, one behind the other.
  private var bytes: [UInt8] = []
  /// Where the bytes of each name lie.
  private var ranges: [Range<Int>] = []
  /// The numbers of names, at places that follow from their bytes; -1 where there is none.
  private var slots = [Int32](repeating: -1, count: Self.slotCount)

  /// What came last time after the element with a name; -1 where nothing did.
  private var followers: [Int32] = []

  private static let slotCount = 512
  /// In so many slots a name may be.
  private static let probes = 4
  /// Longer names are for the library.
  static let longest = 256

  init(_ names: XMLNames, limit: Int) {
    all = names
    self.limit = limit
    for name in names.all { add(name) }
  }

  /// The number of a name; nil when there are too many.
  mutating func number(of name: Span<UInt8>) -> Int? {
    let slot = Self.slot(of: name)
    var free = slot
    for probe in 0..<Self.probes {
      free = (slot + probe) & (Self.slotCount - 1)
      let known = Int(slots[free])
      if known < 0 { break }
      if isName(known, name) { return known }
    }
    var bytes: [UInt8] = []
    bytes.append(name)
    let text = String(decoding: bytes, as: UTF8.self)
    guard let number = all.intern(text, limit: limit) else { return nil }
    if number == ranges.count { add(text) }
    slots[free] = Int32(truncatingIfNeeded: number)
    return number
  }

  /// How many bytes the name with a number has.
  func size(of number: Int) -> Int { ranges[number].count }

  /// Whether bytes are the name with a number.
  @inline(__always)
  func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
    let range = ranges[number]
    guard range.count == name.count else { return false }
    var place = range.lowerBound
    for index in name.indices {
      if bytes[place] != name[index] { return false }
      place &+= 1
    }
    return true
  }

  private mutating func add(_ name: String) {
    let start = bytes.count
    bytes.append(utf8: name)
    ranges.append(start..<bytes.count)
    followers.append(-1)
  }

  /// The name that came last time after another one.
  @inline(__always)
  func expected(after number: Int) -> Int? {
    let follower = Int(followers[number])
    return follower >= 0 ? follower : nil
  }

  /// Notes which name comes after another one.
  mutating func expect(_ follower: Int, after number: Int) {
    followers[number] = Int32(truncatingIfNeeded: follower)
  }

  private static func slot(of name: Span<UInt8>) -> Int {
    var mixed = UInt64(name.count)
    for place in name.indices { mixed = mixed &* 31 &+ UInt64(name[place]) }
    return Int((mixed &* 0x9E37_79B9_7F4A_7C15) >> 40) & (slotCount - 1)
  }
}
