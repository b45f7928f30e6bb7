import Bytes
import Foundation
import SQLite
import TestSupport
import Testing

/// An error holds only while the files are what they were when they were first looked at.
struct SourceFilesTests {
  private let folder: TemporaryFolder
  private let path: String

  private struct Trouble: Failure {
    let kind: FailureKind
    let path: String? = nil
    let message = "trouble"
    let hint: String? = nil
  }

  init() throws {
    folder = try TemporaryFolder()
    try folder.run(SourceStores.clean + "\nopen('store.sqlite-journal', 'wb').write(b'x')")
    path = folder.path("store.sqlite")
  }

  @Test(arguments: FailureKind.allCases) func errorOfAStoreAtRestHolds(_ kind: FailureKind) throws {
    #expect(try SourceFiles(of: path).change(behind: Trouble(kind: kind)) == nil)
  }

  @Test(arguments: [
    "os.remove('store.sqlite-journal')", "os.remove('store.sqlite')",
    "open('store.sqlite-journal', 'wb').write(b'y')", "open('store.sqlite-wal', 'wb').write(b'x')",
    "open('store.sqlite', 'ab').write(b'x')",
  ])
  func whatChangedMeanwhileExplainsDamageAndLoss(_ change: String) throws {
    let files = try SourceFiles(of: path)
    try folder.run(change)
    for kind in [.damaged, .missing, .inputOutput, .notAStore] as [FailureKind] {
      let change = try #require(files.change(behind: Trouble(kind: kind)))
      #expect(change.kind == .temporary && change.path == path)
    }
    // What is true whoever writes meanwhile is told.
    for kind in [.notPermitted, .noSpace, .interrupted, .usage] as [FailureKind] {
      #expect(files.change(behind: Trouble(kind: kind)) == nil)
    }
  }

  /// One who only reads makes an empty log and a shared memory, and removes them again.
  @Test func whatReadersMakeIsNoChange() throws {
    let before = try SourceFiles(of: path)
    try folder.run(
      "open('store.sqlite-wal', 'wb').close(); open('store.sqlite-shm', 'wb').write(bytes(32768))")
    let between = try SourceFiles(of: path)
    #expect(before == between && before.change(behind: Trouble(kind: .damaged)) == nil)
    try folder.run("os.remove('store.sqlite-wal'); os.remove('store.sqlite-shm')")
    #expect(between.change(behind: Trouble(kind: .missing)) == nil)
  }

  /// A name of 255 bytes is as long as one may be, and leaves no room for any ending.
  @Test(arguments: [247, 248, 251, 255]) func longestNameHasNoSideFiles(count: Int) throws {
    let long = folder.path(String(repeating: "a", count: count))
    try FileManager.default.moveItem(atPath: path, toPath: long)
    let files = try SourceFiles(of: long)
    #expect(files.wal == nil && files.sharedMemory == nil && !files.hasSideContent)
    let rows = try SourceDatabase(opening: long, temporaryFolder: folder.path)
      .connection.integer("SELECT count(*) FROM t")
    #expect(rows == 3)
  }

  /// The engine follows no link beside a store either, wherever it leads.
  @Test(
    .mustEnd, arguments: ["-wal", "-journal", "-shm"],
    [
      "os.symlink('elsewhere', path)", "os.symlink(path, path)", "os.symlink('nowhere', path)",
      "os.symlink('/dev/zero', path)", "os.mkdir(path)", "os.mkfifo(path)",
      "open('empty', 'w'); os.symlink('empty', path)",
    ])
  func whatIsNoPlainFileIsNoSideFile(_ ending: String, _ script: String) throws {
    try folder.run(
      SourceStores.rowsInWAL + """

        os.rename('store.sqlite-wal', 'elsewhere')
        for ending in ['-journal', '-shm']:
            if os.path.exists('store.sqlite' + ending): os.remove('store.sqlite' + ending)
        path = 'store.sqlite\(ending)'
        \(script)
        """)
    let files = try SourceFiles(of: path)
    #expect(!files.hasSideContent && !files.seemsToLackWAL)
    #expect(files.hasStrangeWAL == (ending == "-wal"))
    #expect(!SourceDatabase.sideHasFirstPage(ofFileAt: path))
    let database = try SourceDatabase(opening: files, temporaryFolder: folder.path)
    #expect(database.wal == nil)
    // A link to no journal at all, or to an empty one, loses nothing.
    let leadsNowhere = ["symlink(path", "nowhere", "empty"].contains { script.contains($0) }
    #expect(database.journalTrouble == (ending == "-journal" && !leadsNowhere ? .notPlain : nil))
    #expect(try database.connection.integer("SELECT count(*) FROM t") == 2)
  }

  @Test func nameThatIsTooLongIsToldAsThat() throws {
    let error = #expect(throws: SQLiteError.self) {
      try SourceFiles(of: folder.path(String(repeating: "a", count: 256)))
    }
    #expect(error?.message.contains("file name too long") == true)
  }

  /// Of a journal that is gone again the engine would say that it is missing.
  @Test func openingWithALookFromBeforeFails() throws {
    let files = try SourceFiles(of: path)
    try folder.run("os.remove('store.sqlite-journal')")
    let error = #expect(throws: SQLiteError.self) {
      _ = try SourceDatabase(opening: files, temporaryFolder: folder.path)
    }
    #expect(error?.kind == .missing)
    #expect(files.change(behind: try #require(error)) != nil)
  }
}
