import Formats
import TestSupport
import Testing

struct GzipTests {
  @Test(arguments: [(1, 1), (3, 7), (100, 1), (4096, 100_000)])
  func membersOfAnyNumberAreUnpackedInPiecesOfAnySize(piece: Int, room: Int) throws {
    let rows = try Python.rows(
      """
      random.seed(7)
      for members in [[b'one'], [b'', b'two', b''], [random.randbytes(3000), b'a' * 5000]]:
          row(b''.join(members), b''.join(gzip.compress(m) for m in members))
      """)
    #expect(rows.count == 3)
    for row in rows {
      #expect(try unpack(row[1], piece: piece, room: room) == row[0])
    }
  }

  @Test(arguments: [1, 10, 1000, 1_000_000])
  func pythonUnpacksWhatIsPackedInPiecesOfAnySize(piece: Int) throws {
    let plain = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 5) }
    let packed = try pack(plain, piece: piece)
    let rows = try Python.rows(
      "for item in inputs: row(gzip.decompress(item))", input: [packed])
    #expect(rows.first == [plain])
    #expect(packed == (try pack(plain, piece: 777)))
  }

  @Test func emptyInputIsPackedAsAnEmptyMember() throws {
    #expect(try unpack(pack([], piece: 1), piece: 1, room: 1) == [])
  }

  @Test func cutInputIsTruncatedAtEveryPlace() throws {
    let packed = try pack(Array("some text, some text".utf8), piece: 100)
    for end in 0..<packed.count {
      #expect(code { try unpack(Array(packed[..<end]), piece: 5, room: 100) } == .truncated)
    }
    let second = packed + packed.dropLast()
    #expect(code { try unpack(second, piece: 5, room: 100) } == .truncated)
  }

  @Test func wrongChecksumLengthAndTrailingJunkAreTold() throws {
    let packed = try pack(Array("some text".utf8), piece: 100)
    for (place, expected) in [
      (packed.count - 8, FormatError.Code.checksum), (packed.count - 1, .checksum), (0, .invalid),
      (2, .invalid),
    ] {
      var damaged = packed
      damaged[place] ^= 0x40
      #expect(code { try unpack(damaged, piece: 3, room: 100) } == expected)
    }
    #expect(code { try unpack(packed + [0, 0, 0], piece: 3, room: 100) } == .invalid)
  }

  @Test func bombStopsAtTheLimit() throws {
    let packed = try pack([UInt8](repeating: 0, count: 1_000_000), piece: 1_000_000)
    #expect(code { try unpack(packed, piece: 4096, room: 1000, limit: 50_000) } == .limit)
    #expect(code { try unpack(packed, piece: 4096, room: 1000, limit: 1_000_000) } == nil)
  }

  @Test func unpackingWithoutRoomIsACallersMistake() async {
    await #expect(processExitsWith: .failure) {
      var reader = try GzipReader()
      var output: [UInt8] = []
      let nothing: [UInt8] = []
      _ = try reader.unpack(nothing.span, room: 0, into: &output)
    }
  }

  @Test func levelAboveNineIsACallersMistake() async {
    await #expect(processExitsWith: .failure) { _ = try GzipWriter(level: 10) }
  }

  private func pack(_ plain: [UInt8], piece: Int) throws -> [UInt8] {
    var writer = try GzipWriter()
    var output: [UInt8] = []
    for start in stride(from: 0, to: plain.count, by: piece) {
      let part = Array(plain[start..<min(start + piece, plain.count)])
      writer.pack(part.span, into: &output)
    }
    writer.finish(into: &output)
    return output
  }

  private func unpack(
    _ packed: [UInt8], piece: Int, room: Int, limit: Int = .max
  ) throws -> [UInt8] {
    var reader = try GzipReader(limit: limit)
    var output: [UInt8] = []
    for start in stride(from: 0, to: packed.count, by: piece) {
      var part = Array(packed[start..<min(start + piece, packed.count)])
      repeat {
        let before = output.count
        let used = try reader.unpack(part.span, room: room, into: &output)
        #expect(output.count - before <= room)
        part.removeFirst(used)
      } while !reader.wantsInput
      #expect(part.isEmpty)
    }
    try reader.finish()
    return output
  }
}
