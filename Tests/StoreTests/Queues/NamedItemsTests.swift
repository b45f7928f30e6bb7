import Bytes
import TestSupport
import Testing

@testable import Records
@testable import Tables

/// Which rows operations are tied to, against a plain search for each of them.
struct NamedItemsTests {
  struct Row {
    let id: String
    let candidate: Int
    let key: Int64
    var version: String { key % 5 == 0 ? "" : "v\(candidate) \(key)" }
  }

  @Test(arguments: [ItemIDComparison.exact, .ignoringASCIICase, .ignoringCase], 0..<40)
  func eachOperationHasTheRowThatAPlainSearchFinds(
    _ comparison: ItemIDComparison, seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let ids = Self.spellings.shuffled(using: &generator).prefix(2 + Int(seed % 16))
    let rows = (0..<30).map { _ in
      Row(
        id: ids.randomElement(using: &generator) ?? "",
        candidate: Int.random(in: 0..<3, using: &generator),
        key: Int64.random(in: -20...20, using: &generator))
    }
    let operations = (0..<60).map { _ in
      var operation = PendingOperation()
      operation.table = "A"
      operation.kind = [.insert, .update].randomElement(using: &generator)
      operation.itemID = ids.randomElement(using: &generator)
      return operation
    }
    let tied = try Self.tied(
      operations, to: rows, comparison, segmentSize: seed % 2 == 0 ? 7 : 1 << 18,
      memoryLimit: seed % 3 == 0 ? 0 : 1 << 30)
    for (operation, tied) in zip(operations, tied) {
      let id = operation.itemID ?? ""
      let best = rows.filter { Self.isSame($0.id, id, comparison) }.min { left, right in
        let isLeftExact = Self.bytes(left.id) == Self.bytes(id)
        let isRightExact = Self.bytes(right.id) == Self.bytes(id)
        guard isLeftExact == isRightExact else { return isLeftExact }
        return (left.candidate, left.key) < (right.candidate, right.key)
      }
      let version = operation.kind == .update ? best?.version : nil
      #expect(tied.rowKey == best?.key)
      #expect(tied.rowTable == best.flatMap { [nil, "B", "C"][$0.candidate] })
      #expect(tied.baseVersion == (version == "" ? nil : version))
    }
  }

  @Test(arguments: [ItemIDComparison.exact, .ignoringCase])
  func timeDoesNotGrowWithRowsTimesOperations(_ comparison: ItemIDComparison) throws {
    let clock = ThreadClock()
    // The letters of an id are large where a bit of its number is set.
    let spelling = { (number: Int) in
      String(
        decoding: (0..<32).map { 0x61 - UInt8(number >> min($0, 20) & 1) * 0x20 }, as: UTF8.self)
    }
    let operations = (0..<30_000).map { number in
      var operation = PendingOperation()
      operation.table = "A"
      operation.kind = .insert
      operation.itemID = spelling(number % 2 == 0 ? 0 : number)
      return operation
    }
    let rows = (0..<60_000).map { number in
      Row(id: spelling(number % 3 == 0 ? number : 0), candidate: 0, key: Int64(60_000 - number))
    }
    let tied = try Self.tied(operations, to: rows, comparison)
    #expect(tied[2].rowKey == 1)
    #expect(tied[3].rowKey == 59_997)
    #expect(tied[5].rowKey == (comparison == .exact ? nil : 1))
    #expect(clock.seconds < 60)
  }

  /// What finds an operation is a hash, which another id may have, too.
  @Test(arguments: [ItemIDComparison.exact, .ignoringASCIICase, .ignoringCase], [0, 1 << 30])
  func idsAreToldApartWhoseHashesAreTheSame(_ comparison: ItemIDComparison, memoryLimit: Int) {
    var operations = OperationList(memoryLimit: memoryLimit)
    for id in Self.spellings {
      var operation = PendingOperation()
      operation.itemID = id
      operations.append(operation)
    }
    #expect(operations.isSpilled == (memoryLimit == 0))
    var notes = FirstOperations(of: operations, comparing: comparison)
    for (place, id) in Self.spellings.enumerated() { notes.note(Self.bytes(id).span, of: place) }
    for id in Self.spellings {
      for (place, other) in Self.spellings.enumerated() {
        let isSame = Self.isSame(id, other, comparison)
        let match: RowMatches.Match =
          Self.bytes(id) == Self.bytes(other) ? .exact : isSame ? .otherSpelling : .none
        #expect(notes.match(Self.bytes(id).span, place, in: operations) == match)
      }
    }
  }

  /// Ids that differ in some cases only, that of letters beyond ASCII among them.
  private static let spellings = [
    "", "1", "a", "A", "b", "é", "É", "e\u{301}", "k", "K", "\u{212A}", "ß", "SS", "ss",
    "a\u{0}", "abcdefgh", "ABCDEFGH", "abcdefgH", "abcdefghi", "ABCDEFGHI", "ABCDEFGHÉ",
    "abcdefghé", "ABCDEFGHé", "ABCDEFGH\u{212A}", "abcdefghk",
  ]

  private static func bytes(_ id: String) -> [UInt8] { Array(id.utf8) }

  private static func isSame(
    _ left: String, _ right: String, _ comparison: ItemIDComparison
  ) -> Bool {
    let fold = { (id: String) -> [UInt8] in
      switch comparison {
      case .exact: bytes(id)
      case .ignoringASCIICase:
        bytes(id).map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
      case .ignoringCase: bytes(id.lowercased())
      }
    }
    return fold(left) == fold(right)
  }

  private static func tied(
    _ operations: [PendingOperation], to rows: [Row], _ comparison: ItemIDComparison,
    segmentSize: Int = 1 << 18, memoryLimit: Int = 1 << 30
  ) throws -> OperationList {
    var ties = RowMatches(count: operations.count, candidates: ["A", "B", "C"])
    var list = OperationList(memoryLimit: memoryLimit)
    for operation in operations { list.append(operation) }
    let operations = list
    let all = NamedItems.byTable(
      operations, of: ["A"], comparing: comparison, seed: 7, ties: &ties, segmentSize: segmentSize)
    for row in rows {
      guard let items = all["A"] else { continue }
      let (id, version) = (bytes(row.id), bytes(row.version))
      let hash = items.hash(id.span)
      guard items.mayHold(hash), let match = items.match(id.span, hash, in: operations) else {
        continue
      }
      let count = match.takesVersion ? version.count : 0
      ties.tie(
        match, toRow: row.key, version: version.span.extracting(first: count),
        candidate: row.candidate)
    }
    ties.settle()
    var queue = Queue()
    queue.operations = operations
    return try MatchedQueue(queue, rows: ties).settled().operations
  }
}
