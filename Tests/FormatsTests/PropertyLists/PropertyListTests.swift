import Formats
import TestSupport
import Testing

struct PropertyListTests {
  @Test(arguments: Fixture.all(in: "plist/accept", extension: "plist"))
  func acceptedListReadsAsItsJSON(_ fixture: Fixture) throws {
    let list = try PropertyList(parsing: fixture.bytes())
    #expect(try list.json(maxNodes: 100) == fixture.expectedJSON())
  }

  @Test(arguments: Fixture.all(in: "plist/reject", extension: "plist"))
  func rejectedListGivesItsCode(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let error = #expect(throws: FormatError.self) { try PropertyList(parsing: bytes) }
    #expect(error?.code == fixture.expectedCode)
    #expect((0...bytes.count).contains(error?.offset ?? -1))
  }

  @Test func cuttingAListAnywhereIsNeverAccepted() throws {
    let bytes = TestPlist.dictionary([("a", .array([.integer(1), .string("é")]))]).bytes
    for end in bytes.indices {
      #expect(throws: FormatError.self) { try PropertyList(parsing: Array(bytes[..<end])) }
    }
  }

  /// Each entry of the offset table could name the same large array.
  @Test func manyEntriesForOneLargeObjectStopAtTheLimit() {
    let clock = ThreadClock()
    let count = 200_000
    let references = [UInt8](repeating: 0, count: 3 * count)
    let array: [UInt8] = [0xAF, 0x12] + bigEndian(count, 4) + references
    let table = (0..<3 * count).map { UInt8($0 % 3 == 2 ? 8 : 0) }
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 3, 3] + bigEndian(count, 8) + bigEndian(0, 8)
      + bigEndian(8 + array.count, 8)
    let bytes = Array("bplist00".utf8) + array + table + trailer
    #expect(code { try PropertyList(parsing: bytes) } == .limit)
    #expect(clock.seconds < 60)
  }

  @Test func listThatContainsItselfIsReadButNotWrittenOut() throws {
    let bytes: [UInt8] = Array("bplist00".utf8) + [0xA1, 0, 8, 0, 0, 0, 0, 0, 0, 1, 1]
    let list = try PropertyList(
      parsing: bytes + bigEndian(1, 8) + bigEndian(0, 8) + bigEndian(10, 8))
    guard case .array(let elements) = list[list.root] else { throw WrongKind() }
    #expect(elements == [list.root])
    #expect(code { try list.json(maxNodes: 100) } == .invalid)
  }

  /// Thirty arrays, each naming the next one twice, would be a billion values.
  @Test func sharedObjectsStopAtTheLimitWhenWrittenOut() throws {
    let clock = ThreadClock()
    var arrays: [UInt8] = []
    for next in 1...30 as ClosedRange<UInt8> { arrays += [0xA2, next, next] }
    arrays.append(0x09)
    let offsets = (0...30).map { UInt8(8 + 3 * $0) }
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 1, 1] + bigEndian(31, 8) + bigEndian(0, 8) + bigEndian(99, 8)
    let list = try PropertyList(parsing: Array("bplist00".utf8) + arrays + offsets + trailer)
    #expect(code { try list.json(maxNodes: 10_000) } == .limit)
    #expect(clock.seconds < 60)
  }

  @Test func longSharedTextStopsAtTheLimitWhenWrittenOut() throws {
    let text: [UInt8] = [0x5F, 0x11, 0x03, 0xE8] + [UInt8](repeating: 0x61, count: 1000)
    let array: [UInt8] = [0xAF, 0x10, 200] + [UInt8](repeating: 1, count: 200)
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 2, 1] + bigEndian(2, 8) + bigEndian(0, 8) + bigEndian(1215, 8)
    let bytes = Array("bplist00".utf8) + array + text + [0, 8, 0, 211] + trailer
    let list = try PropertyList(parsing: bytes, limits: FormatLimits(maxBytes: 100_000))
    #expect(code { try list.json(maxNodes: 1000) } == .limit)
    #expect(code { try PropertyList(parsing: bytes).json(maxNodes: 1000) } == nil)
  }

  @Test func limitsHoldForDepthNumberAndLength() throws {
    let bytes = TestPlist.array([.array([.array([])])]).bytes
    let shallow = try PropertyList(parsing: bytes, limits: FormatLimits(maxDepth: 2))
    #expect(code { try shallow.json(maxNodes: 100) } == .limit)
    #expect(
      code { try PropertyList(parsing: bytes, limits: FormatLimits(maxObjects: 2)) } == .limit)
    #expect(code { try PropertyList(parsing: bytes, limits: FormatLimits(maxBytes: 20)) } == .limit)
  }

  @Test func keyThatIsNoTextIsUnsupportedInJSON() throws {
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xD1, 1, 1, 0x09, 8, 11, 0, 0, 0, 0, 0, 0, 1, 1]
    let list = try PropertyList(
      parsing: bytes + bigEndian(2, 8) + bigEndian(0, 8) + bigEndian(12, 8))
    #expect(code { try list.json(maxNodes: 100) } == .unsupported)
  }

  @Test func repeatedKeyIsInvalidInJSON() throws {
    let bytes = TestPlist.dictionary([("a", .integer(1)), ("a", .integer(2))]).bytes
    #expect(code { try PropertyList(parsing: bytes).json(maxNodes: 100) } == .invalid)
  }

  private func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
