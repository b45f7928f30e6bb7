import Bytes
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

/// Functions that a schema calls do what they always do, but not for minutes.
struct BoundedFunctionTests {
  /// A store with a column `b` and one that is computed from it, but not when the row was made.
  private func store(
    _ expression: String, _ value: String, in folder: TemporaryFolder
  ) throws -> SourceDatabase {
    let path = try folder.database(
      """
      CREATE TABLE t(b, c AS (1)); INSERT INTO t(b) VALUES (\(value));
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = \(quotedLiteral("CREATE TABLE t(b, c AS (\(expression)))"))
      """)
    return try SourceDatabase(opening: path, temporaryFolder: folder.path)
  }

  @Test(arguments: [
    "instr(b, substr(b, 1, 500000) || 'b')", "replace(b, substr(b, 1, 500000) || 'b', '')",
    "trim(b, replace(replace(b, 'a', 'zy'), 'zy', 'zx') || 'a')",
    "b LIKE '%' || substr(b, 1, 40000) || 'b%'", "b GLOB '*' || substr(b, 1, 40000) || 'b*'",
    "ltrim(b, substr(b, 1, 500000))",
  ])
  func callThatWouldTakeMinutesIsRefused(expression: String) throws {
    let folder = try TemporaryFolder()
    let database = try store(
      expression, "replace(hex(zeroblob(500000)), '0', 'a')", in: folder)
    let clock = ThreadClock()
    let error = #expect(throws: SQLiteError.self) {
      try database.connection.integer("SELECT length(c) FROM t")
    }
    #expect(error?.message == "the function would take too long")
    #expect(clock.seconds < 2)
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func resultsAreThoseOfTheEngine(encoding: String) throws {
    let values = ["'aXbXäöü🎉'", "x'61580062'", "12.5", "NULL", "''", "7"]
    let expressions = [
      "instr(b, 'X')", "instr(b, x'58')", "instr(b, NULL)", "instr(b, '')", "replace(b, 'X', 'yy')",
      "replace(b, '', 'y')", "replace(b, 'ä', 3)", "trim(b, 'aü🎉')", "ltrim(b, 'a1')",
      "rtrim(b, '🎉.5')", "b LIKE 'AX%'", "b LIKE '1_.5'", "b LIKE 'a!%' ESCAPE '!'",
      "b GLOB '[a-c]*'", "like('%x%', b)",
    ]
    for value in values {
      let folder = try TemporaryFolder()
      let columns = expressions.enumerated().map { "c\($0) AS (\($1))" }.joined(separator: ", ")
      let path = try folder.database(
        """
        PRAGMA encoding = '\(encoding)'; CREATE TABLE t(b, \(columns));
        INSERT INTO t(b) VALUES (\(value))
        """)
      let list = expressions.indices.map { "quote(c\($0)) || typeof(c\($0))" }
      let query = "SELECT \(list.joined(separator: " || ';' || ")) FROM t"
      let plain = try Connection(opening: path, mode: .immutable)
      let database = try SourceDatabase(opening: path, temporaryFolder: folder.path)
      #expect(try text(query, database.connection) == text(query, plain), "\(value)")
    }
  }

  private func text(_ query: String, _ connection: borrowing Connection) throws -> String? {
    var statement = try connection.prepare(query)
    return try statement.step() ? statement.text(at: 0) : nil
  }

  @Test func errorOfTheFunctionIsTold() throws {
    let folder = try TemporaryFolder()
    let database = try store("b LIKE 'a' ESCAPE 'xyz'", "'a'", in: folder)
    let error = #expect(throws: SQLiteError.self) {
      try database.connection.integer("SELECT c FROM t")
    }
    #expect(error?.message == "ESCAPE expression must be a single character")
  }

  @Test func resultIsNoLongerThanValuesMayBe() throws {
    let folder = try TemporaryFolder()
    let database = try store(
      "replace(b, 'a', hex(zeroblob(1000000)))", "hex(zeroblob(50)) || 'aaaaaaaaaaaaaaaaaaaa'",
      in: folder)
    let error = #expect(throws: SQLiteError.self) {
      try database.connection.limitingValues(to: 10_000_000) { () throws(SQLiteError) in
        try database.connection.integer("SELECT length(c) FROM t")
      }
    }
    #expect(error?.kind == .limit)
  }

  /// Half a second each, and more calls than anybody waits for.
  @Test(.mustEnd) func signalIsHeardBetweenTwoCalls() throws {
    let folder = try TemporaryFolder()
    let database = try store(
      "instr(b, substr(b, 1, 400) || 'b')", "replace(hex(zeroblob(300000)), '0', 'a')", in: folder)
    let polls = Atomic<Int>(0)
    database.connection.watch(Interruption { polls.add(1, ordering: .relaxed).newValue > 3 })
    let calls = [String](repeating: "c", count: 500).joined(separator: " + ")
    let error = #expect(throws: SQLiteError.self) {
      try database.connection.integer("SELECT \(calls) FROM t")
    }
    #expect(error?.kind == .interrupted)
  }
}
