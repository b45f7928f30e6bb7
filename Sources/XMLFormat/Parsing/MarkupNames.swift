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
  /// What the outermost element declares, in its order; of each prefix and each address but one.
  private(set) var namespaces: [Namespace] = []
  private let longestFullName: Int

  /// A prefix and the address that it stands for.
  struct Namespace {
    var prefix: [UInt8]
    var address: [UInt8]
  }

  private static let slotCount = 512
  /// In so many slots a name may be.
  private static let probes = 4
  /// Longer names are for the library.
  static let longest = 256
  /// More namespaces are for the library, which finds them in a better way.
  private static let mostNamespaces = 16

  init(_ names: XMLNames, _ limits: XMLLimits) {
    all = names
    limit = limits.names
    longestFullName = limits.nameBytes
    for name in names.all { add(name) }
  }

  /// Forgets what the outermost element declares.
  mutating func removeNamespaces() { namespaces = [] }

  /// Takes a namespace; false where that is for the library.
  mutating func add(_ namespace: Namespace) -> Bool {
    // Two prefixes of one address would give elements one name, which they end with different tags.
    let isKnown = namespaces.contains {
      $0.prefix == namespace.prefix || $0.address == namespace.address
    }
    guard !isKnown, namespaces.count < Self.mostNamespaces else { return false }
    namespaces.append(namespace)
    return true
  }

  /// The bytes of the name with a number, as the document spells it.
  func spelling(of number: Int) -> ArraySlice<UInt8> { bytes[ranges[number]] }

  /// The number of a name; nil when there are too many, or it is for the library.
  mutating func number(of name: Span<UInt8>) -> Int? {
    let slot = Self.slot(of: name)
    var free = slot
    for probe in 0..<Self.probes {
      free = (slot + probe) & (Self.slotCount - 1)
      let known = Int(slots[free])
      if known < 0 { break }
      if isName(known, name) { return known }
    }
    guard let full = fullName(name), let number = all.intern(full, limit: limit) else { return nil }
    if number == ranges.count { add(full) }
    respell(number, name)
    slots[free] = Int32(truncatingIfNeeded: number)
    return number
  }

  /// The name with the address of its namespace in the place of the prefix, if it has one.
  private func fullName(_ name: Span<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.append(name)
    var full = String(decoding: bytes, as: UTF8.self)
    if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      guard let namespace = namespaces.first(where: { bytes[..<colon].elementsEqual($0.prefix) })
      else { return nil }
      let address = String(decoding: namespace.address, as: UTF8.self)
      full = "{\(address)}\(String(decoding: bytes[(colon + 1)...], as: UTF8.self))"
    }
    return full.utf8.count <= longestFullName ? full : nil
  }

  /// Notes how the document spells a name, of which only the address may have been known.
  private mutating func respell(_ number: Int, _ name: Span<UInt8>) {
    guard !isName(number, name) else { return }
    let start = bytes.count
    bytes.append(name)
    ranges[number] = start..<bytes.count
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
