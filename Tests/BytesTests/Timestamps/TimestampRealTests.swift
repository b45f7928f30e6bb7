import Bytes
import TestSupport
import Testing

struct TimestampRealTests {
  /// The rule for stored numbers, in exact fractions; the input is the origin and the bits.
  private static let rule = """
    import struct
    from datetime import datetime, timedelta
    from fractions import Fraction
    from math import floor
    shift = 978307200
    def milliseconds(x, origin):
      other = float(shift if origin else -shift)
      for k in range(floor(Fraction(x) * 1000) - 1, floor(Fraction(x) * 1000) + 3):
        if k / 1000 == x: return k + origin * 1000
      near = floor(Fraction(x + other) * 1000)
      for m in range(near - 1, near + 3):
        if m / 1000 - other == x: return m + (0 if origin else shift * 1000)
    def answer(line):
      origin, bits = line.split()
      origin = int(origin)
      x = struct.unpack('>d', struct.pack('>Q', int(bits)))[0]
      whole = milliseconds(x, origin)
      value = whole * 10 ** 6 if whole is not None else round((Fraction(x) + origin) * 10 ** 9)
      seconds, rest = divmod(value, 10 ** 9)
      try: moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)
      except OverflowError: return 'nil'
      digits = f'{rest:09}' if whole is None else f'{rest // 10 ** 6:03}'
      return f'{moment.isoformat()}.{digits}Z'
    """

  private func check(_ values: [Double], _ sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let from2001 = try Python.answers(
      to: values.map { "978307200 \($0.bitPattern)" }, Self.rule)
    #expect(
      values.map { Timestamp(secondsSince2001: $0)?.text ?? "nil" } == from2001,
      sourceLocation: sourceLocation)
    let from1970 = try Python.answers(to: values.map { "0 \($0.bitPattern)" }, Self.rule)
    #expect(
      values.map { Timestamp(secondsSince1970: $0)?.text ?? "nil" } == from1970,
      sourceLocation: sourceLocation)
  }

  @Test func millisecondsFollowTheRule() throws {
    let rule = """
      import struct
      from datetime import datetime, timedelta
      from fractions import Fraction
      def answer(line):
        exact = Fraction(struct.unpack('>d', struct.pack('>Q', int(line)))[0])
        seconds, rest = divmod(round(exact * 10 ** 6), 10 ** 9)
        try: moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)
        except OverflowError: return 'nil'
        digits = f'{rest // 10 ** 6:03}' if exact.denominator == 1 else f'{rest:09}'
        return f'{moment.isoformat()}.{digits}Z'
      """
    var random = SeededGenerator(seed: 21)
    let values = (0..<2000).flatMap { _ in
      [
        Double.random(in: -1...1, using: &random), Double.random(in: -1e13...1e13, using: &random),
        Double.random(in: -1e16...1e16, using: &random),
        Double.random(in: -1e13...1e13, using: &random).rounded(),
      ]
    }
    #expect(
      values.map { Timestamp(fractionalMillisecondsSince1970: $0)?.text ?? "nil" }
        == (try Python.answers(to: values.map { "\($0.bitPattern)" }, rule)))
  }

  /// What a text spells is rounded as the same number is in a database.
  @Test func digitsFollowTheRule() throws {
    let rule = """
      from datetime import datetime, timedelta
      from fractions import Fraction
      def answer(line):
        digits, power = line.split()
        exact = Fraction(digits) * 10 ** int(power)
        seconds, rest = divmod(round(exact), 10 ** 9)
        try: moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)
        except OverflowError: return 'nil'
        isWhole = exact.denominator == 1 and rest % 10 ** 6 == 0
        return f'{moment.isoformat()}.' + (f'{rest // 10 ** 6:03}Z' if isWhole else f'{rest:09}Z')
      """
    var random = SeededGenerator(seed: 23)
    var texts = [
      "1.190121922906", "253402300799.9999999999", "253402300799999.9999999",
      "-62135596800.0000000001",
      "-0.0000000001", "0.0000000005", "0.0000000015", "0.00000000050000001", "0.00000000005",
      "-1e-12",
      "59.9999999996", "86399.9999999999", "-0.9999999999", "1.5", "12.50", "1E3", "1e-1000",
    ]
    for _ in 0..<2000 {
      let whole = Int64.random(in: -70_000_000_000...260_000_000_000, using: &random)
      let fraction = (0..<Int.random(in: 1...14, using: &random)).map { _ in
        String(["0", "4", "5", "9"].randomElement(using: &random) ?? "0")
      }
      texts.append("\(whole).\(fraction.joined())")
    }
    for (power, read) in [
      (9, { (text: Span<UInt8>) in Timestamp(secondsSince1970: text) }),
      (6, { (text: Span<UInt8>) in Timestamp(millisecondsSince1970: text) }),
    ] {
      let found = texts.map { text in withBytes(text) { read($0)?.text ?? "nil" } }
      #expect(found == (try Python.answers(to: texts.map { "\($0) \(power)" }, rule)))
    }
  }

  @Test func randomNumbersFollowTheRule() throws {
    var random = SeededGenerator(seed: 12)
    try check(
      (0..<4000).flatMap { _ in
        [
          Double.random(in: -1...1, using: &random),
          Double.random(in: 0...1e9, using: &random),
          Double.random(in: -6.4e10...2.6e11, using: &random),
          Double(Int.random(in: 0...1_000_000_000_000, using: &random)) / 1000,
          Double(Int.random(in: 0...1_000_000_000_000_000, using: &random)) / 1_000_000,
        ]
      })
  }

  @Test func neighboursOfWholeMillisecondsFollowTheRule() throws {
    var random = SeededGenerator(seed: 13)
    try check(
      (0..<1000).flatMap { _ in
        let whole =
          Double(Int.random(in: -2_000_000_000_000...2_000_000_000_000, using: &random)) / 1000
        let shifted = whole - 978_307_200
        let back = whole + 978_307_200
        return [whole, shifted, back].flatMap { [$0.nextDown, $0, $0.nextUp] }
      })
  }

  @Test func tiesAndTinyNumbersFollowTheRule() throws {
    let halves = (1...200).flatMap {
      [Double($0) * 0x1p-11, Double($0) * 0x1p-12, Double($0) * 0x1p-40]
    }
    let tiny = [
      0x1p-1074, 1e-300, 1e-20, 4.9e-10, 5e-10, 5.1e-10, 1e-9, 1.5e-9, 0.9999999999, 0.9999999996,
    ]
    let numbers =
      halves + tiny + [0, 1e9 + 0x1p-20, 63_113_904_000, 62_135_596_800, 253_402_300_799.5]
    try check(numbers + numbers.map { -$0 })
  }

  @Test func millisecondsCountedFrom1970SurviveStorageFrom2001() {
    var random = SeededGenerator(seed: 14)
    for _ in 0..<20_000 {
      let milliseconds = Int64.random(in: 0...4_000_000_000_000, using: &random)
      let stored = Double(milliseconds) / 1000 - 978_307_200
      #expect(
        Timestamp(secondsSince2001: stored) == Timestamp(millisecondsSince1970: milliseconds))
    }
  }

  @Test func distantPastIsTheFirstDay() {
    let first = Timestamp(wholeSecondsSince1970: -62_135_596_800)
    #expect(first?.text == "0001-01-01T00:00:00.000Z")
    #expect(Timestamp(secondsSince2001: -63_114_076_800) == first)
    #expect(Timestamp(wholeSecondsSince2001: -63_114_076_800) == first)
    #expect(Timestamp(secondsSince2001: -63_113_904_000) == first)
    #expect(Timestamp(secondsSince2001: -63_114_076_799) == nil)
    #expect(Timestamp(secondsSince2001: -63_113_904_001) == nil)
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e12, 2.6e11, -6.4e10,
    .greatestFiniteMagnitude,
  ])
  func numbersThatAreNoMomentGiveNothing(_ seconds: Double) {
    #expect(Timestamp(secondsSince2001: seconds) == nil)
    #expect(Timestamp(secondsSince1970: seconds) == nil)
  }
}
