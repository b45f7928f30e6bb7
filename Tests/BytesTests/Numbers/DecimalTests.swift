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

  @Test(arguments: [
    ("1e5", "100000"), ("1E+3", "1000"), ("-1E-3", "-0.001"), ("12.50e1", "125.0"),
    ("0.00e2", "0"), ("-0e-2", "-0.00"), ("100e-2", "1.00"), ("1e400", nil), ("1.5", nil),
    ("e5", nil), ("1e", nil), ("1e+", nil), ("1e+-5", nil), ("1e5.0", nil), ("1.e5", nil),
    ("1e99999999999999999999", nil), ("x", nil), ("", nil),
  ])
  func exponentsAreWrittenOut(_ text: String, _ digits: String?) {
    let written = withBytes(text) { writtenOutDecimal($0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
    let isLong = text == "1e400"
    #expect(written == (isLong ? "1" + String(repeating: "0", count: 400) : digits))
  }

  /// As Python's decimal numbers are written out.
  @Test(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
  func randomExponentsAreWrittenOut() throws {
    let output = try Python.run(
      """
      import decimal, random
      random.seed(5)
      for _ in range(2000):
          text = random.choice(['', '-']) + str(random.choice([0, 7, random.randrange(10 ** 20)]))
          if random.random() < 0.6: text += '.' + str(random.randrange(10 ** 6))
          text += random.choice('eE') + random.choice(['', '-', '+']) + str(random.randrange(60))
          print(text, format(decimal.Decimal(text), 'f'))
      """
    )
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2000)
    for line in lines {
      let parts = line.split(separator: " ").map(String.init)
      let written = withBytes(parts[0]) { writtenOutDecimal($0) }
      #expect(written.map { String(decoding: $0, as: UTF8.self) } == parts[1], "\(parts[0])")
    }
  }
}
