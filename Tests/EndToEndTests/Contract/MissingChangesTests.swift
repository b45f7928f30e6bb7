import Foundation
import TestSupport
import Testing

/// No summary says that nothing waits as if that were known.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct MissingChangesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A store that keeps its newest changes in a log, which is not here.
  private func store(_ name: String, _ sql: String) throws -> String {
    _ = try python(
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.executescript('PRAGMA journal_mode = WAL;' + sys.argv[2])
      database.close()
      """, folder.path(name), "CREATE TABLE T (id TEXT PRIMARY KEY, version TEXT);" + sql)
    #expect(!folder.names.contains(name + "-wal"))
    return folder.path(name)
  }

  private static let operation = """
    INSERT INTO T VALUES ('1', NULL);
    INSERT INTO __operations VALUES ('o', 0, 0, 'T', 0, '1', NULL, NULL, 1, 1);
    """

  private func synchronised(_ name: String, _ sql: String = "") throws -> String {
    try store(name, QueueTables.dotNet + sql)
  }

  private func plain(_ name: String) throws -> String {
    try folder.write("a,b\n1,2\n3,4\n", to: name)
  }

  @Test func lastLineOfFindTellsWhatMayBeMissing() async throws {
    let (a, b) = (try synchronised("a.db"), try synchronised("b.db", Self.operation))
    let one = "1 store, 0 operations wait; changes may be missing\n"
    #expect(await rehome("find", a).error == one)
    let both = "2 stores, 1 operation waits; changes may be missing in 2 stores\n"
    #expect(await rehome("find", a, b).error == both)
    let (c, d) = (try plain("c.csv"), try plain("d.csv"))
    #expect(await rehome("find", c, d).error == "2 stores without a queue of changes\n")
    let all = "3 stores, 0 operations wait; changes may be missing in 1 store\n"
    #expect(await rehome("find", a, c, d).error == all)
  }

  @Test func runThatGoesOnTellsTheSame() async throws {
    let canonical = folder.path("c.rehome")
    #expect(await rehome("convert", "-q", try plain("c.csv"), "-o", canonical).code == 0)
    for stores in [[try synchronised("a.db")], [canonical], [try plain("d.csv"), canonical]] {
      let report = folder.path("report-\(stores.count)-\(stores[0].hasSuffix("db"))")
      let find = ["find", "--report", report] + stores
      let first = await rehome(find).error
      let again = await rehome(find + ["--resume"]).error
      #expect(again.hasPrefix(first), "\(first)\(again)")
    }
  }

  @Test func listOfOperationsTellsWhatMayBeMissing() async throws {
    for sql in ["", Self.operation] {
      let store = try synchronised("s\(sql.count).db", sql)
      for options in [[], ["--json"]] {
        let outcome = await rehome(["ops", "list", store] + options)
        #expect(outcome.code == 0 && outcome.error.hasPrefix("warning: "), "\(outcome.error)")
        #expect(outcome.error.contains("[wal-missing]\n"))
        let isTold = outcome.error.contains("but changes may be missing: see the findings.")
        #expect(isTold == (sql.isEmpty && options.isEmpty), "\(outcome.error)")
      }
    }
    let outcome = await rehome("ops", "list", try plain("c.csv"))
    #expect(outcome.error.contains("no queue of changes"), "\(outcome.error)")
  }

  /// Of many devices one line tells.
  @Test func sameOfSeveralDevicesIsToldOnce() async throws {
    let merged = folder.path("all.rehome")
    let stores = try ["a.db", "b.db", "c.db"].map { try synchronised($0) }
    #expect(await rehome(["convert", "-q", "-o", merged] + stores).code == 0)
    let told = await rehome("ops", "list", merged).error
    #expect(told.contains(" and 2 others: ") && told.split(separator: "\n").count == 2, "\(told)")
  }

  @Test func replayTellsWhatMayBeMissing() async throws {
    let (empty, server) = (try synchronised("s.db"), folder.path("server.rehome"))
    #expect(await rehome("convert", "-q", empty, "-o", server).code == 0)
    let journal = ["--to", server, "--journal", folder.path("journal.rehome")]
    for arguments in [["--dry-run", empty], [empty] + journal] {
      let outcome = await rehome(["replay"] + arguments)
      #expect(outcome.code == 0 && outcome.error.contains("[wal-missing]"), "\(outcome.error)")
      #expect(outcome.error.contains("but changes may be missing"), "\(outcome.error)")
    }
    let waiting = await rehome("replay", "--dry-run", try synchronised("o.db", Self.operation))
    #expect(waiting.text.contains("1 request ") && waiting.error.contains("[wal-missing]"))
    #expect(!waiting.error.contains("Nothing waits"), "\(waiting.error)")
    let plain = await rehome("replay", "--dry-run", try plain("c.csv"))
    #expect(plain.error.contains("no queue of changes"), "\(plain.error)")
  }

  @Test func comparedStoresWithoutAQueueHaveNoCount() async throws {
    let audit = ["audit", try plain("c.csv"), try synchronised("s.db")]
    let told = await rehome(audit)
    #expect(
      told.error == """
        2 stores, 0 operations wait; changes may be missing in 1 store
        to see what is in each, name it, or give -v or --html FILE

        """)
    let lines = told.text.split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
    let counts = lines.map { words in words.count { Int($0) != nil } }
    #expect(counts == [0, 4, 3], "\(lines)")
    #expect(await rehome(audit + ["-q", "--html", "-"]).text.contains("may be missing in 1 store"))
  }
}
