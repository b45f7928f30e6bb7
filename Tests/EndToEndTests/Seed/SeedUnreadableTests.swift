import Foundation
import TestSupport
import Testing

/// Operations that nobody can read, on their way into a store of the Community Toolkit.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedUnreadableTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A store of .NET with one row and these operations: kind, item's id and payload.
  private func store(_ operations: String) throws -> String {
    let path = folder.path("device.db")
    _ = try python(
      """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).executescript('''
      CREATE TABLE T (id TEXT PRIMARY KEY, text TEXT, version TEXT);
      INSERT INTO T VALUES ('a', 'x', 'AAAAAAAAB9E=');
      CREATE TABLE __operations (id TEXT PRIMARY KEY, kind INTEGER, state INTEGER, tableName TEXT,
        tableKind INTEGER, itemId TEXT, item TEXT, createdAt DATETIME, sequence INTEGER,
        version INTEGER);
      CREATE TABLE __errors (id TEXT PRIMARY KEY, httpStatus INTEGER, operationVersion INTEGER,
        operationKind INTEGER, tableName TEXT, tableKind INTEGER, item TEXT, rawResult TEXT);
      CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT);
      INSERT INTO __operations
        SELECT 'o' || row_number() OVER (), column1, 0, 'T', 0, column2, column3, NULL,
          row_number() OVER (), 1 FROM (VALUES ''' + sys.argv[2] + ''');''')
      """, path, operations)
    return path
  }

  /// What the seeded store holds of the queue, a line each, and what the run says.
  private func seed(_ operations: String) async throws -> (queue: String, outcome: Outcome) {
    let output = folder.path("app.db")
    let outcome = await rehome(
      "seed", try store(operations), "--into", "toolkit", "-o", output, "--entity-type", "T=A.T")
    let queue = try python(
      """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute(
              'SELECT Kind, ItemId, Item FROM DatasyncOperationsQueue ORDER BY rowid'):
          print(*row)
      """, output)
    return (queue, outcome)
  }

  @Test(arguments: [#"{"id":"other","version":"AAAAAAAAB9E="}"#, "junk"])
  func deleteThatNobodyCanReadIsLeftOutAndTold(payload: String) async throws {
    let (queue, outcome) = try await seed("(2, 'd', '\(payload)')")
    #expect(queue == "")
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("cannot be decoded"), "\(outcome.error)")
  }

  @Test func operationBesideSuchAOneIsLeftOutToo() async throws {
    let (queue, outcome) = try await seed("(1, 'a', NULL), (9, 'a', NULL), (2, 'd', NULL)")
    #expect(queue == "1 d {\"id\":\"d\"}\n")
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("on items with one that cannot be decoded"), "\(outcome.error)")
  }

  @Test func versionThatIsNoBytesIsNotKeptInAnItem() async throws {
    let (queue, _) = try await seed(
      #"(2, 'd', '{"id":"d","version":"v 1"}'), (2, 'e', '{"id":"e","version":"AAAA"}')"#)
    #expect(queue == "1 d {\"id\":\"d\"}\n1 e {\"id\":\"e\",\"version\":\"AAAA\"}\n")
  }
}
