import CommandLineKit
import Testing

struct QuantityTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567"),
    (-1000, "-1,000"), (-999, "-999"), (.max, "9,223,372,036,854,775,807"),
    (.min, "-9,223,372,036,854,775,808"),
  ])
  func countsHaveSeparators(number: Int, text: String) {
    #expect(Quantity.count(number) == text)
  }

  @Test func nounFollowsTheNumber() {
    #expect(Quantity.count(1, "row", "rows") == "1 row")
    #expect(Quantity.count(0, "row", "rows") == "0 rows")
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1250, "1.3 kB"),
    (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_200_000, "1.2 MB"), (-1500, "-1.5 kB"),
    (.max, "9.2 EB"), (.min, "-9.2 EB"),
  ])
  func sizesHaveOneDecimal(number: Int, text: String) {
    #expect(Quantity.bytes(number) == text)
  }

  @Test(arguments: [
    (0, "0 ms"), (350_999_999, "350 ms"), (999_999_999, "999 ms"), (4_290_000_000, "4.2 s"),
    (59_900_000_000, "59 s"), (60_000_000_000, "1 min 0 s"), (192_000_000_000, "3 min 12 s"),
    (7_500_000_000_000, "2 h 5 min"), (.max, "5124095 h 34 min"),
  ])
  func durationsUseTheirLargestUnits(nanoseconds: UInt64, text: String) {
    #expect(Quantity.duration(nanoseconds: nanoseconds) == text)
  }
}
