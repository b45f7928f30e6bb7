import Formats
import TestSupport
import Testing

struct InflateRawTests {
  @Test(arguments: [1, 2])
  func whatPythonPackedIsUnpacked(seed: Int) throws {
    let rows = try Python.rows(
      packing + """
        random.seed(\(seed))
        for size in [0, 1, 2, 100, 65535, 65536, 65537, 300000]:
            for level in [0, 1, 9]:
                row(data(size), packed(data.last, level, random.choice([0, 1, 2, 3, 4])))
        """)
    #expect(rows.count == 24)
    for row in rows {
      #expect(try unpack(row[1], limit: row[0].count) == row[0])
    }
  }

  @Test func cutDataIsTruncatedAtEveryPlace() throws {
    let row = try #require(
      Python.rows(packing + "row(packed(bytes(range(256)) * 3, 9, 0))").first)
    for end in 0..<row[0].count {
      #expect(code { try unpack(Array(row[0][..<end]), limit: 10_000) } == .truncated)
    }
  }

  @Test func whatFollowsTheLastBlockIsCountedButIgnored() throws {
    let row = try #require(Python.rows(packing + "row(packed(b'hello', 9, 0))").first)
    let input = row[0] + [1, 2, 3]
    var consumed = 0
    let unpacked = try inflateRaw(input.span, limit: 5, consumed: &consumed)
    #expect(
      unpacked == Array("hello".utf8))
    #expect(consumed == row[0].count)
  }

  @Test func bombStopsAtTheLimit() throws {
    let row = try #require(
      Python.rows(packing + "row(packed(bytes(10_000_000), 9, 0))").first)
    for limit in [-1, 0, 1, 65_535, 65_536, 65_537, 9_999_999] {
      #expect(code { try unpack(row[0], limit: limit) } == .limit)
    }
    #expect(try unpack(row[0], limit: 10_000_000).count == 10_000_000)
    #expect(try unpack(row[0], limit: .max).count == 10_000_000)
  }

  @Test(arguments: [[0xFF], [0x01, 1, 0, 0, 0], [0x07, 0]] as [[UInt8]])
  func damagedDataIsInvalid(bytes: [UInt8]) {
    #expect(code { try unpack(bytes, limit: 100) } == .invalid)
  }

  @Test func emptyDataIsTruncated() {
    #expect(code { try unpack([], limit: 100) } == .truncated)
  }
}

/// Unpacks the bytes of an array.
func unpack(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
  try inflateRaw(bytes.span, limit: limit)
}

/// Python functions that make compressible and random data and pack it without a header.
let packing = """
  def data(size):
      data.last = random.randbytes(size) if random.random() < .3 else bytes(
          random.choice(b'abcd') for _ in range(size))
      return data.last
  def packed(plain, level, strategy):
      compressor = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
      return compressor.compress(plain) + compressor.flush()

  """

/// The code of the error that work ends with; nil where it succeeds.
func code(of work: () throws -> some Any) -> FormatError.Code? {
  do {
    _ = try work()
    return nil
  } catch {
    return (error as? FormatError)?.code
  }
}
