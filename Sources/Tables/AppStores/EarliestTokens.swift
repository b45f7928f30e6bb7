import Bytes
import Records

/// Where in a list the earliest token of each query is.
struct EarliestTokens {
  /// What tells queries apart, of which there may be many: two hashes that nobody knows beforehand.
  private struct Query: Hashable {
    private let first: Int
    private let second: Int

    init(_ token: DeltaToken) {
      let names = [token.table, token.query].map { $0.map { ExactText($0) } }
      var hasher = Hasher()
      hasher.combine(names)
      first = hasher.finalize()
      hasher = Hasher()
      hasher.combine(names)
      hasher.combine(first)
      second = hasher.finalize()
    }
  }

  /// The places of the tokens, in the order in which the queries came.
  private(set) var places: [Int32] = []
  private var times: [Timestamp?] = []
  private var numbers: [Query: Int32] = [:]

  /// Adds a token; false where its query had one before.
  mutating func add(_ token: DeltaToken, at place: Int) -> Bool {
    let place = Int32(truncatingIfNeeded: place)
    let time = token.updatedAt.flatMap { Timestamp(parsing: $0.utf8.span) }
    let query = Query(token)
    guard let number = numbers[query].map({ Int($0) }) else {
      numbers[query] = Int32(truncatingIfNeeded: places.count)
      places.append(place)
      times.append(time)
      return true
    }
    // One that tells no time asks for everything.
    let isEarlier = time.map { time in times[number].map { time < $0 } ?? false } ?? true
    if isEarlier { (places[number], times[number]) = (place, time) }
    return false
  }
}
