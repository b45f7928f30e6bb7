import Foundation
import TestSupport
import Testing

@testable import SQLite

/// Logs are written by Python's SQLite; what of them counts is what that engine then reads.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct WALSummaryTests {
  /// Three changes, each of more than one page.
  private static let threeChanges =
    "for n in range(3): db.execute('INSERT INTO t VALUES (zeroblob(6000))')"

  /// Runs statements on a new database with a log, and copies both away while it is open.
  private static func write(_ script: String, at path: String) throws {
    let start = """
      import shutil, sqlite3, sys
      path = sys.argv[1]
      db = sqlite3.connect(path, isolation_level=None)
      db.execute('PRAGMA journal_mode = WAL'); db.execute('PRAGMA wal_autocheckpoint = 0')
      db.execute('CREATE TABLE t (n)')

      """
    let end = "\nfor end in ('', '-wal'): shutil.copy(path + end, path + '.copy' + end)"
    _ = try Python.run(start + script + end, arguments: [path])
  }

  private let folder: TemporaryFolder
  private var wal: String { folder.path("s.copy-wal") }

  init() throws {
    folder = try TemporaryFolder()
    try Self.write(
      "db.execute('PRAGMA wal_checkpoint(TRUNCATE)')\n" + Self.threeChanges, at: folder.path("s"))
  }

  /// The log after some of its bytes were changed.
  private func summary(changing change: (inout Data) -> Void) throws -> WALSummary {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: wal))
    change(&bytes)
    try bytes.write(to: URL(fileURLWithPath: wal))
    return try WALSummary(ofFileAt: wal, besideFileOf: .max)
  }

  /// How many rows the engine sees.
  private func rowsSeen() throws -> Int {
    let script =
      "import sqlite3,sys;print(*sqlite3.connect(sys.argv[1]).execute('select count(*) from t').fetchone())"
    let output = try Python.run(script, arguments: [folder.path("s.copy")])
    return Int(String(decoding: output, as: UTF8.self).dropLast()) ?? -1
  }

  private static let frame = 24 + 4096

  @Test func wholeLogHasAllChanges() throws {
    let summary = try summary { _ in }
    #expect(summary.transactions == 3)
    #expect(summary.uncommittedFrames == 0 && summary.trouble == nil)
    #expect(try rowsSeen() == summary.transactions)
  }

  @Test func cutLogTellsOfTheFrameThatIsNotWhole() throws {
    let summary = try summary { $0.removeLast(100) }
    #expect(summary.trouble == .cutOff)
    #expect(try rowsSeen() == summary.transactions)
  }

  @Test func logThatEndsInsideAChangeHasUncommittedFrames() throws {
    let summary = try summary { $0.removeLast(Self.frame) }
    #expect(summary.trouble == nil)
    #expect(summary.uncommittedFrames > 0)
    #expect(try rowsSeen() == summary.transactions)
  }

  @Test func changedByteIsFoundByItsChecksum() throws {
    let summary = try summary { $0[$0.count - Self.frame - 50] ^= 1 }
    guard case .damagedFrame = summary.trouble else {
      Issue.record("\(summary)")
      return
    }
    #expect(try rowsSeen() == summary.transactions)
  }

  /// The engine takes a frame with other salts for one of an earlier round, and stops there.
  @Test(arguments: 0..<3) func headerThatLostItsSaltsIsDamage(fromTheEnd number: Int) throws {
    let summary = try summary { $0[$0.count - (number + 1) * Self.frame + 9] ^= 1 }
    guard case .damagedFrame = summary.trouble else {
      Issue.record("\(summary)")
      return
    }
    #expect(try rowsSeen() == summary.transactions)
  }

  @Test func overwrittenHeaderIsDamageWhereFramesFollow() throws {
    let summary = try summary {
      let start = $0.count - 4 * Self.frame
      $0.replaceSubrange(start..<start + 24, with: Data(count: 24))
    }
    guard case .damagedFrame = summary.trouble else {
      Issue.record("\(summary)")
      return
    }
    #expect(try rowsSeen() == summary.transactions)
  }

  @Test func changedByteBeforeAHeaderWithoutSaltsIsStillFound() throws {
    let summary = try summary {
      $0[$0.count - 3 * Self.frame - 50] ^= 1
      let start = $0.count - 2 * Self.frame
      $0.replaceSubrange(start..<start + 24, with: Data(count: 24))
    }
    guard case .damagedFrame = summary.trouble else {
      Issue.record("\(summary)")
      return
    }
  }

  @Test func changedByteBeforeACutIsFoundByItsChecksum() throws {
    let summary = try summary {
      $0[$0.count - Self.frame - 50] ^= 1
      $0.removeLast(100)
    }
    guard case .damagedFrame = summary.trouble else {
      Issue.record("\(summary)")
      return
    }
  }

  /// The engine writes pages of a change that is not finished again where they are, and leaves the
  /// checksums of all frames behind them wrong until it ends.
  @Test(arguments: ["", "db.execute('ROLLBACK')"])
  func changeThatWroteItsFramesAnewIsNoDamage(end: String) throws {
    try Self.write(
      """
      db.execute('PRAGMA cache_size = 10')
      \(Self.threeChanges)
      db.execute('BEGIN')
      for n in range(200): db.execute('INSERT INTO t VALUES (zeroblob(900))')
      for n in range(4): db.execute('UPDATE t SET n = zeroblob(901 + ?)', (n,))
      \(end)
      """, at: folder.path("r"))
    let summary = try WALSummary(ofFileAt: folder.path("r.copy-wal"), besideFileOf: .max)
    #expect(summary.trouble == nil)
    #expect(summary.transactions == 4)
    #expect(summary.uncommittedFrames > 20)
  }

  @Test(arguments: [0, 4, 9, 17, 25]) func changedHeaderHidesAllOfIt(place: Int) throws {
    let summary = try summary { $0[place] ^= 0x40 }
    #expect(summary.trouble == .notALog)
    #expect(try rowsSeen() == 0)
  }

  @Test func garbageIsNoLog() throws {
    #expect(try summary { $0 = Data("garbage".utf8) }.trouble == .notALog)
  }

  /// The engine leaves frames of earlier rounds behind the newest.
  @Test func framesOfAnEarlierRoundAreNoDamage() throws {
    try Self.write(
      Self.threeChanges + """

        db.execute('PRAGMA wal_checkpoint(RESTART)')
        db.execute('INSERT INTO t VALUES (1)')
        """, at: folder.path("r"))
    let summary = try WALSummary(ofFileAt: folder.path("r.copy-wal"), besideFileOf: .max)
    #expect(summary.transactions == 1)
    #expect(summary.trouble == nil && summary.uncommittedFrames == 0)
  }

  @Test func pageThatIsWrittenSeveralTimesIsCountedOnce() throws {
    try Self.write(
      "for n in range(3): db.execute('INSERT INTO t VALUES (?)', (n,))", at: folder.path("p"))
    let summary = try WALSummary(ofFileAt: folder.path("p.copy-wal"), besideFileOf: .max)
    #expect(summary.committedFrames > summary.committedPages && summary.committedPages == 2)
  }
}
