import Bytes
import SQLite
import TestSupport
import Testing

@testable import Merging

struct MergeCandidateTests {
  /// Rows at random with their bytes, of which many are the same in all but one respect.
  private static func rows(_ count: Int, seed: UInt64) -> (rows: [MergeCandidate], [UInt8]) {
    var random = SeededGenerator(seed: seed)
    var arena: [UInt8] = []
    func bytes(_ choices: [[UInt8]]) -> Range<Int> {
      let start = arena.count
      arena += choices.randomElement(using: &random) ?? []
      return start..<arena.count
    }
    func version() -> BoundValue {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: .null
      case 1: .integer(Int64.random(in: -2...2, using: &random))
      case 2: .real(Double(Int.random(in: -4...4, using: &random)) / 2)
      case 3:
        .integer(
          [.max, .min, 1 << 53 + 1, 9_007_199_254_740_992].randomElement(using: &random) ?? 0)
      case 4:
        .real([0x1p63, -0x1p63, 0x1p53, .infinity, -.infinity].randomElement(using: &random) ?? 0)
      case 5, 6: .text(bytes([[], [0x31], [0x31, 0x30], [0xC3, 0xA9]]))
      default: .blob(bytes([[], [0], [0, 0], [0xFF]]))
      }
    }
    let rows = (0..<count).map { number in
      MergeCandidate(
        table: Int32.random(in: 0...1, using: &random),
        source: Int32.random(in: 0...2, using: &random),
        key: Int64(number % 17) - 8, id: bytes([[0x61], [0x61, 0x00], [0xFF]]),
        time: Bool.random(using: &random) ? bytes([[0x32], [0x32, 0x30]]) : nil, version: version())
    }
    return (rows, arena)
  }

  /// The places of the rows in the order of the engine.
  private static func order(_ rows: [MergeCandidate], _ arena: [UInt8]) throws -> [Int64] {
    let connection = try Connection(scratchInMemory: false)
    try connection.execute(
      "CREATE TABLE c (n INTEGER PRIMARY KEY, t, id, updatedAt, version, source, \"key\")")
    var insert = try BulkInsert(into: "c", valueCount: 6, of: connection)
    for (number, row) in rows.enumerated() {
      try insert.insert(key: Int64(number), arena: arena.span) { place in
        switch place {
        case 0: .integer(Int64(row.table))
        case 1: .blob(row.id)
        case 2: row.time.map(BoundValue.text) ?? .null
        case 3: row.version
        case 4: .integer(Int64(row.source))
        default: .integer(row.key)
        }
      }
    }
    var sorted = try connection.prepare(
      "SELECT n FROM c ORDER BY t, id, updatedAt DESC, version DESC, source, \"key\", n")
    var places: [Int64] = []
    while try sorted.step() { places.append(sorted.integer(at: 0)) }
    return places
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func rowsComeInTheOrderOfTheEngine(seed: UInt64) throws {
    let (rows, arena) = Self.rows(2000, seed: seed)
    let sorted = rows.enumerated().sorted { left, right in
      if left.element.precedes(right.element, in: arena.span) { return true }
      return !right.element.precedes(left.element, in: arena.span) && left.offset < right.offset
    }
    #expect(sorted.map { Int64($0.offset) } == (try Self.order(rows, arena)))
  }

  @Test func entriesGiveTheRowsBack() {
    let (rows, arena) = Self.rows(500, seed: 9)
    var entries: [UInt8] = []
    for (number, row) in rows.enumerated() {
      row.append(to: &entries, hash: UInt64(number), arena: arena.span)
    }
    var start = 0
    for (number, row) in rows.enumerated() {
      let outline = MergeCandidate.outline(of: entries.span, at: start)
      #expect(outline.hash == UInt64(number))
      let (old, new) = (
        Self.shown(row, arena), Self.shown(MergeCandidate(entries.span, at: start), entries)
      )
      #expect(old == new)
      start = outline.end
    }
    #expect(start == entries.count)
  }

  private static func shown(_ row: MergeCandidate, _ arena: [UInt8]) -> String {
    let version =
      switch row.version {
      case .text(let range): "text \(arena[range])"
      case .blob(let range): "blob \(arena[range])"
      default: "\(row.version)"
      }
    let time = row.time.map { "\(arena[$0])" }
    return "\(row.table) \(row.source) \(row.key) \(arena[row.id]) \(time ?? "none") \(version)"
  }
}
