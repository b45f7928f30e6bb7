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

  /// Python's decimals write out what its shortest spelling of a double says.
  @Test func numbersAreWrittenOutAsDecimalsAre() throws {
    var random = SeededGenerator(seed: 4)
    let patterns = (0..<20_000).map { _ in Double(bitPattern: random.next()) }
    let usual = (0..<20_000).map { _ in
      Double(Int64(bitPattern: random.next()) >> Int64.random(in: 8..<62, using: &random)) / 1e7
    }
    let edges = [
      0.0, -0.0, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude, 1e-5,
      0x1p53, 0x1p53 + 2, 1e16, 1e22, 123_456_789_012_345_680, 0.1, 100, -2.5,
    ]
    let values = (patterns + usual + edges).filter(\.isFinite)
    let expected = try Python.answers(
      to: values.map(\.description),
      """
      from decimal import Decimal
      def answer(line):
        text = format(Decimal(line), 'f')
        if '.' in text: text = text.rstrip('0').rstrip('.')
        return text.replace('-0', '0') if float(line) == 0 else text
      """)
    for (value, text) in zip(values, expected) {
      let spelled = written { bytes in
        bytes.append(addingCapacity: writtenOutRealSize) { $0.appendWrittenOut(value) }
      }
      #expect(spelled == text)
    }
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
