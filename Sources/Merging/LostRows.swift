import Records

/// The rows of a table of a source that give way to others, a few bytes each.
struct LostRows: Sendable {
  private let places: KeyPlaces
  /// For each of them the new key of the row that is kept, and the number of its source.
  private var winners: NarrowNumbers
  private var sources: NarrowNumbers

  /// Rows with these keys, in any order, of which it is told one by one to which others they give
  /// way.
  init(_ keys: consuming [Int64] = []) {
    winners = NarrowNumbers(count: keys.count)
    sources = NarrowNumbers(count: keys.count)
    places = KeyPlaces(keys)
  }

  /// The keys of the rows.
  var keys: KeyLookup { places.keys }

  /// Tells to which row of which source one gives way.
  mutating func note(_ key: Int64, givingWayTo winner: Int64, source: Int) {
    // Of two rows with one key, which no sound source has, the first counts.
    guard let place = places.place(of: key), winners[place] == 0 else { return }
    winners[place] = UInt64(bitPattern: winner)
    sources[place] = UInt64(bitPattern: Int64(source))
  }

  /// The row that is kept in the place of another; nil where that one is.
  func winner(of key: Int64) -> (key: Int64, source: Int)? {
    places.place(of: key).map { place in
      (Int64(bitPattern: winners[place]), Int(Int64(bitPattern: sources[place])))
    }
  }
}

/// Numbers of which each takes as many bytes as the greatest needs.
private struct NarrowNumbers {
  private var bytes: [UInt8]
  private var width = 1
  private let count: Int

  /// So many numbers, which are 0.
  init(count: Int) {
    self.count = count
    bytes = [UInt8](repeating: 0, count: count)
  }

  subscript(place: Int) -> UInt64 {
    get {
      var number: UInt64 = 0
      for byte in bytes[place * width..<(place + 1) * width] {
        number = number &<< 8 | UInt64(byte)
      }
      return number
    }
    set {
      while newValue &>> UInt64(8 * width - 8) > 0xFF { widen() }
      for (byte, at) in (place * width..<(place + 1) * width).reversed().enumerated() {
        bytes[at] = UInt8(truncatingIfNeeded: newValue &>> UInt64(8 * byte))
      }
    }
  }

  private mutating func widen() {
    var wide = [UInt8](repeating: 0, count: count * (width + 1))
    for place in 0..<count {
      for byte in 0..<width { wide[place * (width + 1) + 1 + byte] = bytes[place * width + byte] }
    }
    bytes = wide
    width += 1
  }
}
