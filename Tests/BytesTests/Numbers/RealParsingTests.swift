import Bytes
import TestSupport
import Testing

struct RealParsingTests {
  /// The bits of Python's reading of each text.
  private func oracle(_ texts: [String]) throws -> [UInt64?] {
    try Python.answers(
      to: texts,
      """
      import struct
      def answer(line): return struct.unpack('>Q', struct.pack('>d', float(line)))[0]
      """
    ).map { UInt64($0) }
  }

  @Test func randomNumbersAreReadAsPythonReadsThem() throws {
    var random = SeededGenerator(seed: 4)
    let texts = (0..<20_000).map { _ in
      var text = Bool.random(using: &random) ? "-" : ""
      text += String(random.next() >> UInt64.random(in: 0..<64, using: &random))
      if Bool.random(using: &random) {
        text += "." + String(repeating: "0", count: Int.random(in: 0..<4, using: &random))
        text += String(random.next() >> UInt64.random(in: 0..<64, using: &random))
      }
      if Bool.random(using: &random) { text += "e\(Int.random(in: -340...280, using: &random))" }
      return text
    }
    let expected = try oracle(texts)
    #expect(texts.map { withBytes($0, parseReal)?.bitPattern } == expected)
  }

  /// Numbers of 15 to 20 digits near the middle between two doubles, where the last digit decides.
  @Test func numbersBetweenNeighboursAreReadAsPythonReadsThem() throws {
    let texts = try Python.answers(
      to: (0..<20_000).map { String($0) },
      """
      import random, struct
      from fractions import Fraction
      def answer(line):
        r = random.Random(int(line))
        bits = r.getrandbits(52) | r.randrange(1, 2046) << 52
        value, = struct.unpack('>d', struct.pack('>Q', bits))
        above, = struct.unpack('>d', struct.pack('>Q', bits + 1))
        middle = (Fraction(value) + Fraction(above)) / 2
        exponent = len(str(int(middle))) if middle >= 1 else -len(str(int(1 / middle))) + 1
        exponent -= r.randrange(15, 21)
        digits = int(middle / Fraction(10) ** exponent) + r.choice([-1, 0, 0, 1, 1, 2])
        return '%de%d' % (digits, exponent)
      """)
    let expected = try oracle(texts)
    #expect(texts.map { withBytes($0, parseReal)?.bitPattern } == expected)
  }

  @Test func whatIsWrittenIsReadBackBitForBit() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<50_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = written { $0.appendReal(value) }
      #expect(withBytes(text, parseReal)?.bitPattern == value.bitPattern)
    }
  }

  @Test(arguments: [
    "0", "-0", "0.0", "-0e5", "1E5", "1e+5", "1e-5", "9007199254740993", "1e22", "1e23",
    "123456789012345678901234567890", "0.000000000000000000000000000001", "5e-324", "2e-324",
    "1e-999999999999999999999", "0e999999999999999999999", "179769313486231570000e288",
    "9007199254740992e22", "9007199254740991e-22", "18446744073709551615", "184467440737095516150",
  ])
  func edgesAreReadAsPythonReadsThem(_ text: String) throws {
    let expected = try oracle([text])
    #expect(withBytes(text, parseReal)?.bitPattern == expected[0])
  }

  @Test func infinitiesAreRead() {
    #expect(withBytes("Infinity", parseReal) == .infinity)
    #expect(withBytes("-Infinity", parseReal) == -.infinity)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "-01", "1.", ".5", "1.e5", "1e", "1e+", "1e5.0", " 1", "1 ", "0x10", "NaN",
    "nan", "inf", "infinity", "+Infinity", "Infinit", "Infinityx", "1e400", "-1e400", "1_000",
    "1,5",
    "1e999999999999999999999", "--1", "1-", "e5", "1e5e5", "1..5", "1.-5",
  ])
  func otherTextIsNoNumber(_ text: String) {
    #expect(withBytes(text, parseReal) == nil)
  }
}
