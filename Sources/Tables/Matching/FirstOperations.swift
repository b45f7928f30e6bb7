import Records

/// What is noted of the first operations on items, by their places in the queue.
///
/// All tables share it: a place is that of one operation, and each table has some of them.
struct FirstOperations: Sendable {
  /// When two ids name the same item.
  let comparison: ItemIDComparison
  /// Those on items of which one or the other operation is an update.
  var updated = PlaceSet()
  /// Another hash of each id than the one by which it is found, where it is dear to look at the
  /// operations that were there before; for a long queue that would be to read all of it in any
  /// order.
  private var checks: [UInt16] = []
  private let seed = UInt64.random(in: .min ... .max)
  /// Those whose ids have capital letters.
  private var capitals = PlaceSet()
  /// Those whose ids have letters of both cases, or others than those of ASCII.
  private var mixed = PlaceSet()

  private enum Spelling {
    case small
    case capital
    case mixed
  }

  /// Nothing is noted of the operations of a queue yet.
  init(of operations: OperationList, comparing comparison: ItemIDComparison) {
    self.comparison = comparison
    if operations.isSpilled { checks = [UInt16](repeating: 0, count: operations.count) }
  }

  /// Notes the id of the operation at a place.
  mutating func note(_ id: Span<UInt8>, of place: Int) {
    guard !checks.isEmpty else { return }
    checks[place] = check(id)
    guard comparison != .exact else { return }
    switch Self.spelling(of: id) {
    case .small: break
    case .capital: capitals.insert(place)
    case .mixed: mixed.insert(place)
    }
  }

  /// How an id names the item of the operation at a place, of which the id has the same hash.
  ///
  /// Where both hashes are the same, so are the letters but for their case: that they agree in nearly
  /// all of 80 bits, two of two million items among ten million rows, is rarer than one run in 10^9.
  func match(
    _ id: Span<UInt8>, _ place: Int, in operations: OperationList
  ) -> RowMatches.Match {
    guard !checks.isEmpty else { return matchWhole(id, place, in: operations) }
    guard checks[place] == check(id) else { return .none }
    if comparison == .exact { return .exact }
    let own = Self.spelling(of: id)
    if own == .mixed || mixed.contains(place) { return matchWhole(id, place, in: operations) }
    return (own == .capital) == capitals.contains(place) ? .exact : .otherSpelling
  }

  private func matchWhole(
    _ id: Span<UInt8>, _ place: Int, in operations: OperationList
  ) -> RowMatches.Match {
    operations.with(place) { comparison.match(id, $0) }
  }

  private func check(_ id: Span<UInt8>) -> UInt16 {
    UInt16(truncatingIfNeeded: comparison.hash(id, seed: seed) &>> 48)
  }

  private static func spelling(of id: Span<UInt8>) -> Spelling {
    var (hasSmall, hasCapital) = (false, false)
    for place in id.indices {
      switch id[place] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hasSmall = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasCapital = true
      case 0x80...: return .mixed
      default: break
      }
    }
    return hasCapital ? hasSmall ? .mixed : .capital : .small
  }
}

/// A set of places in a list, a bit each.
struct PlaceSet: Sendable {
  private var words: [UInt64] = []

  /// Adds a place.
  mutating func insert(_ place: Int) {
    while words.count <= place >> 6 { words.append(0) }
    words[place >> 6] |= 1 << UInt64(place & 63)
  }

  /// Whether a place was added.
  func contains(_ place: Int) -> Bool {
    place >> 6 < words.count && words[place >> 6] >> UInt64(place & 63) & 1 == 1
  }
}
