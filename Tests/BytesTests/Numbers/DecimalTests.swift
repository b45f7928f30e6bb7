import Bytes
import TestSupport
import Testing

struct DecimalTests {
  @Test func everyLengthIsWrittenAsItsDescription() {
    var power: UInt64 = 1
    while true {
      for value in [power - 1, power, power + 1] {
        #expect(written { $0.appendDecimal(value) } == value.description)
      }
      let (next, overflows) = power.multipliedReportingOverflow(by: 10)
      if overflows { break }
      power = next
    }
    #expect(written { $0.appendDecimal(UInt64.max) } == UInt64.max.description)
  }

  @Test func randomNumbersSurviveWritingAndReading() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<50_000 {
      let value = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
      let text = written { $0.appendDecimal(value) }
      #expect(text == value.description)
      #expect(withBytes(text, parseDecimal) == value)
    }
  }

  @Test(arguments: [Int64.min, .max, 0, -1])
  func extremesSurviveWritingAndReading(_ value: Int64) {
    let text = written { $0.appendDecimal(value) }
    #expect(text == value.description)
    #expect(withBytes(text, parseDecimal) == value)
  }

  @Test func indicesNeedNoConversion() {
    #expect(written { $0.appendDecimal([7, 8, 9].count) } == "3")
  }

  @Test func leadingZerosAndNegativeZeroAreRead() {
    #expect(withBytes("007", parseDecimal) == 7)
    #expect(withBytes("-0", parseDecimal) == 0)
    #expect(withBytes("00000000000000000000000012", parseDecimal) == 12)
  }

  @Test(arguments: [
    "", "-", "+1", " 1", "1 ", "1.0", "--1", "1-", "0x1", "१", "9223372036854775808",
    "-9223372036854775809", "99999999999999999999", "1e3",
  ])
  func otherTextIsNoNumber(_ text: String) {
    #expect(withBytes(text, parseDecimal) == nil)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567"),
    (-1000, "-1,000"), (-999, "-999"), (.max, "9,223,372,036,854,775,807"),
    (.min, "-9,223,372,036,854,775,808"),
  ])
  func thousandsAreGrouped(number: Int, text: String) {
    #expect(number.grouped == text)
  }

  @Test func nounFollowsTheNumber() {
    #expect(1.counted("row", "rows") == "1 row")
    #expect(0.counted("row", "rows") == "0 rows")
  }
}
