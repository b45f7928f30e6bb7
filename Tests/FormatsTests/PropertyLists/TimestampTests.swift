import Formats
import Testing

struct TimestampTests {
  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00.000Z"),
      (-978_307_200, "1970-01-01T00:00:00.000Z"),
      (-978_307_200.001, "1969-12-31T23:59:59.999Z"),
      (-63_114_076_800, "0001-01-01T00:00:00.000Z"),
      (-63_113_904_000, "0001-01-01T00:00:00.000Z"),
      (252_423_993_599.999, "9999-12-31T23:59:59.999Z"),
      (94_694_399, "2004-01-01T23:59:59.000Z"),
      (99_792_000, "2004-03-01T00:00:00.000Z"),
      (-31_579_200, "2000-01-01T12:00:00.000Z"),
      (0.000_000_001, "2001-01-01T00:00:00.000000001Z"),
      (-0.000_000_001, "2000-12-31T23:59:59.999999999Z"),
      (1.999_999_999_9, "2001-01-01T00:00:02.000000000Z"),
      (1_475_313_330.123 - 978_307_200, "2016-10-01T09:15:30.123Z"),
    ] as [(Double, String)])
  func secondsAreSpelledExactly(seconds: Double, expected: String) throws {
    #expect(try spelled(seconds) == .string(expected))
  }

  @Test(arguments: [-63_114_076_801, -63_113_904_001, 252_423_993_600, 1e300])
  func momentsOutsideTheYears1To9999StayNumbers(seconds: Double) throws {
    #expect(try spelled(seconds) == JSONNumber(seconds).map { .number($0) })
  }

  @Test func momentsWithoutANumberBecomeText() throws {
    #expect(try spelled(.infinity) == .string("Infinity"))
    #expect(try spelled(.nan) == .string("NaN"))
  }

  /// Reads a property list that holds nothing but one date.
  private func spelled(_ seconds: Double) throws -> JSONValue {
    let bits = (0..<8).reversed().map { UInt8(truncatingIfNeeded: seconds.bitPattern >> (8 * $0)) }
    let trailer: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    let rest: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 17]
    let bytes = Array("bplist00".utf8) + [0x33] + bits + trailer + rest
    return try PropertyList(parsing: bytes).json(maxNodes: 1)
  }
}
