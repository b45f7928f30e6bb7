import Foundation
import TestSupport
import Testing

@testable import SQLite

/// Journals of changes of several databases, as a process leaves them that ends before all are
/// written; Python's SQLite is the plain engine.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SuperJournalTests {
  private let folder: TemporaryFolder
  private var store: String { folder.path("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Makes a store in the middle of a change whose journal names some files, one record each.
  private func makeStore(naming names: [String]) throws {
    try folder.run(
      """
      db = sqlite3.connect("made", isolation_level=None)
      db.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
      db.executemany("INSERT INTO t VALUES (?, ?)", [(i, "old" * 200) for i in range(200)])
      db.execute("PRAGMA cache_size = 3")
      db.execute("BEGIN"); db.execute("UPDATE t SET b = 'new' || substr(b, 4)")
      for end in ("", "-journal"): shutil.copyfile("made" + end, "store.sqlite" + end)
      db.execute("ROLLBACK"); db.close(); os.remove("made")
      with open("store.sqlite-journal", "ab") as journal:
          for name in map(os.fsencode, sys.argv[2:]):
              total = sum(byte - 256 if byte > 127 else byte for byte in name) % 2**32
              journal.write(struct.pack(">I", 2**30 // 4096 + 1) + name
                            + struct.pack(">II", len(name), total)
                            + bytes.fromhex("d9d505f920a163d7"))
      """, arguments: names)
  }

  /// How many rows the change has changed, and why it may be so.
  private func changedRows() throws -> (count: Int64, trouble: JournalTrouble?) {
    let temporary = try TemporaryFolder()
    let database = try SourceDatabase(opening: store, temporaryFolder: temporary.path)
    let count = try database.connection.integer("SELECT count(*) FROM t WHERE b LIKE 'new%'")
    return (count, database.journalTrouble)
  }

  private func changedRowsOfEngine() throws -> Int64? {
    let printed = try Python.run(
      """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM t WHERE b LIKE 'new%'").fetchone()[0])
      """, arguments: [store])
    return Int64(String(decoding: printed, as: UTF8.self).filter(\.isNumber))
  }

  /// The engine removes what a journal names; a copy that it reads must name nothing.
  @Test func namedFilesStayAsTheyAre() throws {
    let victims = try ["a", "b", "ü"].map { try folder.write("precious", to: $0) }
    try makeStore(naming: victims)
    let found = try changedRows()
    #expect(found.count == 0 && found.trouble == nil)
    let temporary = try TemporaryFolder()
    _ = try SourceDatabase(salvaging: try SourceFiles(of: store), temporaryFolder: temporary.path) {
      (damaged, lacksSideChanges, _) throws(SQLiteError) in
      #expect(!lacksSideChanges)
    }
    for victim in victims { #expect(FileManager.default.fileExists(atPath: victim)) }
    // The danger is real.
    #expect(try changedRowsOfEngine() == 0)
    #expect(!FileManager.default.fileExists(atPath: victims[2]))
  }

  /// What no engine can open must not be opened at all.
  @Test(.mustEnd) func namedPipeIsNotWaitedFor() throws {
    let pipe = folder.path("pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    try makeStore(naming: [pipe])
    #expect(try changedRows().count == 0)
  }

  @Test(arguments: [false, true]) func changeEndsAsInTheEngine(isThere: Bool) throws {
    let name = store + "-mj0123AB9CD"
    try makeStore(naming: [name])
    if isThere { _ = try folder.write(store + "-journal\0", to: "store.sqlite-mj0123AB9CD") }
    let found = try changedRows()
    #expect((found.count == 0) == isThere)
    #expect(found.trouble == (isThere ? nil : .lacksSuperJournal))
    #expect(try found.count == changedRowsOfEngine())
  }

  /// A folder of a device lies elsewhere than on the device, and its first database may be another.
  @Test(arguments: ["/data/app/databases/", #"C:\Users\anna\"#, "databases/"], [false, true])
  func folderOfADeviceIsLookedInto(place: String, isThere: Bool) throws {
    try makeStore(naming: [place + "first.db-mj0123AB9CD"])
    if isThere { _ = try folder.write("x", to: "first.db-mj0123AB9CD") }
    #expect(try (changedRows().count == 0) == isThere)
  }

  @Test(arguments: ["", "store.sqlite-mj0123AB9CD"])
  func damagedRecordNamesNothing(name: String) throws {
    try makeStore(naming: [name])
    let journal = URL(filePath: store + "-journal")
    var bytes = try Data(contentsOf: journal)
    // The sum of the name.
    bytes[bytes.count - 9] ^= 1
    try bytes.write(to: journal)
    let found = try changedRows()
    #expect(found.count == 0 && found.trouble == nil)
    #expect(try found.count == changedRowsOfEngine())
  }

  @Test func databaseIsNotChangedInPlace() throws {
    let victim = try folder.write("precious", to: "victim")
    try makeStore(naming: [victim])
    #expect(throws: SQLiteError.self) { _ = try Connection(opening: store, mode: .readWrite) }
    #expect(FileManager.default.fileExists(atPath: victim))
  }

  /// The end of a journal is cut at every place.
  @Test func cutRecordsAreReadToTheirEnd() throws {
    try makeStore(naming: ["/data/a"])
    let whole = try Data(contentsOf: URL(filePath: store + "-journal"))
    // A number, the name, its length, its sum and a mark, of which the number says nothing.
    let record = 4 + 7 + 16
    for size in 0...30 {
      for (bytes, isNamed) in [
        (whole.suffix(size), size >= record - 4), (whole.dropLast(size), size == 0),
      ] {
        let path = try folder.write([UInt8](bytes), to: "cut")
        #expect(try (SuperJournal(namedByFileAt: path) != nil) == isNamed)
        try SuperJournal.forget(inFileAt: path)
        let left = try Data(contentsOf: URL(filePath: path))
        #expect(left == (isNamed ? bytes.dropLast(record) : bytes))
      }
    }
  }
}
