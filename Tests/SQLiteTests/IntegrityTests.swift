import Bytes
import SQLite
import TestSupport
import Testing

struct IntegrityTests {
  private func report(_ script: String) throws -> IntegrityReport {
    let folder = try TemporaryFolder()
    try folder.run(
      """
      db = sqlite3.connect("store.sqlite")
      db.executescript("PRAGMA page_size = 512; CREATE TABLE t(a NOT NULL, b UNIQUE)")
      db.executemany("INSERT INTO t VALUES (?, ?)", [("x" * 90, i + 1) for i in range(200)])
      db.commit()
      \(script)
      db.close()
      """)
    let path = folder.path("store.sqlite")
    return try SourceDatabase(opening: path, temporaryFolder: folder.path).connection.quickCheck()
  }

  @Test func soundDatabaseHasNothingToReport() throws {
    let report = try report("")
    #expect(report.damage + report.remarks == [])
  }

  /// In a file that is opened to be read only, the engine forgets CHECK constraints altogether.
  @Test func brokenCheckOfTheSchemaIsARemark() throws {
    let folder = try TemporaryFolder()
    let path = try folder.database(
      """
      CREATE TABLE t(a CHECK (a > 0));
      PRAGMA ignore_check_constraints = 1; INSERT INTO t VALUES (-7);
      """)
    let report = try Connection(opening: path, mode: .readWrite).quickCheck()
    #expect(report.damage == [])
    #expect(report.remarks == ["CHECK constraint failed in t"])
  }

  @Test func missingValueThatTheSchemaForbidsIsARemark() throws {
    let report = try report(
      """
      db.executescript('''PRAGMA writable_schema = 1;
        UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a, b UNIQUE)' WHERE name = 't' ''')
      db.close()
      db = sqlite3.connect("store.sqlite")
      db.executescript('''UPDATE t SET a = NULL WHERE b = 7; PRAGMA writable_schema = 1;
        UPDATE sqlite_schema SET sql = 'CREATE TABLE t(a NOT NULL, b UNIQUE)'
        WHERE name = 't' ''')
      """)
    #expect(report.damage == [])
    #expect(report.remarks == ["NULL value in t.a"])
  }

  @Test func overwrittenPageIsDamage() throws {
    let report = try report(
      """
      db.close()
      root = sqlite3.connect("store.sqlite").execute(
          "SELECT rootpage FROM sqlite_schema WHERE name = 't'").fetchone()[0]
      with open("store.sqlite", "r+b") as file:
          file.seek((root - 1) * 512)
          file.write(bytes(range(256)) * 2)
      """)
    #expect(!report.damage.isEmpty)
  }

  @Test func freeListThatContradictsItselfIsDamage() throws {
    let report = try report(
      """
      db.execute("DELETE FROM t WHERE b > 100"); db.commit(); db.close()
      with open("store.sqlite", "r+b") as file:
          file.seek(36)
          file.write(struct.pack(">I", 9999))
      """)
    #expect(!report.damage.isEmpty)
  }

  @Test func schemaThatCannotBeReadIsDamageOnOpening() throws {
    let folder = try TemporaryFolder()
    try folder.run(
      """
      db = sqlite3.connect("store.sqlite")
      db.executescript('''CREATE TABLE t(a); PRAGMA writable_schema = 1;
        UPDATE sqlite_schema SET sql = 'CREATE NONSENSE' ''')
      """)
    let error = try #require(
      #expect(throws: SQLiteError.self) {
        _ = try SourceDatabase(
          opening: folder.path("store.sqlite"), temporaryFolder: folder.path)
      })
    #expect(error.code == .corrupt)
    #expect(error.kind == .damaged)
    #expect(error.hint != nil)
  }
}
