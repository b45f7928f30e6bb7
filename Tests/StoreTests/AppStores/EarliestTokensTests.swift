import Records
import Testing

@testable import Tables

struct EarliestTokensTests {
  private func places(_ tokens: [(table: String?, query: String?, time: String?)]) -> [Int32] {
    var earliest = EarliestTokens()
    for (place, token) in tokens.enumerated() {
      var own = DeltaToken()
      (own.table, own.query, own.updatedAt) = token
      let isNew = earliest.places.count
      #expect(earliest.add(own, at: place) == (earliest.places.count > isNew))
    }
    return earliest.places
  }

  private static let early = "2024-05-01T10:20:30.123Z"
  private static let late = "2024-05-01T10:20:30.124Z"

  /// Where a name ends, whether there is one, and how it is spelled.
  @Test func queriesAreToldApartByTheirNames() {
    let names: [(String?, String?)] = [
      ("ab", "c"), ("a", "bc"), ("", "abc"), (nil, "abc"), ("abc", nil), ("abc", ""), (nil, nil),
      ("", nil), (nil, ""), ("\u{E9}", "c"), ("e\u{301}", "c"), ("AB", "c"),
    ]
    let tokens = (names + names).map { ($0, $1, Self.early as String?) }
    #expect(places(tokens) == Array(0..<Int32(names.count)))
  }

  @Test func earliestTimeCountsAndNoneIsEarlierStill() {
    let (early, late) = (Self.early, Self.late)
    #expect(places([("T", "q", late), ("T", "q", early), ("T", "q", late)]) == [1])
    #expect(places([("T", "q", early), ("T", "q", early)]) == [0])
    #expect(places([("T", "q", early), ("T", "q", nil), ("T", "q", early)]) == [1])
    #expect(places([("T", "q", early), ("T", "q", "today")]) == [1])
    #expect(places([("T", "q", late), ("T", "r", early), ("T", "q", early)]) == [2, 1])
  }
}
