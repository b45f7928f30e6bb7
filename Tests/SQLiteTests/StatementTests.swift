import SQLite
import TestSupport
import Testing

struct StatementTests {
  @Test func columnsKeepTheirStorageClass() throws {
    let connection = try memory("")
    var statement = try connection.prepare(
      "SELECT NULL, -9223372036854775808, 0.1, 'Größe', x'00ff', '', x'', 9e999")
    #expect(try statement.step())
    #expect(statement.columnCount == 8)
    let classes = (0..<8).map { statement.storageClass(at: $0) }
    #expect(classes == [.null, .integer, .real, .text, .blob, .text, .blob, .real])
    #expect(statement.integer(at: 1) == .min)
    #expect(statement.real(at: 2) == 0.1)
    #expect(statement.text(at: 3) == "Größe")
    #expect(statement.bytes(at: 4) == [0, 255])
    #expect(statement.text(at: 5) == "")
    #expect(statement.bytes(at: 6) == [])
    #expect(statement.real(at: 7) == .infinity)
    #expect(statement.text(at: 0) == nil)
    #expect(try !statement.step())
  }

  @Test func textWithZerosAndInvalidBytesIsWhole() throws {
    let connection = try memory("")
    var statement = try connection.prepare("SELECT CAST(x'61006280' AS TEXT)")
    #expect(try statement.step())
    #expect(statement.storageClass(at: 0) == .text)
    #expect(statement.bytes(at: 0) == [0x61, 0, 0x62, 0x80])
    #expect(statement.text(at: 0) == "a\u{0}b\u{FFFD}")
    let count = statement.withText(at: 0) { $0.count }
    #expect(count == 4)
  }

  @Test func boundValuesComeBackAsTheyWere() throws {
    let connection = try memory("CREATE TABLE t(a, b, c, d, e, f, g)")
    var insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)")
    try insert.bind(Int64.max, at: 1)
    try insert.bind(-0.5, at: 2)
    try insert.bind("a\u{0}ü", at: 3)
    try insert.bind(text: [], at: 4)
    try insert.bind(blob: [], at: 5)
    try insert.bind(blob: [1, 0, 2], at: 6)
    try insert.bindNull(at: 7)
    try insert.run()
    let sql =
      "SELECT group_concat(typeof(v) || ':' || ifnull(hex(v), '-'), ' ') FROM (SELECT a AS v FROM t "
      + "UNION ALL SELECT c FROM t UNION ALL SELECT d FROM t UNION ALL SELECT e FROM t "
      + "UNION ALL SELECT f FROM t UNION ALL SELECT g FROM t)"
    var check = try connection.prepare(sql)
    #expect(try check.step())
    #expect(
      check.text(at: 0)
        == "integer:39323233333732303336383534373735383037 text:6100C3BC text: blob: "
        + "blob:010002 null:")
    #expect(try connection.integer("SELECT count(*) FROM t WHERE b = -0.5") == 1)
  }

  @Test func missingValuesBindAsNull() throws {
    let connection = try memory("CREATE TABLE t(a, b, c, d)")
    var insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?)")
    try insert.bind(nil as Int64?, at: 1)
    try insert.bind(nil as String?, at: 2)
    try insert.bind(text: nil, at: 3)
    try insert.bind(blob: nil, at: 4)
    try insert.run()
    #expect(
      try connection.integer(
        "SELECT count(*) FROM t WHERE a IS NULL AND b IS NULL AND c IS NULL AND d IS NULL") == 1)
  }

  @Test(arguments: [0, 2, -1])
  func parameterThatIsNotThereIsAnError(place: Int) throws {
    let connection = try memory("")
    var statement = try connection.prepare("SELECT ?")
    var code: ResultCode?
    do {
      try statement.bind("x", at: place)
    } catch {
      code = error.code
    }
    #expect(code?.rawValue == 25)
  }

  @Test func statementRunsAgainAfterAnError() throws {
    let connection = try memory("CREATE TABLE t(a PRIMARY KEY); INSERT INTO t VALUES (1)")
    var insert = try connection.prepare("INSERT INTO t VALUES (?)")
    for (value, works) in [(1, false), (2, true), (2, false), (3, true)] {
      try insert.bind(Int64(value), at: 1)
      var code = ResultCode.ok
      do {
        try insert.run()
      } catch {
        code = error.code
      }
      #expect((code == .ok) == works)
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 3)
  }
}

struct ResultCodeTests {
  @Test func exactCodeIsKeptAndBroadCodeMatches() throws {
    let connection = try memory(
      "CREATE TABLE t(a UNIQUE NOT NULL, b CHECK (b > 0)); INSERT INTO t VALUES (1, 1)")
    let cases: [(String, Int32)] = [
      ("INSERT INTO t VALUES (1, 1)", 2067), ("INSERT INTO t VALUES (NULL, 1)", 1299),
      ("INSERT INTO t VALUES (2, 0)", 275),
    ]
    for (sql, exact) in cases {
      let error = try #require(
        #expect(throws: SQLiteError.self) { try connection.execute(sql) })
      #expect(error.code.rawValue == exact)
      #expect(error.code.primary == .constraint)
      #expect(error.code != .constraint)
      #expect(isConstraint(error.code))
      #expect(error.sql == sql)
    }
  }

  @Test func broadPatternMatchesExactCodesOnlyOfItsKind() {
    #expect(isConstraint(ResultCode(rawValue: 19)))
    #expect(!isConstraint(ResultCode(rawValue: 10)))
    #expect(!isConstraint(ResultCode(rawValue: 10 | 19 << 8)))
  }

  /// What the file, the machine or others do says nothing of an expression.
  @Test func fewCodesAreOfTheStatementItself() {
    let codes = (1...28).map { ResultCode(rawValue: $0) }
    // SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_MISMATCH and SQLITE_AUTH.
    #expect(codes.filter(\.isOfStatement).map(\.rawValue) == [1, 18, 20, 23])
    #expect(ResultCode(rawValue: 1 | 2 << 8).isOfStatement)
    #expect(!ResultCode(rawValue: 10 | 2 << 8).isOfStatement)
  }

  private func isConstraint(_ code: ResultCode) -> Bool {
    if case .constraint = code { true } else { false }
  }
}
