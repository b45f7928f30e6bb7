import SQLite
import TestSupport
import Testing

/// What the engine's own check accepts.
struct IntegrityCheckTests {
  private func isFoundSound(_ sql: String) throws -> Bool {
    let folder = try TemporaryFolder()
    let path = try folder.database(sql)
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path)
    return try database.connection.isFoundSound()
  }

  private static func changing(_ word: String, to other: String) -> String {
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '\(word)', '\(other)');
    """
  }

  private static let rows = "INSERT INTO t(a) VALUES ('b'), ('A'), ('c');"

  @Test(arguments: [
    "CREATE TABLE t(a);" + rows,
    "CREATE TABLE t(a NOT NULL);" + rows + changing("NOT NULL", to: "CHECK (a > 9)"),
    "CREATE TABLE t(a); CREATE INDEX i ON t(a COLLATE NOCASE);" + rows
      + changing("NOCASE", to: "OF_APP"),
    "CREATE TABLE t(a); CREATE INDEX i ON t(lower(a));" + rows + changing("lower", to: "of_app"),
    "CREATE TABLE t(a CHECK (length(a) > 0));" + rows + changing("length", to: "of_app"),
    "CREATE TABLE t(a COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID;" + rows
      + changing("NOCASE", to: "OF_APP"),
  ])
  func storeWhoseTreesAreSoundIsAccepted(_ sql: String) throws {
    #expect(try isFoundSound(sql))
  }

  @Test(arguments: ["", "COLLATE NOCASE"])
  func storeThatHasLostAPageIsNot(_ collation: String) throws {
    #expect(
      try !isFoundSound(
        """
        CREATE TABLE t(a); CREATE TABLE gone(a); CREATE INDEX i ON t(a \(collation)); \(Self.rows)
        \(Self.changing("NOCASE", to: "OF_APP"))
        DELETE FROM sqlite_schema WHERE name = 'gone'
        """))
  }
}
