import Bytes
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Commands

/// A replay that is refused leaves each file byte for byte as it was.
struct ReplayRunTests {
  private let fixture: ExportFixture
  private let target: String
  private let journal: String
  private let legacy: String

  /// What is refused: the words of the command line, some of them files, and the exit code.
  struct Refusal: CustomTestStringConvertible {
    let words: String
    let code: Int32
    var testDescription: String { words }

    init(_ words: String, _ code: Int32) { (self.words, self.code) = (words, code) }
  }

  static let refusals = [
    Refusal("--to example.net", 66), Refusal("--to ftp://example.net", 64),
    Refusal("--to http://example.net", 64), Refusal("--to LEGACY", 65),
    Refusal("--to JOURNAL", 64), Refusal("--to JUNK", 65),
    Refusal("--to TARGET --map Nope=x", 64), Refusal("--to TARGET --table Nope", 64),
    Refusal("--to TARGET --rules nope", 66), Refusal("--to TARGET --rules JUNK", 64),
    Refusal("--to TARGET --from-plan JUNK", 65),
    Refusal("--to https://127.0.0.1:1 --header-file nope", 66),
    Refusal("--to https://127.0.0.1:1 --header-file EMPTY", 64),
    Refusal("--to https://127.0.0.1:1 --header-file JUNK", 64),
    Refusal("--to https://127.0.0.1:1 --ca-file JUNK", 64),
    Refusal("--to https://127.0.0.1:1 --dialect parse", 64),
  ]

  init() async throws {
    fixture = try ExportFixture()
    legacy = try fixture.sample("ios-2016")
    (target, journal) = (fixture.path("target.rehome"), fixture.path("journal.rehome"))
    for store in [target, journal] {
      let run = await ToolRun("convert", legacy, "-o", store, "-q")
      try #require(run.code == 0, "\(run.error)")
    }
    try "no header, no rule,\u{1} no certificate".write(
      toFile: fixture.path("junk"), atomically: true, encoding: .utf8)
    try "".write(toFile: fixture.path("empty"), atomically: true, encoding: .utf8)
  }

  private func words(of refusal: Refusal) -> [String] {
    let files = [
      "LEGACY": legacy, "TARGET": target, "JOURNAL": journal, "JUNK": fixture.path("junk"),
      "EMPTY": fixture.path("empty"),
    ]
    return refusal.words.split(separator: " ").map { files[String($0)] ?? String($0) }
  }

  /// What a replay leaves that is killed: a store with a log beside it.
  private func kill() throws {
    for store in [target, journal] {
      _ = try Python.run(
        """
        import os, shutil, sqlite3, sys
        path = sys.argv[1]
        db = sqlite3.connect(path)
        db.execute('PRAGMA journal_mode = WAL')
        db.execute("INSERT INTO rehome_meta VALUES ('left', 'here')")
        db.commit()
        for end in '', '-wal': shutil.copy(path + end, path + end + '.kept')
        db.close()
        for end in '', '-wal': os.replace(path + end + '.kept', path + end)
        """, arguments: [store])
    }
  }

  private func contents() throws -> [String: Data] {
    try Dictionary(
      uniqueKeysWithValues: fixture.names.filter { $0 != "ios-2016" }.map {
        ($0, try Data(contentsOf: URL(filePath: fixture.path($0))))
      })
  }

  @Test(arguments: refusals, [false, true])
  func refusedRunLeavesTheStore(_ refusal: Refusal, isKilled: Bool) async throws {
    if isKilled { try kill() }
    let before = try contents()
    let run = await ToolRun(["replay", journal] + words(of: refusal))
    #expect(run.code == refusal.code, "\(run.error)")
    #expect(try contents() == before)
  }

  @Test(arguments: refusals.filter { !$0.words.contains("JOURNAL") }, [false, true])
  func refusedRunLeavesTheJournal(_ refusal: Refusal, isKilled: Bool) async throws {
    if isKilled { try kill() }
    let before = try contents()
    let run = await ToolRun(["replay", legacy, "--journal", journal] + words(of: refusal))
    #expect(run.error.contains("going on with the journal"), "\(run.error)")
    #expect(run.code == refusal.code, "\(run.error)")
    #expect(try contents() == before)
  }

  /// What a server is to be told, and how it proves itself, is looked at in a dry run, too.
  @Test(arguments: refusals.filter { $0.words.hasPrefix("--to https:") })
  func dryRunRefusesTheSame(_ refusal: Refusal) async throws {
    let before = try contents()
    for options in [["-n"], ["--plan", fixture.path("plan.json")]] {
      let run = await ToolRun(["replay", journal] + words(of: refusal) + options)
      #expect(run.code == refusal.code, "\(run.error)")
    }
    #expect(try contents() == before)
  }

  /// Whichever of the two another program uses, neither is changed.
  @Test(arguments: [false, true], [false, true])
  func runBesideAnotherProgramLeavesBoth(isTarget: Bool, isKilled: Bool) async throws {
    if isKilled { try kill() }
    let before = try contents()
    do {
      let other = try Connection(opening: isTarget ? target : journal, mode: .readWrite)
      try other.keepLogAtEnd(true)
      try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE")
      let run = await ToolRun("replay", journal, "--to", target)
      #expect(run.code == 75, "\(run.error)")
    }
    #expect(try contents() == before)
  }

  @Test func refusedRunTellsNobodyOfMissingChanges() async throws {
    _ = await ToolRun("replay", journal, "--to", "example.net")
    #expect(await !ToolRun("inspect", journal).text.contains("wal-missing"))
  }

  /// Of runs that begin at once one makes the journal, and the others are for later.
  @Test func runThatFindsTheJournalMadeIsForLater() async throws {
    let (legacy, target) = (legacy, target)
    let journal = fixture.path("new.rehome")
    let runs = await withTaskGroup(of: ToolRun.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await ToolRun("replay", legacy, "--journal", journal, "--to", target, "-f")
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs { #expect(run.code != 73, "\(run.error)") }
    #expect(runs.contains { $0.code != 75 })
  }
}
