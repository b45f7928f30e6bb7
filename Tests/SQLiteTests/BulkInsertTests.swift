import SQLite
import TestSupport
import Testing

struct BulkInsertTests {
  @Test func emptyTextEmptyBytesAndNullStayThreeThings() throws {
    let connection = try memory("CREATE TABLE t(k INTEGER PRIMARY KEY, a, b, c, d, e)")
    let arena = Array("Größe".utf8)
    do {
      var insert = try BulkInsert(into: "t", valueCount: 5, of: connection)
      let rows: [[BoundValue]] = [
        [.text(0..<0), .blob(0..<0), .null, .integer(-1), .real(0.5)],
        [.text(0..<7), .blob(2..<4), .null, .integer(.min), .real(-.infinity)],
        [.text(7..<7), .blob(7..<7), .text(1..<1), .blob(3..<3), .null],
      ]
      for (key, row) in rows.enumerated() {
        try insert.insert(key: Int64(key), arena: arena.span) { row[$0] }
      }
      try insert.insert(key: 3, arena: [UInt8]().span) { $0 == 0 ? .text(0..<0) : .blob(0..<0) }
    }
    var statement = try connection.prepare(
      """
      SELECT k || '|' || typeof(a) || hex(a) || '|' || typeof(b) || hex(b) || '|' || typeof(c)
        || '|' || typeof(d) || '|' || typeof(e) FROM t ORDER BY k
      """)
    var lines: [String] = []
    while try statement.step() { lines.append(statement.text(at: 0) ?? "") }
    #expect(
      lines == [
        "0|text|blob|null|integer|real", "1|text4772C3B6C39F65|blobC3B6|null|integer|real",
        "2|text|blob|text|blob|null", "3|text|blob|blob|blob|blob",
      ])
  }

  @Test func tableNameIsQuoted() throws {
    let connection = try memory("CREATE TABLE \"a\"\"b c\"(k INTEGER PRIMARY KEY)")
    var insert = try BulkInsert(into: "a\"b c", valueCount: 0, of: connection)
    try insert.insert(key: 9, arena: [UInt8]().span) { _ in .null }
    #expect(try connection.integer("SELECT k FROM \"a\"\"b c\"") == 9)
  }

  @Test func refusedRowIsAnErrorAndTheNextGoesIn() throws {
    let connection = try memory("CREATE TABLE t(k INTEGER PRIMARY KEY, a INTEGER) STRICT")
    var insert = try BulkInsert(into: "t", valueCount: 1, of: connection)
    let arena = Array("x".utf8)
    var codes: [Int32] = []
    let rows: [(Int64, BoundValue)] = [
      (1, .integer(5)), (1, .integer(6)), (2, .text(0..<1)), (3, .null),
    ]
    for (key, value) in rows {
      do throws(SQLiteError) {
        try insert.insert(key: key, arena: arena.span) { _ in value }
      } catch {
        codes.append(error.code.rawValue)
      }
    }
    // The exact codes of a taken row id and of a value that a strict column refuses.
    #expect(codes == [1555, 3091])
    #expect(try connection.integer("SELECT sum(k) FROM t") == 4)
  }

  @Test(arguments: [("missing", 1), ("t", 0), ("t", 2)])
  func wrongTableOrWidthIsAnError(table: String, count: Int) throws {
    let connection = try memory("CREATE TABLE t(k INTEGER PRIMARY KEY, a)")
    #expect(throws: SQLiteError.self) {
      _ = try BulkInsert(into: table, valueCount: count, of: connection)
    }
  }
}
