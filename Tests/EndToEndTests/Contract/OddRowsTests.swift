import Foundation
import TestSupport
import Testing

/// Rows of odd shapes take no more memory or time than others.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct OddRowsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Rows that are older than a column have its default, of which the file has one.
  @Test(
    arguments: [["convert", "-fq", "-o"], ["export", "-fq", "--to", "ndjson", "-o"]],
    [4096, 65536])
  func defaultsOfYoungerColumnsTakeNoMoreThanValues(command: [String], pageSize: Int) throws {
    let path = folder.path("old.db")
    try Devices.execute(
      path,
      """
      PRAGMA page_size = \(pageSize);
      CREATE TABLE T (n INTEGER);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000) INSERT INTO T SELECT i FROM n;
      ALTER TABLE T ADD COLUMN d TEXT DEFAULT '\(String(repeating: "d", count: 1000))';
      """)
    let arguments = command + [folder.path("out"), path]
    let old = try RunCosts(of: arguments, times: 3).memory
    try Devices.execute(path, "UPDATE T SET n = n")
    let full = try RunCosts(of: arguments, times: 3).memory
    #expect(old < full + 16)
  }

  /// Any number of rows may be without an id, or share one.
  @Test(.long, arguments: ["NULL", "'a'"])
  func rowsOfOneIDAreComparedInTime(id: String) throws {
    for (name, first) in [("a.db", "x"), ("b.db", "y")] {
      try Devices.execute(
        folder.path(name),
        """
        CREATE TABLE T (id TEXT, t TEXT); INSERT INTO T VALUES (\(id), '\(first)');
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000)
        INSERT INTO T SELECT \(id), i FROM n;
        """)
    }
    let stores = [folder.path("a.db"), folder.path("b.db")]
    let whole = try RunCosts(of: ["verify", "--by-id"] + stores, times: 3, codes: [5])
    let none = try RunCosts(
      of: ["verify", "--by-id", "--limit", "0"] + stores, times: 3, codes: [5])
    #expect(whole.seconds < 6 * none.seconds)
  }

  /// A negative zero counts as zero, also where a column could not take it.
  @Test func negativeZeroThatNoColumnTakesIsZero() async throws {
    let (path, store) = (folder.path("zero.db"), folder.path("zero.rehome"))
    try Devices.execute(
      path, "CREATE TABLE T (a); INSERT INTO T VALUES ('x'), ('y'), (-1e-400)")
    #expect(await rehome("convert", "-q", path, "-o", store).code == 2)
    #expect(await rehome("verify", path, store).code == 0)
  }
}
