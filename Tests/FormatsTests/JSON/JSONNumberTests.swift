import Formats
import Testing

struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("12", 12), ("9223372036854775807", .max),
      ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("1.0", nil), ("1e2", nil), ("100000000000000000000", nil),
    ] as [(String, Int64?)])
  func integerNeedsIntegerSyntaxAnd64Bits(text: String, expected: Int64?) throws {
    #expect(try #require(JSONNumber(text)).integer == expected)
  }

  @Test(
    arguments: [
      ("0.1", 0.1), ("1e2", 100), ("-1E-2", -0.01), ("1e999", nil), ("1e-999", 0), ("5", 5),
    ] as [(String, Double?)])
  func realIsTheNearestFiniteDouble(text: String, expected: Double?) throws {
    #expect(try #require(JSONNumber(text)).real == expected)
  }

  @Test(arguments: ["", " 1", "1 ", "01", "+1", "1.", ".5", "1e", "NaN", "0x1", "1,2", "--1", "٣"])
  func otherTextIsNoNumber(text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test(arguments: ["1e400", "0.10", "123456789012345678901234567890.000", "-0"])
  func textIsKept(text: String) throws {
    let value = try parse("[\(text)]")
    #expect(value == .array([.number(try #require(JSONNumber(text)))]))
    #expect(json(value) == Array("[\(text)]".utf8))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func numberWithoutSpellingIsRefused(value: Double) {
    #expect(JSONNumber(value) == nil)
  }

  @Test(arguments: [
    0.1, -0.0, 1e16, 2.2250738585072014e-308, .leastNonzeroMagnitude, 1.7976931348623157e308, 3,
  ])
  func shortestDigitsReadBack(value: Double) throws {
    let number = try #require(JSONNumber(value))
    #expect(number.real?.bitPattern == value.bitPattern)
    #expect(JSONNumber(number.text) == number)
  }

  @Test func numbersOfAnyWidthAreSpelledInFull() {
    #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
    #expect(JSONNumber(Int8.min).text == "-128")
  }
}
