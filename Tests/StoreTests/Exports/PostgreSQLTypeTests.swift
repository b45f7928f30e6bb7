import Testing

@testable import Exports

struct PostgreSQLTypeTests {
  /// The server keeps six digits of a second, and is asked for three where the others are zeros.
  @Test(arguments: [
    ("2001-01-01T00:00:00.000Z", true), ("2001-01-01T00:00:00.123456000Z", true),
    ("2001-01-01T00:00:00.000001000Z", true), ("2001-01-01T00:00:00.123000000Z", false),
    ("2001-01-01T00:00:00.000000000Z", false), ("2001-01-01T00:00:00.000000001Z", false),
  ])
  func timesThatComeBackAsTheyWere(text: String, isHeld: Bool) {
    #expect(PostgreSQLType.timestamp.holds(text.utf8Span.span) == isHeld)
  }
}
