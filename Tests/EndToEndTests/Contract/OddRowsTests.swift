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

  /// The greatest memory in MiB, and the least processor time in seconds, of three runs of a command.
  private func costs(_ arguments: [String]) throws -> (memory: Double, seconds: Double) {
    let text = try python(
      """
      import os, subprocess, sys
      memory, seconds = [], []
      for _ in range(3):
          child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
          _, status, usage = os.wait4(child.pid, 0)
          assert os.waitstatus_to_exitcode(status) in (0, 2, 5)
          memory.append(usage.ru_maxrss / 1024)
          seconds.append(usage.ru_utime + usage.ru_stime)
      print(max(memory), min(seconds))
      """, [Project.executable.path] + arguments)
    let numbers = text.split(separator: " ").compactMap {
      Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    try #require(numbers.count == 2)
    return (numbers[0], numbers[1])
  }

  /// Rows that are older than a column have its default, of which the file has one.
  @Test(arguments: [["convert", "-fq", "-o"], ["export", "-fq", "--to", "ndjson", "-o"]])
  func defaultsOfYoungerColumnsTakeNoMoreThanValues(command: [String]) throws {
    let path = folder.path("old.db")
    try Devices.execute(
      path,
      """
      CREATE TABLE T (n INTEGER);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000) INSERT INTO T SELECT i FROM n;
      ALTER TABLE T ADD COLUMN d TEXT DEFAULT '\(String(repeating: "d", count: 1000))';
      """)
    let arguments = command + [folder.path("out"), path]
    let old = try costs(arguments).memory
    try Devices.execute(path, "UPDATE T SET n = n")
    let full = try costs(arguments).memory
    #expect(old < full + 16)
  }

  /// Any number of rows may be without an id, or share one.
  @Test(arguments: ["NULL", "'a'"]) func rowsOfOneIDAreComparedInTime(id: String) throws {
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
    let whole = try costs(["verify", "--by-id"] + stores)
    let none = try costs(["verify", "--by-id", "--limit", "0"] + stores)
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
