import Foundation
import TestSupport
import Testing

@testable import SQLite

/// Journals are written by Python's SQLite in the middle of a change, in several parts.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct RollbackJournalTests {
  /// 512 bytes of header, then pages of 1024 bytes between their number and their checksum.
  private static let page = 1024 + 8

  private let folder: TemporaryFolder
  private var store: String { folder.path("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try Self.write("", into: folder)
  }

  private static func write(_ pragma: String, into folder: TemporaryFolder) throws {
    try folder.run(
      """
      db = sqlite3.connect("made", isolation_level=None)
      db.execute("PRAGMA page_size = 1024"); \(pragma)
      db.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
      db.executemany("INSERT INTO t VALUES (?, ?)", [(i, "old" * 10) for i in range(200)])
      db.execute("PRAGMA cache_size = 3")
      db.execute("BEGIN"); db.execute("UPDATE t SET b = 'new' || substr(b, 4)")
      for end in ("", "-journal"): shutil.copyfile("made" + end, "store.sqlite" + end)
      db.execute("ROLLBACK"); db.close(); os.remove("made")
      """)
  }

  /// What is wrong with the journal after some of its bytes were changed.
  private func trouble(changing change: (inout Data) -> Void) throws -> JournalTrouble? {
    let journal = URL(filePath: store + "-journal")
    var bytes = try Data(contentsOf: journal)
    change(&bytes)
    try bytes.write(to: journal)
    return try RollbackJournal(ofFileAt: journal.path).trouble
  }

  /// Whether the engine undoes all of the change.
  private func undoesAll() throws -> Bool {
    let temporary = try TemporaryFolder()
    let database = try SourceDatabase(opening: store, temporaryFolder: temporary.path)
    return try database.connection.integer("SELECT count(*) FROM t WHERE b LIKE 'new%'") == 0
  }

  /// Which side file a damaged store is to be copied again with.
  @Test func journalThatHasEndedIsNotTheOneThatIsMissed() throws {
    #expect(try SourceFiles(of: store).sideEnding == "-journal")
    #expect(try trouble { $0.replaceSubrange(0..<28, with: Data(count: 28)) } == nil)
    #expect(try SourceFiles(of: store).sideEnding == "-wal")
  }

  @Test func wholeJournalUndoesTheChange() throws {
    #expect(try trouble { _ in } == nil)
    #expect(try undoesAll())
  }

  @Test(arguments: [0, 7, 20, 24]) func changedHeaderIsNoJournal(place: Int) throws {
    #expect(try trouble { $0[place] ^= 0x11 } == .notAJournal)
    #expect(try undoesAll() == false)
  }

  /// The first page lies where the nonce and the number of pages before the change say what it is.
  @Test(arguments: [12, 512 + 2, 512 + 4 + 24, 512 + page - 1])
  func changedPageIsFound(place: Int) throws {
    #expect(try trouble { $0[place] ^= 0x11 } == .damagedPage(1))
    #expect(try undoesAll() == false)
  }

  /// The engine leaves out pages that the database did not have, and uses all others.
  @Test func pageOfAnAbsurdNumberEndsNothing() throws {
    try Self.write("db.execute('PRAGMA synchronous = OFF')", into: folder)
    #expect(try trouble { $0[512 + Self.page] = 0x7F } == .damagedPage(2))
  }

  /// Old engines write 0 in the place of the size of a page, which is that of the file.
  @Test func pageSizeMayStandInTheDatabase() throws {
    #expect(try trouble { $0.replaceSubrange(24..<28, with: Data(count: 4)) } == nil)
    #expect(try undoesAll())
  }

  @Test func sizesInLaterPartsSayNothing() throws {
    let last = try #require(try partsWithPages().last)
    #expect(try trouble { $0.replaceSubrange(last + 20..<last + 28, with: Data(count: 8)) } == nil)
    #expect(try undoesAll())
    #expect(try trouble { $0[last + 512 + 4 + 24] ^= 1 } != nil)
  }

  /// No disk may hold a file as large as a damaged header says that the database was.
  @Test(arguments: [[0xFF, 0xFF, 0xFF, 0xF0], [0, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func sizeThatCannotBeIsLeftOut(_ size: [UInt8]) throws {
    #expect(try trouble { $0.replaceSubrange(16..<20, with: size) } == .strangeSize)
    #expect(try undoesAll())
    let temporary = try TemporaryFolder()
    let database = try SourceDatabase(opening: store, temporaryFolder: temporary.path)
    #expect(try database.connection.integer("PRAGMA page_count") < 1000)
  }

  @Test func partsThatContradictEachOtherAreTold() throws {
    let last = try #require(try partsWithPages().last)
    #expect(try trouble { $0[last + 19] &+= 1 } == .strangeSize)
    #expect(try undoesAll())
  }

  @Test func pagesThatAreNotCountedAreTold() throws {
    let last = try #require(try partsWithPages().last)
    #expect(try trouble { $0[last + 11] -= 1 } == .hasMorePages)
  }

  /// Where the nonce is damaged, no page is whole, and the engine undoes nothing.
  @Test func journalWithoutAWholePageIsDamaged() throws {
    try Self.write("db.execute('PRAGMA synchronous = OFF')", into: folder)
    #expect(try trouble { $0[12] ^= 1 } == .damagedPage(1))
  }

  @Test func partThatIsCutInItsHeaderIsTold() throws {
    let last = try #require(try partsWithPages().last)
    #expect(try trouble { $0.removeLast($0.count - last - 100) } == .cutOff)
  }

  /// Where the parts begin that have pages.
  private func partsWithPages() throws -> [Int] {
    let bytes = try Data(contentsOf: URL(filePath: store + "-journal"))
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9]
    return stride(from: 512, to: bytes.count, by: 512).filter {
      bytes[$0..<$0 + 4].elementsEqual(magic) && bytes[$0 + 11] > 0
    }
  }

  @Test(arguments: [100, 700, 20]) func cutJournalIsTold(size: Int) throws {
    #expect(try trouble { $0.removeLast($0.count - size) } == .cutOff)
    #expect(try undoesAll() == false)
  }

  /// An image with a hole has zeros where the engine takes the journal to end.
  @Test func laterPartsThatAreZerosAreTold() throws {
    let last = try #require(try partsWithPages().last)
    #expect(
      try trouble { $0.replaceSubrange(last..., with: Data(count: $0.count - last)) } == .cutOff)
    #expect(try undoesAll() == false)
  }

  /// What is left of a longer journal is no part of this one.
  @Test func bytesBehindTheLastPartAreNoDamage() throws {
    #expect(try trouble { $0 += Data(repeating: 7, count: 4096) } == nil)
    #expect(try undoesAll())
  }

  @Test func laterPartIsCheckedToo() throws {
    let last = try #require(try partsWithPages().last)
    let found = try trouble { $0[last + 512 + 4 + 24] ^= 1 }
    guard case .damagedPage(let number) = found, number > 1 else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect(try undoesAll() == false)
  }

  @Test func endedJournalIsNone() throws {
    #expect(try trouble { $0.replaceSubrange(0..<28, with: Data(count: 28)) } == nil)
  }

  /// Until its pages are on the disk, a journal begins with zeros, and the database is as it was.
  @Test func journalThatIsNotOnTheDiskYetIsNone() throws {
    try folder.run(
      """
      db = sqlite3.connect("made", isolation_level=None)
      db.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
      db.executemany("INSERT INTO t VALUES (?, ?)", [(i, "old" * 10) for i in range(200)])
      db.execute("BEGIN"); db.execute("UPDATE t SET b = 'new'")
      for end in ("", "-journal"): shutil.copyfile("made" + end, "store.sqlite" + end)
      db.execute("ROLLBACK"); db.close(); os.remove("made")
      """)
    var start = Data()
    #expect(try trouble { start = $0.prefix(28) } == nil)
    #expect(start.prefix(12) == Data(count: 12) && start != Data(count: 28))
    #expect(try undoesAll())
  }

  /// Without waiting for the disk, the engine does not count pages, and the last may not be whole.
  @Test func pagesThatAreNotCountedEndWithOneThatIsNotWhole() throws {
    try Self.write("db.execute('PRAGMA synchronous = OFF')", into: folder)
    #expect(try trouble { $0.removeLast(100) } == nil)
    #expect(try trouble { $0[512 + 4 + 24] ^= 1 } == .damagedPage(1))
  }

  @Test func troubleIsKnownOfTheDatabase() throws {
    _ = try trouble { $0[0] = 1 }
    let temporary = try TemporaryFolder()
    let database = try SourceDatabase(opening: store, temporaryFolder: temporary.path)
    #expect(database.journalTrouble == .notAJournal)
  }
}
