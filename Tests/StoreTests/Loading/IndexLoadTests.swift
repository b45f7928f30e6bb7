import Bytes
import Foundation
import Records
import SQLite
import TestSupport
import Testing

@testable import SQLiteFile
@testable import Tables

/// Indexes that are built page by page, as Python's engine reads through them.
struct IndexLoadTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Loads a table whose column `a` is indexed, and has Python look at it.
  private func load(
    _ keys: [Int64], pageSize: Int, _ append: (inout RecordBatch) -> Void
  ) throws {
    let path = try folder.write("", to: "built")
    let connection = try Connection(opening: path, mode: .readWrite)
    try connection.execute(
      """
      PRAGMA page_size = \(pageSize); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE built (k INTEGER PRIMARY KEY, b, a);
      """)
    var file = try StoreFile(connection)
    var load = try TableLoad("built", valueCount: 2, indexed: 1, into: &file)
    var batch = RecordBatch(columnCount: 2)
    for key in keys {
      batch.append(.integer(key))
      append(&batch)
      batch.endRow(key: key)
      guard batch.isFull else { continue }
      _ = try load.insert(batch, into: &file)
      batch.removeAll()
    }
    _ = try load.insert(batch, into: &file)
    try load.finish(&file, index: "byA") { (connection) throws(SQLiteError) in
      try connection.execute("CREATE INDEX byA ON built (a)")
    }
    try file.useEngine()
    try file.connection.execute("COMMIT")
    _ = consume file
    let answer = try Python.run(Self.oracle, arguments: [path])
    #expect(String(decoding: answer, as: UTF8.self) == "ok \(keys.count)\n")
  }

  private static let oracle = """
    import collections, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    print(db.execute('PRAGMA integrity_check').fetchone()[0], end=' ')
    rows = db.execute('SELECT k, a FROM built NOT INDEXED').fetchall()
    through = db.execute('SELECT k, a FROM built INDEXED BY byA ORDER BY a, k').fetchall()
    assert sorted(through, key=lambda row: row[0]) == rows
    wanted = db.execute('SELECT k FROM built NOT INDEXED ORDER BY +a, k').fetchall()
    assert [row[:1] for row in through] == wanted
    keys = collections.defaultdict(list)
    for k, a in rows:
        if a is not None: keys[a].append(k)
    for a, expected in list(keys.items())[::7]:
        found = db.execute('SELECT k FROM built INDEXED BY byA WHERE a = ? ORDER BY k', (a,))
        assert [row[0] for row in found] == expected, a
    print(len(rows))
    """

  @Test(arguments: [512, 8192, 65536], [0, 1, 2, 11, 3000, 70_000])
  func treesOfAnyHeightAreWhatTheEngineReads(pageSize: Int, rows: Int) throws {
    var random = SeededGenerator(seed: 41)
    try load((0..<Int64(rows)).map { $0 * 3 - 70 }, pageSize: pageSize) { batch in
      batch.appendText(Array("\(random.next() >> 40)-0000-\(random.next() & 3)".utf8).span)
    }
  }

  @Test(arguments: [512, 8192], 0..<4)
  func idsOfAnyKindAreFound(pageSize: Int, round: Int) throws {
    var random = SeededGenerator(seed: 42 + UInt64(round))
    let words = ["", "a", "ab", "A", "\u{0}", "ä", "a\u{308}", "\u{1F600}", "ﬀ", "~", "\u{FFFF}"]
    // Most rounds have no text that needs pages of its own, which is left to the engine.
    let sizes = round == 0 ? [0, 30, pageSize * 3] : [0, 3, 30, 100]
    try load((0..<6000).map { $0 }, pageSize: pageSize) { batch in
      switch random.next() % 8 {
      case 0: batch.append(Cell.null)
      case 1: batch.appendText(Array(words[Int(random.next() % 11)].utf8).span)
      case 2: batch.appendBinary(random.bytes(Int(random.next() % 9)).span)
      default:
        let letter = UInt8(ascii: "a") + UInt8(random.next() & 1)
        let size = sizes[Int(random.next() % UInt64(sizes.count))]
        batch.appendText(Array(repeating: letter, count: size + Int(random.next() & 3)).span)
      }
    }
  }

  @Test(arguments: [false, true])
  func numbersAreInOrder(hasReals: Bool) throws {
    var random = SeededGenerator(seed: 43)
    let reals: [Double] = [
      0, -0.0, .nan, .infinity, -.infinity, 0.1, -0.1, .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]
    try load((0..<9000).map { $0 }, pageSize: 1024) { batch in
      let bits = random.next()
      let number = Int64(bitPattern: bits) >> Int64(random.next() & 63)
      if hasReals, bits & 3 == 0 {
        batch.append(.real(reals[Int(random.next() % 11)]))
      } else if hasReals {
        batch.append(.real(Double(number) / 8 + 0.01))
      } else {
        batch.append(bits & 15 == 0 ? .null : .integer(number))
      }
    }
  }

  @Test func rowsThatComeOutOfOrderAreFoundAllTheSame() throws {
    let keys = (0..<3000).map { Int64($0) } + (5000..<8000).map { Int64($0) }.reversed()
    var random = SeededGenerator(seed: 44)
    try load(keys, pageSize: 512) { batch in
      batch.appendText(Array("id \(random.next() & 0xfff)".utf8).span)
    }
  }

  /// Long keys, of which few make a run; many are the same, and most begin alike.
  @Test(arguments: [0, 1, 1000, 2000, 4000, 7000, 9500])
  func entriesOfAnyNumberOfRunsComeInOrder(rows: Int) throws {
    var random = SeededGenerator(seed: 45)
    var sort = IndexSort()
    var expected: [(key: [UInt8], row: Int64)] = []
    for row in 0..<Int64(rows) {
      let start = random.next() % 5 == 0 ? "" : "the same for most of them "
      var key = Array("\(start)\(random.next() % 3000)".utf8)
      key += [UInt8](repeating: 65, count: 1700)
      var batch = RecordBatch(columnCount: 1)
      batch.appendText(key.span)
      sort.add(batch.cells[0], arena: batch.arena.span, row: row)
      expected.append(([IndexKey.text] + key, row))
    }
    expected.sort {
      $0.key == $1.key ? $0.row < $1.row : $0.key.lexicographicallyPrecedes($1.key)
    }
    let sorted = sort.finish(usableSize: 8192)
    var merge = try #require(sorted)
    var place = 0
    try merge.forEachEntry { (key, row) throws(StoreError) in
      let wanted = expected[place]
      let isExpected = wanted.row == row && key.isEqual(to: wanted.key.span)
      #expect(isExpected, "\(place)")
      place += 1
    }
    #expect(place == rows)
  }

  @Test func wholeAndOtherNumbersTogetherAreLeftToTheEngine() {
    var sort = IndexSort()
    let nothing: [UInt8] = []
    sort.add(.integer(1), arena: nothing.span, row: 1)
    sort.add(.real(0.5), arena: nothing.span, row: 2)
    let merge = sort.finish(usableSize: 8192)
    #expect(merge == nil)
  }

  @Test(arguments: [(1899, 8192, true), (1900, 8192, false), (300, 512, false)])
  func textsThatNeedPagesOfTheirOwnAreLeftToTheEngine(
    size: Int, pageSize: Int, isTaken: Bool
  ) throws {
    var batch = RecordBatch(columnCount: 1)
    batch.appendText([UInt8](repeating: 65, count: size).span)
    batch.endRow(key: 1)
    var sort = IndexSort()
    sort.add(batch.cells[0], arena: batch.arena.span, row: 1)
    let merge = sort.finish(usableSize: pageSize)
    #expect((merge != nil) == isTaken)
  }

  /// Indexes that are sorted side by side: short ones all, of the others as many as have room.
  @Test(arguments: [(100, 12), (101, 8), (40_000, 8)])
  func indexesThatShareARoomAreFew(entries: Int, sorted: Int) {
    let room = IndexRoom()
    var batch = RecordBatch(columnCount: 1)
    batch.appendText(Array("an id".utf8).span)
    batch.endRow(key: 1)
    var count = 0
    for _ in 0..<12 {
      var sort = IndexSort(sharing: room)
      for row in 0..<Int64(entries) {
        sort.add(batch.cells[0], arena: batch.arena.span, row: row)
      }
      let merge = sort.finish(usableSize: 8192)
      if merge != nil { count += 1 }
    }
    #expect(count == sorted)
  }

  @Test func entriesOfManyRunsComeInOrder() throws {
    var random = SeededGenerator(seed: 45)
    var sort = IndexSort()
    var expected: [(String, Int64)] = []
    var batch = RecordBatch(columnCount: 1)
    for row in 0..<150_000 as Range<Int64> {
      let id = "a common start of every id \(random.next() & 0xffff)"
      batch.removeAll()
      batch.appendText(Array(id.utf8).span)
      sort.add(batch.cells[0], arena: batch.arena.span, row: row)
      expected.append((id, row))
    }
    expected.sort { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }
    let sorted = sort.finish(usableSize: 8192)
    var merge = try #require(sorted)
    var place = 0
    var isEqual = true
    try merge.forEachEntry { (key, row) throws(StoreError) in
      var text: [UInt8] = []
      text.append(key.extracting(1...))
      isEqual = isEqual && (String(decoding: text, as: UTF8.self), row) == expected[place]
      place += 1
    }
    #expect(isEqual)
    #expect(place == expected.count)
  }
}
