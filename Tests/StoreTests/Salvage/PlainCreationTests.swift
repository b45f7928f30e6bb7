import Testing

@testable import Tables

/// Only a statement that makes an empty table is given to the engine.
struct PlainCreationTests {
  @Test(arguments: [
    "CREATE TABLE t(a)", "CREATE TABLE t (a)", "CREATE TABLE t\n(a INTEGER PRIMARY KEY)",
    "CREATE TABLE \"a b\"(a)", "CREATE TABLE \"a\"\"(b\" (a)", "CREATE TABLE 'it''s'(a)",
    "CREATE TABLE `a``b`(a)", "CREATE TABLE [a b](a)", "CREATE TABLE \"AS SELECT\"(a)",
    "CREATE TABLE täble(a TEXT) WITHOUT ROWID",
  ])
  func statementAsTheEngineStoresItIsTaken(_ sql: String) {
    #expect(RebuiltTable.isPlainCreation(sql))
  }

  @Test(arguments: [
    "", "CREATE TABLE ", "CREATE TABLE t", "CREATE TABLE t AS SELECT 1", "CREATE TEMP TABLE t(a)",
    "CREATE TABLE t AS SELECT hex(randomblob(9)) FROM u WHERE (1)",
    "CREATE TABLE \"t\" AS SELECT (1)", "CREATE TABLE \"t\"\" (a)", "CREATE TABLE [t]]AS (a)",
    "CREATE TABLE main.t AS SELECT (1)", "CREATE VIRTUAL TABLE t USING fts5(a)",
    "create table t(a)", "CREATE TABLE/**/t(a)", "DROP TABLE t", "CREATE VIEW v(a) AS SELECT 1",
  ])
  func anyOtherStatementIsRefused(_ sql: String) {
    #expect(!RebuiltTable.isPlainCreation(sql))
  }
}
