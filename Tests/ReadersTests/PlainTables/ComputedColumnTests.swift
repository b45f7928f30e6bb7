import Testing

@testable import Readers
@testable import Records

/// Generated columns of plain files: read like others, unless computing them fails.
struct ComputedColumnTests {
  @Test func storedAndVirtualColumnsAreRead() throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (a INTEGER, b INTEGER AS (a * 2), c TEXT AS ('n' || a) STORED);
      INSERT INTO t (a) VALUES (1), (NULL);
      """)
    let reader = try store.reader()
    let table = try ReadTable(0, of: reader)
    #expect(table.table.columns.map(\.name) == ["a", "b", "c"])
    #expect(table.rows == [["1", "2", "n1"], [nil, nil, nil]])
    #expect(reader.findings.isEmpty)
  }

  @Test func columnWhoseExpressionFailsIsLeftOutAndTold() throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (a INTEGER, b AS (a || ''));
      INSERT INTO t (a) VALUES (-9223372036854775808), (3);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a INTEGER, b AS (abs(a)))';
      """)
    let reader = try store.reader()
    #expect(try ReadTable(0, of: reader).rows == [["-9223372036854775808"], ["3"]])
    #expect(reader.findings.map(\.code) == ["computed-column-left-out"])
  }
}
