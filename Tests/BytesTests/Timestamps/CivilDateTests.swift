import TestSupport
import Testing

@testable import Bytes

struct CivilDateTests {
  private static let allDays = -719_162...2_932_896

  @Test func everyDayFollowsTheOneBefore() {
    var expected = CivilDate(year: 1, month: 1, day: 1)
    var firstWrong: Int?
    for days in Self.allDays where firstWrong == nil {
      let date = CivilDate(daysSince1970: days)
      if date != expected || date.daysSince1970 != days { firstWrong = days }
      expected.day += 1
      if !expected.exists {
        expected = CivilDate(year: expected.year, month: expected.month + 1, day: 1)
      }
      if !expected.exists { expected = CivilDate(year: expected.year + 1, month: 1, day: 1) }
    }
    #expect(firstWrong == nil)
    #expect(expected.year == 10_000)
  }

  @Test func randomDaysAreThoseOfPython() throws {
    var random = SeededGenerator(seed: 10)
    let days = (0..<5000).map { _ in Int.random(in: Self.allDays, using: &random) }
    let expected = try Python.answers(
      to: days.map(String.init),
      """
      from datetime import date
      def answer(line):
        day = date.fromordinal(int(line) + 719163)
        return f'{day.year} {day.month} {day.day}'
      """)
    let actual = days.map { days in
      let date = CivilDate(daysSince1970: days)
      return "\(date.year) \(date.month) \(date.day)"
    }
    #expect(actual == expected)
  }
}
