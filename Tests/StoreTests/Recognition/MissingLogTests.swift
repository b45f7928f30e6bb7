import Foundation
import TestSupport
import Testing

@testable import Records

/// What is told of a store whose write-ahead log did not come with it.
struct MissingLogTests {
  private static let queue = """
    CREATE TABLE __operations (id TEXT, kind INTEGER, state INTEGER, tableName TEXT, tableKind INTEGER,
      itemId TEXT, item TEXT, createdAt REAL, sequence INTEGER, version INTEGER);
    CREATE TABLE __errors (id TEXT, httpStatus INTEGER, operationVersion INTEGER, operationKind INTEGER,
      tableName TEXT, tableKind INTEGER, item TEXT, rawResult TEXT);
    CREATE TABLE __config (id TEXT, value TEXT);
    """

  @Test(arguments: [
    ("CREATE TABLE t (a)", Severity.note), (queue, .warning),
  ])
  func logThatIsNotHereIsTold(_ sql: String, _ severity: Severity) throws {
    let store = try SQLStore("PRAGMA journal_mode = WAL; " + sql)
    let reader = try store.reader()
    let found = reader.findings.filter { $0.code == "wal-missing" }
    #expect(found.map(\.severity) == [severity])
    let none: [String] = []
    let words = reader.source.nothingWaits(none)
    #expect(reader.source.nothingWaits(found.map(\.code)) != words)
    #expect(words.contains("no queue") == (severity == .note))
  }

  @Test func emptyLogIsNotMissing() throws {
    let store = try SQLStore("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    try Data().write(to: URL(filePath: store.path + "-wal"))
    #expect(try store.reader().findings.isEmpty)
  }

  @Test func storeThatKeepsNoLogLacksNone() throws {
    #expect(try SQLStore("CREATE TABLE t (a)").reader().findings.isEmpty)
  }

  @Test func sharedMemoryWithoutItsLogIsAWarning() throws {
    let store = try SQLStore("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    try Data().write(to: URL(filePath: store.path + "-shm"))
    #expect(try store.reader().findings.map(\.severity) == [.warning])
  }
}
