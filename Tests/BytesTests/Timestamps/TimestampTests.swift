import Bytes
import TestSupport
import Testing

struct TimestampTests {
  @Test(arguments: [
    (Int64(0), Int32(0), "1970-01-01T00:00:00.000Z"),
    (1_475_313_330, 123_000_000, "2016-10-01T09:15:30.123Z"),
    (1_475_313_330, 123_000_001, "2016-10-01T09:15:30.123000001Z"),
    (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
    (951_782_400, 0, "2000-02-29T00:00:00.000Z"),
    (-62_135_596_800, 0, "0001-01-01T00:00:00.000Z"),
    (253_402_300_799, 999_000_000, "9999-12-31T23:59:59.999Z"),
  ])
  func textIsCanonical(_ seconds: Int64, _ nanoseconds: Int32, _ text: String) {
    let timestamp = Timestamp(wholeSecondsSince1970: seconds, nanoseconds: nanoseconds)
    #expect(timestamp?.text == text)
    #expect(withBytes(text) { Timestamp(parsing: $0) } == timestamp)
  }

  @Test func randomMomentsAreSpelledAsPythonSpellsThem() throws {
    var random = SeededGenerator(seed: 11)
    let moments = (0..<5000).map { _ in
      Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random)
    }
    let expected = try Python.answers(
      to: moments.map(String.init),
      """
      from datetime import datetime, timedelta
      def answer(line):
        moment = datetime(1970, 1, 1) + timedelta(milliseconds=int(line))
        return moment.isoformat(timespec='milliseconds') + 'Z'
      """)
    #expect(moments.map { Timestamp(millisecondsSince1970: $0)?.text ?? "nil" } == expected)
  }

  @Test func momentsOutsideTheYearsAreNotRepresentable() {
    #expect(Timestamp(wholeSecondsSince1970: -62_135_596_801) == nil)
    #expect(Timestamp(wholeSecondsSince1970: 253_402_300_800) == nil)
    #expect(Timestamp(wholeSecondsSince1970: 0, nanoseconds: 1_000_000_000) == nil)
    #expect(Timestamp(wholeSecondsSince1970: 0, nanoseconds: -1) == nil)
    #expect(Timestamp(millisecondsSince1970: Int64(-62_135_596_800_001)) == nil)
    #expect(Timestamp(millisecondsSince1970: Int64(253_402_300_800_000)) == nil)
    #expect(Timestamp(wholeSecondsSince2001: -63_113_904_001) == nil)
    #expect(Timestamp(wholeSecondsSince2001: 252_423_993_600) == nil)
    for extreme in [Int64.min, .max] {
      #expect(Timestamp(millisecondsSince1970: extreme) == nil)
      #expect(Timestamp(wholeSecondsSince2001: extreme) == nil)
      #expect(Timestamp(wholeSecondsSince1970: extreme) == nil)
    }
  }

  @Test func countsFrom2001AreMovedTo1970() {
    #expect(Timestamp(wholeSecondsSince2001: 0)?.text == "2001-01-01T00:00:00.000Z")
    #expect(Timestamp(wholeSecondsSince2001: 0)?.secondsSince1970 == 978_307_200)
  }

  @Test func orderIsThatOfTime() throws {
    let texts = [
      "0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00Z",
      "1970-01-01T00:00:00.000000001Z", "1970-01-01T00:00:01Z", "9999-12-31T23:59:59Z",
    ]
    let moments = try texts.map { text in try #require(withBytes(text) { Timestamp(parsing: $0) }) }
    #expect(moments.shuffled().sorted() == moments)
  }
}
