import Bytes
import TestSupport
import Testing

struct TimestampParsingTests {
  private func strict(_ text: String) -> String? {
    withBytes(text) { Timestamp(parsing: $0)?.text }
  }
  private func lenient(_ text: String) -> String? {
    withBytes(text) { Timestamp(parsingLeniently: $0)?.text }
  }

  @Test(arguments: [
    ("2016-10-01T09:15:30Z", "2016-10-01T09:15:30.000Z"),
    ("2016-10-01T09:15:30.1Z", "2016-10-01T09:15:30.100Z"),
    ("2016-10-01T09:15:30.123456789Z", "2016-10-01T09:15:30.123456789Z"),
    ("2016-10-01T09:15:30.1234Z", "2016-10-01T09:15:30.123400000Z"),
    ("2016-10-01T09:15:30+02:00", "2016-10-01T07:15:30.000Z"),
    ("2016-10-01T09:15:30.5-0830", "2016-10-01T17:45:30.500Z"),
    ("2016-03-01T00:00:00+23:59", "2016-02-29T00:01:00.000Z"),
    ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
  ])
  func bothReadersAgreeOnStrictText(_ text: String, _ canonical: String) {
    #expect(strict(text) == canonical)
    #expect(lenient(text) == canonical)
  }

  @Test(arguments: [
    ("2016-10-01 09:15:30", "2016-10-01T09:15:30.000Z"),
    ("2016-10-01T09:15:30.25", "2016-10-01T09:15:30.250Z"),
    ("2016-10-01 09:15:30+01:00", "2016-10-01T08:15:30.000Z"),
    ("2016-10-01T09:15:30.1234567890000Z", "2016-10-01T09:15:30.123456789Z"),
  ])
  func looserTextNeedsTheLenientReader(_ text: String, _ canonical: String) {
    #expect(strict(text) == nil)
    #expect(lenient(text) == canonical)
  }

  @Test(arguments: [
    "", "2016", "2016-10-01", "2016-10-01T09:15", "2016-10-01T09:15Z", "2016-10-01t09:15:30Z",
    "2016-10-01T09:15:30z", "2016-13-01T00:00:00Z", "2016-00-01T00:00:00Z", "2016-02-30T00:00:00Z",
    "2015-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2016-04-31T00:00:00Z", "2016-01-00T00:00:00Z",
    "2016-10-01T24:00:00Z", "2016-10-01T00:60:00Z", "2016-10-01T00:00:60Z", "0000-01-01T00:00:00Z",
    "2016-10-01T00:00:00.Z", "2016-10-01T00:00:00.1234567891Z", "2016-10-01T00:00:00Zx",
    "2016-10-01T00:00:00+1:00", "2016-10-01T00:00:00+24:00", "2016-10-01T00:00:00+01:60",
    "2016-10-01T00:00:00+01", "2016-10-01T00:00:00+01:", "2016-10-01T00:00:00+01:00x",
    "2016-10-01T00:00:00 Z", "+2016-10-01T00:00:00Z", "20161001T000000Z", "2016-10-01T0 :00:00Z",
    "2016-10-01_00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
    "２016-10-01T00:00:00Z", "2016-10-01T00:00:00,5Z", "-016-10-01T00:00:00Z",
  ])
  func otherTextIsNoMoment(_ text: String) {
    #expect(strict(text) == nil)
    #expect(lenient(text) == nil)
  }

  @Test func cutTextIsNeverAccepted() {
    let text = "2016-10-01T09:15:30.123456789+02:30"
    for length in 0..<text.utf8.count { #expect(strict(String(text.prefix(length))) == nil) }
  }

  @Test func randomMomentsSurviveWritingAndReading() {
    var random = SeededGenerator(seed: 15)
    for _ in 0..<20_000 {
      let moment = Timestamp(
        wholeSecondsSince1970: Int64.random(in: -62_135_596_800...253_402_300_799, using: &random),
        nanoseconds: Int32.random(in: 0..<1_000_000_000, using: &random))
      let text = moment?.text ?? ""
      #expect(withBytes(text) { Timestamp(parsing: $0) } == moment)
      #expect(withBytes(text) { Timestamp(parsingLeniently: $0) } == moment)
    }
  }
}
