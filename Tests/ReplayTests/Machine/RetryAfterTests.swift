import Testing

@testable import Replay

struct RetryAfterTests {
  /// 1994-11-06T08:49:07Z.
  static let now: Int64 = 784_111_747_000

  @Test(arguments: [
    ("120", 120_000), ("0", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 30_000),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 30_000), ("Sun Nov  6 08:49:37 1994", 30_000),
    ("Sun, 06 Nov 1994 08:49:00 GMT", 0), ("0000000000000000000000002", 2000),
    ("9999999999", 9_999_999_999_000), ("9223372036854775807", .max),
    ("9999999999999999999", .max),
  ])
  func secondsAndDatesAreTimes(_ header: String, _ expected: Int64) {
    #expect(retryAfter(header, at: Self.now) == expected)
  }

  @Test(arguments: [
    "", "-1", "1.5", "soon", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 CET", "a b c d e f g h", "1 2 3 4 5 6 7",
  ])
  func anythingElseIsNone(_ header: String) {
    #expect(retryAfter(header, at: Self.now) == nil)
  }
}
