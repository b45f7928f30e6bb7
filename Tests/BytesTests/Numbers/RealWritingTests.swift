import TestSupport
import Testing

@testable import Bytes

struct RealWritingTests {
  /// Compares without building a message for each of very many numbers.
  private func firstDifference(_ values: some Sequence<Double>) -> Double? {
    var bytes: [UInt8] = []
    return values.first { value in
      bytes.removeAll(keepingCapacity: true)
      bytes.appendReal(value)
      return bytes != Array(value.description.utf8)
    }
  }

  @Test func aMillionRandomBitPatternsAreWrittenAsTheirDescription() {
    var random = SeededGenerator(seed: 2)
    let values = (0..<1_000_000).lazy.map { _ in Double(bitPattern: random.next()) }
      .filter(\.isFinite)
    #expect(firstDifference(values) == nil)
  }

  @Test func neighboursOfPowersOfTwoAndTenAreWrittenAsTheirDescription() {
    let twos = (-1074...1023).map { Double(sign: .plus, exponent: $0, significand: 1) }
    let tens = (-323...308).compactMap { Double("1e\($0)") }
    let values = (twos + tens).flatMap { [$0.nextDown, $0, $0.nextUp, -$0, $0 * 3, $0 * 5] }
    #expect(firstDifference(values.filter(\.isFinite)) == nil)
  }

  @Test(arguments: [1.0, 10, 1000, 1e6, 1e9])
  func shortDecimalsAreWrittenAsTheirDescription(_ divisor: Double) {
    var random = SeededGenerator(seed: 3)
    let values = (0..<50_000).lazy.map { _ in
      let shift = Int64.random(in: 12..<62, using: &random)
      return Double(Int64(bitPattern: random.next()) >> shift) / divisor
    }
    #expect(firstDifference(values) == nil)
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-2.5, "-2.5"), (0.1, "0.1"), (0.0001, "0.0001"),
    (0.00001, "1e-05"), (1e16, "1e+16"), (0x1p53, "9007199254740992.0"),
    (0x1p-1074, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"), (-.nan, "NaN"),
  ])
  func specialNumbersHaveTheirSpelling(_ value: Double, _ text: String) {
    #expect(written { $0.appendReal(value) } == text)
  }

  @Test func powersOfTenAreTheExactValuesRoundedUp() throws {
    let exponents = Array(PowersOfTen.exponents)
    let expected = try Python.answers(
      to: exponents.map(String.init),
      """
      from fractions import Fraction
      from math import ceil
      def answer(line):
        value = Fraction(10) ** int(line)
        shift = 128 - (value.numerator.bit_length() - value.denominator.bit_length())
        scaled = value * Fraction(2) ** shift
        while scaled >= 2 ** 128: scaled /= 2
        while scaled < 2 ** 127: scaled *= 2
        return ceil(scaled)
      """)
    #expect(exponents.map { PowersOfTen.scaled($0).description } == expected)
  }
}
