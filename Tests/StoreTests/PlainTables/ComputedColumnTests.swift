import Testing

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

  // Such columns are in no record, so nothing else bounds what a row of them takes.
  @Test(arguments: [
    "hex(zeroblob(50000000))", "zeroblob(1000000000)", "printf('%.*c', 30000000, 'x')",
  ])
  func columnThatGivesTooMuchIsLeftOutAndTold(_ expression: String) throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (a INTEGER, b AS (\(expression)), c AS (a + 1));
      INSERT INTO t (a) VALUES (1), (2);
      """)
    let reader = try store.reader()
    #expect(try ReadTable(0, of: reader).rows == [["1", "2"], ["2", "3"]])
    #expect(reader.findings.map(\.code) == ["computed-column-left-out"])
  }

  @Test func columnsThatTogetherGiveTooMuchAreLeftOutFromThereOn() throws {
    let columns = (0..<40).map { "g\($0) AS (zeroblob(1000000))" }.joined(separator: ", ")
    let store = try SQLStore("CREATE TABLE t (a, \(columns)); INSERT INTO t (a) VALUES (1)")
    let reader = try store.reader()
    #expect(reader.catalogue.tables[0].columns.count == 1 + 16)
    #expect(reader.findings.count == 24)
  }
}
