import Foundation
import TestSupport
import Testing

/// Long runs tell on a terminal how far they are, and nowhere else.
struct ProgressTests {
  private let folder: TemporaryFolder
  private let rows: String

  init() throws {
    folder = try TemporaryFolder()
    rows = folder.path("rows.sqlite")
    _ = try python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      for table in ('Item', 'Place'):
          db.execute(f'CREATE TABLE {table} (id TEXT, text TEXT, rank INTEGER)')
          db.execute(f'''WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
              INSERT INTO {table} SELECT 'item-' || i, 'some words about ' || i, i FROM n''')
      db.commit()
      """, rows)
  }

  private static var line: Regex<(Substring, Substring)> {
    #/^(?:\S.*  )?[\d,]+ (rows?|stores?|operations?|tables?)  [\d,]+\/s(?:  \d+%)?(?:  .*left)?$/#
  }

  /// How much a second, which no path and no other line has.
  private static var pace: Regex<Substring> { #/\d\/s  \d+%/# }

  /// Runs a command slowly enough that any machine shows its line.
  private func expectProgress(
    _ arguments: [String], in unit: String, slowness: Int = 20
  ) async throws {
    let seen = try await TerminalRun(arguments, ["--slow", "\(slowness)"])
    #expect(seen.code == 0 || seen.code == 2, "\(arguments): \(seen.error)")
    let told = seen.drawn.compactMap { $0.wholeMatch(of: Self.line) }
    #expect(told.contains { $0.1.hasPrefix(unit) }, "\(arguments): \(seen.drawn.prefix(5))")
    #expect(seen.drawn.contains { $0.contains("%") }, "\(arguments)")
    #expect(!seen.output.contains("\r"))
    let silent = try await TerminalRun(arguments + ["-q"])
    #expect(silent.error.isEmpty, "\(arguments): \(silent.error)")
  }

  @Test func lineIsNotDrawnWhereNobodyWantsIt() async throws {
    for (more, options) in [(["--no-progress"], []), (["-q"], []), ([], ["--pipe", "error"])] {
      let seen = try await TerminalRun(["hash", rows] + more, ["--slow", "20"] + options)
      #expect(!seen.error.contains(Self.pace) && !seen.error.contains("\r\u{1b}"), "\(more)")
      if more == ["-q"] { #expect(seen.error.isEmpty) }
    }
  }

  @Test(arguments: [["audit"], ["hash"], ["export", "--to", "ndjson", "--table", "Item"]])
  func rowsAreCounted(command: [String]) async throws {
    try await expectProgress(command + [rows], in: "row")
  }

  @Test func bothSidesOfAComparisonAreCounted() async throws {
    try await expectProgress(["verify", rows, rows], in: "row")
    try await expectProgress(["verify", "--by-id", rows, rows], in: "row")
  }

  /// What is read once more, since neither side could take a value, is counted anew.
  @Test func noMoreRowsAreCountedThanThereAre() async throws {
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute("UPDATE Item SET rank = 'none' WHERE rank = 7")
      """, rows)
    let seen = try await TerminalRun(["verify", "--by-id", rows, rows], ["--slow", "20"])
    let counts = seen.drawn.compactMap { line in
      line.firstMatch(of: #/([\d,]+) rows/#).flatMap { Int($0.1.filter(\.isNumber)) }
    }
    #expect(counts.count > 1 && counts.allSatisfy { $0 <= 160_000 }, "\(seen.error)")
  }

  @Test func loadingCountsRows() async throws {
    try await expectProgress(["convert", rows, "-f", "-o", folder.path("out.rehome")], in: "row")
  }

  @Test(arguments: [["find"], ["audit"], ["hash"], ["inspect"]])
  func manyStoresAreCounted(command: [String]) async throws {
    let shelf = folder.path("shelf")
    try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
    let store = Sample(name: "ios-2014").store()
    for number in 0..<150 {
      try FileManager.default.copyItem(atPath: store, toPath: "\(shelf)/\(number).sqlite")
    }
    try await expectProgress(command + [shelf], in: "store", slowness: 12)
  }

  @Test func replayCountsOperations() async throws {
    let rehearsal = try await Rehearsal(operations: 1000)
    let journal = folder.path("journal.rehome")
    let seen = try await TerminalRun(
      ["replay", rehearsal.device, "--to", rehearsal.server, "--journal", journal],
      ["--slow", "12"])
    #expect(seen.code == 0, "\(seen.error)")
    let told = seen.drawn.compactMap { $0.wholeMatch(of: Self.line) }
    #expect(told.contains { $0.1.hasPrefix("operation") }, "\(seen.drawn.prefix(5))")
  }

  @Test func narrowTerminalGetsAShortLine() async throws {
    let seen = try await TerminalRun(["hash", rows], ["--columns", "30", "--slow", "20"])
    #expect(!seen.drawn.isEmpty)
    #expect(seen.drawn.filter { $0.contains("rows") }.allSatisfy { $0.count < 30 })
  }
}
