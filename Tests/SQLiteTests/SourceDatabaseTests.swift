import Bytes
import Foundation
import SQLite
import TestSupport
import Testing

/// The source is evidence: whatever state it is in, it is read whole and not touched.
struct SourceDatabaseTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let script: String
    let count: Int64
    let sum: Int64
  }

  static let cases = [
    Case(testDescription: "clean", script: SourceStores.clean, count: 3, sum: 6),
    Case(testDescription: "rows in WAL", script: SourceStores.rowsInWAL, count: 5, sum: 15),
    Case(testDescription: "all in WAL", script: SourceStores.allInWAL, count: 4, sum: 10),
    Case(testDescription: "cut WAL", script: SourceStores.cutWAL, count: 2, sum: 3),
    Case(testDescription: "hot journal", script: SourceStores.hotJournal, count: 300, sum: 45150),
    Case(testDescription: "torn page", script: SourceStores.tornFirstPage, count: 300, sum: 45150),
    Case(testDescription: "zeroed journal", script: SourceStores.zeroedJournal, count: 3, sum: 6),
    Case(testDescription: "empty sides", script: SourceStores.emptySideFiles, count: 3, sum: 6),
    Case(testDescription: "WAL header", script: SourceStores.walHeaderAlone, count: 3, sum: 6),
    Case(testDescription: "lone -shm", script: SourceStores.loneSharedMemory, count: 3, sum: 6),
    Case(testDescription: "other owner", script: SourceStores.otherOwner, count: 3, sum: 6),
  ]

  @Test(arguments: cases, [0o755, 0o555])
  func storeIsReadWholeAndStaysAsItWas(_ example: Case, rights: Int) throws {
    let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.run(example.script)
    try folder.run("os.chmod('.', \(rights))")
    let before = try Fingerprint(of: folder.path)
    do {
      let database = try SourceDatabase(
        opening: folder.path("store.sqlite"), temporaryFolder: temporary.path)
      #expect(try database.connection.integer("SELECT count(*) FROM t") == example.count)
      #expect(try database.connection.integer("SELECT sum(a) FROM t") == example.sum)
      var check = try database.connection.prepare("PRAGMA quick_check")
      #expect(try check.step() && check.text(at: 0) == "ok")
      #expect(throws: SQLiteError.self) { try database.connection.execute("DELETE FROM t") }
      #expect(try database.isUnchanged())
      #expect(temporary.names.isEmpty != database.files.hasSideContent)
    }
    #expect(try Fingerprint(of: folder.path) == before)
    #expect(temporary.names.isEmpty)
    try folder.run("os.chmod('.', 0o755)")
  }

  @Test func privateCopyIsTheOwnersAlone() throws {
    let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.run(SourceStores.rowsInWAL)
    let database = try SourceDatabase(
      opening: folder.path("store.sqlite"), temporaryFolder: temporary.path)
    let lines = try Fingerprint(of: temporary.path).lines.dropFirst()
    #expect(lines.count >= 3)
    #expect(lines.allSatisfy { $0.hasPrefix("drwx------") || $0.hasPrefix("-rw-------") })
    #expect(try database.isUnchanged())
  }

  @Test func sideFilesAreTold() throws {
    let folder = try TemporaryFolder()
    try folder.run(SourceStores.allInWAL)
    let files = try SourceFiles(of: folder.path("store.sqlite"))
    #expect(files.withContent.map(\.path) == ["", "-wal"].map { folder.path("store.sqlite" + $0) })
    #expect(files.sharedMemory != nil)
    #expect(!files.seemsToLackWAL)
    try FileManager.default.removeItem(atPath: folder.path("store.sqlite-wal"))
    #expect(try SourceFiles(of: folder.path("store.sqlite")).seemsToLackWAL)
  }

  @Test(arguments: [
    "open('store.sqlite', 'ab').write(b'x')", "os.utime('store.sqlite', (1, 1))",
    "open('store.sqlite-wal', 'wb').write(b'x')", "open('store.sqlite-journal', 'wb').write(b'x')",
    "os.rename('store.sqlite', 'x'); shutil.copy2('x', 'store.sqlite')",
  ])
  func changeFromOutsideIsNoticed(change: String) throws {
    let folder = try TemporaryFolder()
    try folder.run(SourceStores.clean + "\nopen('store.sqlite-journal', 'wb').close()")
    let database = try SourceDatabase(
      opening: folder.path("store.sqlite"), temporaryFolder: folder.path)
    #expect(try database.isUnchanged())
    try folder.run(change)
    #expect(try !database.isUnchanged())
  }

  @Test func removedSourceIsAnError() throws {
    let folder = try TemporaryFolder()
    try folder.run(SourceStores.clean)
    let database = try SourceDatabase(
      opening: folder.path("store.sqlite"), temporaryFolder: folder.path)
    try FileManager.default.removeItem(atPath: folder.path("store.sqlite"))
    #expect(throws: SQLiteError.self) { try database.isUnchanged() }
  }

  @Test func symbolicLinkLeadsToTheStoreAndItsSideFiles() throws {
    for script in [SourceStores.symbolicLink, Self.linkToStoreWithWAL] {
      let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
      try folder.run(script)
      let before = try Fingerprint(of: folder.path)
      do {
        let database = try SourceDatabase(
          opening: folder.path("store.sqlite"), temporaryFolder: temporary.path)
        let expected: Int64 = script == SourceStores.symbolicLink ? 3 : 5
        #expect(try database.connection.integer("SELECT count(*) FROM t") == expected)
      }
      #expect(try Fingerprint(of: folder.path) == before)
      #expect(temporary.names.isEmpty)
    }
  }

  /// SQLite itself follows the link and looks for side files beside the real store.
  private static let linkToStoreWithWAL =
    SourceStores.rowsInWAL + """

      os.mkdir("elsewhere")
      for ending in ("", "-wal"):
          os.rename("store.sqlite" + ending, "elsewhere/real.sqlite" + ending)
      os.symlink("elsewhere/real.sqlite", "store.sqlite")
      """

  @Test func schemaThatCannotBeReadIsDamageOnOpening() throws {
    let folder = try TemporaryFolder()
    try folder.run(
      """
      db = sqlite3.connect("store.sqlite")
      db.executescript('''CREATE TABLE t(a); PRAGMA writable_schema = 1;
        UPDATE sqlite_schema SET sql = 'CREATE NONSENSE' ''')
      """)
    let error = try #require(
      #expect(throws: SQLiteError.self) {
        _ = try SourceDatabase(
          opening: folder.path("store.sqlite"), temporaryFolder: folder.path)
      })
    #expect(error.code == .corrupt)
    #expect(error.kind == .damaged)
    #expect(error.hint != nil)
  }
}
