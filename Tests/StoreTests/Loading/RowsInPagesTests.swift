import Bytes
import Records
import SQLite
import TestSupport
import Testing

@testable import Tables

/// Rows with ids in no order, put into pages, as Python's engine finds them.
struct RowsInPagesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A table of two texts, of which the second is the id.
  private struct Pairs: AppTable {
    let source = Table(name: "T", columns: [])
    let name = "T"
    let key: String? = "_rowid_"
    let keyOffset: Int64 = 0
    let targets: [(name: String, place: Int?)] = [("rowid", 0), ("id", 1)]
    let leftOut: [(place: Int, name: String)] = []

    func value(
      of cell: Cell, in row: ArraySlice<Cell>, forColumn column: Int, arena: Span<UInt8>,
      into bytes: inout [UInt8], _ losses: inout Losses
    ) -> BoundValue? { nil }
  }

  private func makeFile(_ path: String) throws -> StoreFile {
    let connection = try Connection(opening: path, mode: .readWrite)
    try connection.harden()
    try connection.execute(
      """
      PRAGMA page_size = 1024; PRAGMA journal_mode = MEMORY;
      CREATE TABLE T (rowid TEXT NULL, id TEXT NOT NULL CONSTRAINT PK PRIMARY KEY)
      """)
    return try StoreFile(connection)
  }

  /// Fills the table; the rows that share their ids.
  private func fill(_ file: inout StoreFile, _ ids: [String]) throws -> [Int64]? {
    var rows = try RowsInPages(into: "T", PageForm(kinds: [.text, .text], idPlace: 1), &file)
    for (row, id) in ids.enumerated() {
      let bytes = Array(id.utf8)
      rows.append([.null, .text(0..<bytes.count)], bytes.span, key: Int64(row))
      if rows.isFull { try rows.flush(&file) }
    }
    return try rows.finish(&file)
  }

  /// Each id in the order of its bytes, with the row that the engine finds for it.
  private static let oracle = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    assert db.execute('PRAGMA integrity_check').fetchall() == [('ok',)]
    for id, in db.execute('SELECT id FROM T ORDER BY id').fetchall():
        (row, text), = db.execute('SELECT _rowid_, rowid FROM T WHERE id = ?', (id,))
        assert text is None
        print(row)
    """

  @Test(arguments: [[], ["a"], ["b", "", "ä", "a\u{308}", "A", "\u{1F600}", "\u{FFFF}", "ab"]])
  func idsAreFoundInTheOrderOfTheirBytes(few: [String]) throws {
    var random = SeededGenerator(seed: 51)
    let ids = few + (0..<few.count * 900).map { "\(random.next() >> 24)-\($0)" }
    let path = try folder.write("", to: "store")
    var file = try makeFile(path)
    #expect(try fill(&file, ids) == [])
    try file.useEngine()
    try file.connection.execute("COMMIT")
    _ = consume file
    let wanted = ids.enumerated().sorted {
      $0.element.utf8.lexicographicallyPrecedes($1.element.utf8)
    }
    let answer = try Python.run(Self.oracle, arguments: [path])
    #expect(
      String(decoding: answer, as: UTF8.self).split(separator: "\n")
        == wanted.map { "\($0.offset)" })
  }

  @Test func whatTheEngineWouldChangeOrRefuseIsNotPutIntoPages() throws {
    var file = try makeFile(try folder.write("", to: "store"))
    var rows = try RowsInPages(into: "T", PageForm(kinds: [.text, .text], idPlace: 1), &file)
    #expect(rows.place(of: [.null, .text(0..<800)], key: 5) == .behind)
    rows.append([.null, .text(0..<0)], [UInt8]().span, key: 5)
    #expect(rows.place(of: [.null, .text(0..<0)], key: 6) == .behind)
    #expect(rows.place(of: [.null, .text(0..<0)], key: 5) == .unknown)
    #expect(rows.place(of: [.integer(1), .text(0..<0)], key: 6) == .unknown)
    #expect(rows.place(of: [.null, .text(0..<801)], key: 6) == .unknown)
    #expect(rows.place(of: [.null, .null], key: 6) == .nowhere(column: 1))
  }

  /// Whether only the rows that share their ids are inserted again, or all of them.
  @Test(arguments: [true, false])
  func rowsThatShareTheirIDsAreLeftToTheEngine(onlyTwins: Bool) throws {
    var random = SeededGenerator(seed: 52)
    let ids = (0..<4000).map { _ in "\(random.next() % 3000)" } + ["", ""]
    let path = try folder.write("", to: "store")
    var file = try makeFile(path)
    let groups = Dictionary(grouping: ids.indices) { ids[$0] }
    let twins = try #require(try fill(&file, ids))
    let wanted = groups.values.filter { $0.count > 1 }.joined().map(Int64.init)
    #expect(twins.sorted() == wanted.sorted())
    try file.useEngine()
    let refusals = try file.connection.insertAgain(onlyTwins ? twins : nil, of: Pairs())
    #expect(refusals == ["UNIQUE constraint failed: T.id": ids.count - groups.count])
    try file.connection.execute("COMMIT")
    _ = consume file
    let firsts = groups.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let answer = try Python.run(Self.oracle, arguments: [path])
    #expect(
      String(decoding: answer, as: UTF8.self).split(separator: "\n")
        == firsts.map { "\($0.value[0])" })
  }
}
