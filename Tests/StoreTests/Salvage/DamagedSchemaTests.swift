import SQLiteFile
import TestSupport
import Testing

@testable import SQLite
@testable import Tables

/// What a damaged schema says is understood by the engine, and never run.
struct DamagedSchemaTests {
  /// The tables that are found where the second of two has this statement.
  private func tables(_ statement: String) throws -> [String] {
    let store = try SQLStore(
      """
      CREATE TABLE t0(a); CREATE TABLE t1(a); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = '\(statement)' WHERE name = 't1';
      """)
    var salvage = try Salvage(of: PageFile(salvaging: store.path))
    let damaged = try DamagedSchema(salvage.readSchema(), .utf8)
    #expect(damaged.unreadNames.count == 2 - damaged.tables.count)
    return damaged.tables.map { $0.table.profile.name }
  }

  @Test(arguments: [
    "CREATE TABLE t1(a)", "CREATE TABLE t1 /* of mine */ (a)", "create table [t1](a)",
    #"CREATE TABLE t1(a CHECK (a IN ("x", nobody_knows(a))))"#, "CREATE TABLE t1(a, b AS (no(a)))",
    "CREATE TABLE t1(a TEXT COLLATE own UNIQUE NOT NULL) STRICT",
    "CREATE TABLE t1(a PRIMARY KEY COLLATE own) WITHOUT ROWID",
  ])
  func tableIsUnderstoodAsInAnyFile(_ statement: String) throws {
    #expect(try tables(statement) == ["t0", "t1"])
  }

  @Test(arguments: [
    "", "CREATE TABLE t1", "CREATE TABLE t1 AS SELECT 1", "CREATE TABLE t1(a) OF TOMORROW",
    "CREATE TABLE t1 AS SELECT hex(randomblob(9)) FROM t0 WHERE (1)", "DROP TABLE t0",
    "CREATE VIEW t1(a) AS SELECT 1", "CREATE TABLE other(a)", "CREATE TABLE t0(a, b)",
  ])
  func whatMakesNoTableLeavesTheOthers(_ statement: String) throws {
    #expect(try tables(statement) == ["t0"])
  }
}
