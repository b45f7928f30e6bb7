import Records

/// All that is in a container of which stores are named one by one.
struct ContainerListing {
  /// What was seen of it besides its stores.
  let tally: PlaceTally
  private let stores: [ShelvedStore]
  /// The places of the stores, in the order of the bytes of their names.
  private let byName: [Int]
  /// The places of what cannot be read.
  private let failed: [Int]

  init(_ stores: [ShelvedStore], _ tally: PlaceTally) {
    (self.stores, self.tally) = (stores, tally)
    byName = stores.indices.sorted {
      stores[$0].name.utf8.lexicographicallyPrecedes(stores[$1].name.utf8)
    }
    failed = stores.indices.filter { stores[$0].failure != nil }
  }

  /// The stores that a name means: the one of that name and those inside of it, and what is wrong with a
  /// container on the way there.
  func stores(at name: String) -> [ShelvedStore] {
    var found: Set<Int> = []
    let first = firstPlace(in: byName) {
      !stores[$0].name.utf8.lexicographicallyPrecedes(name.utf8)
    }
    for place in byName[first...] {
      guard stores[place].name.utf8.starts(with: name.utf8) else { break }
      if Self.isAtOrInside(stores[place].name, name) { found.insert(place) }
    }
    for place in failed where Self.isAtOrInside(name, stores[place].name) { found.insert(place) }
    return found.sorted().map { stores[$0] }
  }

  private static func isAtOrInside(_ name: String, _ outer: String) -> Bool {
    guard name.utf8.starts(with: outer.utf8) else { return false }
    let next = name.utf8.dropFirst(outer.utf8.count).first
    return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "!")
  }
}
