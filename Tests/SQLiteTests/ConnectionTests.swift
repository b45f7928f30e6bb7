import Bytes
import SQLite
import TestSupport
import Testing

struct ConnectionTests {
  @Test(arguments: [
    "plain.sqlite", "100%.sqlite", "a%20b.sqlite", "what?.sqlite", "what?immutable=1", "#1.sqlite",
    "two words.sqlite", "Größe 寿司 🎉.sqlite", "quote'\"`.sqlite", "back\\slash", "a&b=c;d", "-wal",
  ])
  func anyPathIsTakenLiterally(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: name)
    for mode in [Connection.Mode.create, .readWrite, .immutable] {
      let connection = try Connection(opening: path, mode: mode)
      if mode == .create { try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES (7)") }
      #expect(try connection.integer("SELECT a FROM t") == 7)
    }
    #expect(folder.names == [name])
  }

  @Test func missingFileIsNotMade() throws {
    let folder = try TemporaryFolder()
    for mode in [Connection.Mode.create, .readWrite, .immutable] {
      let error = try #require(
        #expect(throws: SQLiteError.self) {
          _ = try Connection(opening: folder.path("none"), mode: mode)
        })
      #expect(error.code.primary == .cannotOpen)
      #expect(error.path == folder.path("none"))
    }
    #expect(folder.names.isEmpty)
  }

  @Test func immutableConnectionRefusesToWrite() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database("CREATE TABLE t(a)")
    let before = try Fingerprint(of: folder.path)
    let connection = try Connection(opening: path, mode: .immutable)
    let error = try #require(
      #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (1)") })
    #expect(error.code == .readOnly)
    #expect(try Fingerprint(of: folder.path) == before)
  }

  @Test func changesCountRowsOfTheLastStatement() throws {
    let connection = try memory("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3)")
    #expect(connection.changes == 3)
    try connection.execute("DELETE FROM t WHERE a > 2")
    #expect(connection.changes == 1)
  }

  @Test func numberOfNoRowIsAnError() throws {
    let connection = try memory("CREATE TABLE t(a)")
    let error = try #require(
      #expect(throws: SQLiteError.self) { try connection.integer("SELECT a FROM t") })
    #expect(error.sql == "SELECT a FROM t")
  }

  @Test(arguments: ["", "-- nothing", "SELEC 1", "SELECT * FROM missing", "SELECT \u{0}"])
  func statementThatDoesNotCompileIsAnError(sql: String) throws {
    let connection = try memory("")
    let error = try #require(
      #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) })
    #expect(error.code == .error)
    #expect(error.sql == sql)
    #expect(!error.message.isEmpty)
  }
}

struct IdentifierTests {
  @Test(arguments: ["a\"b", "\"", "a b", "select", "", "Größe", "a'b", "x;DROP TABLE t", "]", "`"])
  func quotedNameNamesItsTableAndColumn(name: String) throws {
    let connection = try memory("CREATE TABLE \(quoted(name))(\(quoted(name)) INTEGER)")
    try connection.execute("INSERT INTO \(quoted(name)) VALUES (5)")
    #expect(try connection.integer("SELECT \(quoted(name)) FROM \(quoted(name))") == 5)
    let table = try #require(try connection.tables().first)
    #expect(table.name == name)
    #expect(table.columns.map(\.name) == [name])
  }

  @Test(arguments: ["", "'", "''", "a'b", "\"", "Größe", "x'; --"])
  func quotedLiteralIsTheText(text: String) throws {
    let connection = try memory("")
    var statement = try connection.prepare("SELECT \(quotedLiteral(text))")
    #expect(try statement.step())
    #expect(statement.text(at: 0) == text)
  }
}
