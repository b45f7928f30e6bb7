import Bytes
import TestSupport
import Testing

/// Times as spreadsheets and tables of other programs have them.
struct TimestampTableTests {
  private func read(_ text: String) -> String? {
    withBytes(text) { Timestamp(parsingFreely: $0)?.text }
  }

  @Test(arguments: [
    ("2016-10-01", "2016-10-01T00:00:00.000Z"),
    ("2016-10-01 09:15", "2016-10-01T09:15:00.000Z"),
    ("2016-10-01T09:15", "2016-10-01T09:15:00.000Z"),
    ("2016-10-01 09:15+02:00", "2016-10-01T07:15:00.000Z"),
    ("2016-10-01 09:15Z", "2016-10-01T09:15:00.000Z"),
    ("2016-10-01 09:15:30", "2016-10-01T09:15:30.000Z"),
    ("2016-10-01 09:15:30.123456", "2016-10-01T09:15:30.123456000Z"),
    ("2016-10-01 09:15:30.123456+00", "2016-10-01T09:15:30.123456000Z"),
    ("2016-10-01 09:15:30-03", "2016-10-01T12:15:30.000Z"),
    ("2016-10-01T09:15:30+0530", "2016-10-01T03:45:30.000Z"),
    ("2016-02-29", "2016-02-29T00:00:00.000Z"),
    ("2016-10-01 09:15:30.0000000 +02:00", "2016-10-01T07:15:30.000Z"),
    ("2016-10-01 09:15:30 -0300", "2016-10-01T12:15:30.000Z"),
    ("2016-10-01 09:15:30 UTC", "2016-10-01T09:15:30.000Z"),
    ("2016-10-01 09:15 GMT", "2016-10-01T09:15:00.000Z"),
    ("2016-10-01t09:15:30.5z", "2016-10-01T09:15:30.500Z"),
  ])
  func tableTextIsATime(_ text: String, _ canonical: String) {
    #expect(read(text) == canonical)
  }

  @Test(arguments: [
    "2016-W40-6", "2016W406", "2016-275", "20161001", "2016-10", "01.10.2016", "10/01/2016",
    "2017-02-29", "2016-10-01 9:15", "2016-10-01 24:00", "2016-10-01 09", "2016-10-01T",
    "2016-10-01 09:15.5", "2016-10-01 09:15:30  +02:00", "2016-10-01+02:00", "2016-10-01 09:15:30 ",
    "2016-10-01 09:15:30UTC", "2016-10-01 09:15:30 EST", "2016-10-01 UTC",
    "2016-10-01Z",
    "2016-10-01 09:15:30+2", "2016-10-01 09:15:30+24", "2016-10-01  09:15",
  ])
  func whatMayMeanSomethingElseIsNone(_ text: String) {
    #expect(read(text) == nil)
  }

  @Test(
    arguments: [
      (1, "1900-01-01T00:00:00.000Z"), (59, "1900-02-28T00:00:00.000Z"),
      (61, "1900-03-01T00:00:00.000Z"), (42644, "2016-10-01T00:00:00.000Z"),
      (42644.3857638889, "2016-10-01T09:15:30.000Z"),
      (42644.99999999, "2016-10-01T23:59:59.999Z"),
      (42644.999999999, "2016-10-02T00:00:00.000Z"),
      (2_958_465, "9999-12-31T00:00:00.000Z"),
    ] as [(Double, String)])
  func daysOfASpreadsheetAreTimes(_ days: Double, _ canonical: String) {
    #expect(Timestamp(spreadsheetDays: days)?.text == canonical)
  }

  @Test(arguments: [0, 0.5, -1, 60, 60.99, 2_958_466, .infinity, .nan] as [Double])
  func daysThatThereNeverWereAreNone(_ days: Double) {
    #expect(Timestamp(spreadsheetDays: days) == nil)
  }

  /// From March 1900 on, Excel counts as if it had begun two days before 1900.
  @Test func daysAreThoseOfPython() throws {
    let days = [61, 100, 365, 366, 20_000, 36_526, 43_890, 45_000, 2_958_465]
    let answers = try Python.answers(
      to: days.map(String.init),
      """
      import datetime
      def answer(line):
          day = datetime.date(1899, 12, 30) + datetime.timedelta(days=int(line))
          return day.isoformat() + 'T00:00:00.000Z'
      """)
    #expect(days.map { Timestamp(spreadsheetDays: Double($0))?.text } == answers)
  }
}
