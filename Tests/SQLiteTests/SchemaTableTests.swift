import SQLite
import TestSupport
import Testing

struct SchemaTableTests {
  @Test func onlyTrueTablesAreListedInOrderOfCreation() throws {
    let connection = try memory(
      """
      CREATE TABLE zebra(a); CREATE TABLE ant(b); CREATE VIEW v AS SELECT 1;
      CREATE INDEX i ON ant(b); CREATE TABLE auto(k INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE VIRTUAL TABLE search USING fts5(text); CREATE TABLE sqliteX(a); CREATE TEMP TABLE x(a)
      """)
    let names = try connection.tables().map(\.name)
    #expect(names.filter { !$0.hasPrefix("search_") } == ["zebra", "ant", "auto", "sqliteX"])
    #expect(!names.contains("search"))
  }

  @Test func columnsTellTypeKeyAndGeneration() throws {
    let connection = try memory(
      """
      CREATE TABLE t(a, b VARCHAR(10), c INTEGER, d AS (c + 1), e AS (c + 2) STORED,
        PRIMARY KEY (c, b)) WITHOUT ROWID;
      CREATE TABLE u(a)
      """)
    let tables = try connection.tables()
    #expect(tables.map(\.isWithoutRowID) == [true, false])
    let columns = tables[0].columns
    #expect(columns.map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(columns.map(\.declaredType) == ["", "VARCHAR(10)", "INTEGER", "", ""])
    #expect(columns.map(\.keyPlace) == [0, 2, 1, 0, 0])
    #expect(columns.map(\.isGenerated) == [false, false, false, true, true])
  }
}
