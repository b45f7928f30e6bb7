import Foundation
import TestSupport
import Testing

/// Rejects and findings decide over the exit code as the user wants.
struct LimitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func rejectedValuesMakeTheRunIncomplete() async throws {
    let store = try AlteredStore.makeWithBadValues(in: folder)
    let output = folder.path("out")
    let outcome = await rehome("convert", "--json", store, "-o", output)
    #expect(outcome.code == 2)
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    #expect(differences([["read": 5, "written": 5, "rejectedCells": 2]], tables) == [])
    let kept = try python(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      print(*db.execute('SELECT "row", "column", storage, hex(raw) FROM rehome_reject'), sep='')
      print(*db.execute('SELECT _pk, TEXT FROM TodoItem WHERE _pk < 3'), sep='')
      """, output)
    #expect(
      kept == "(1, 'TEXT', 'blob', 'FF')(2, 'TEXT', 'text', 'FF41')\n(1, None)(2, None)\n")
  }

  @Test(arguments: ["0", "1", "39%", "0.5%"])
  func moreRejectsThanAllowedPublishNothing(limit: String) async throws {
    let store = try AlteredStore.makeWithBadValues(in: folder)
    let outcome = await rehome(
      "convert", store, "--max-rejects", limit, "-o", folder.path("out"))
    #expect(outcome.code == 3)
    #expect(outcome.error.contains("2 values were rejected, more than --max-rejects allows"))
    #expect(folder.names == ["store.sqlite"])
  }

  @Test(arguments: ["2", "40%", "100%"])
  func asManyRejectsAsAllowedArePublished(limit: String) async throws {
    let store = try AlteredStore.makeWithBadValues(in: folder)
    let outcome = await rehome(
      "convert", store, "--max-rejects", limit, "-o", folder.path("out"))
    #expect(outcome.code == 2)
    #expect(folder.names == ["out", "store.sqlite"])
  }

  /// No binary fraction is 9.2 in a hundred, and 69 of 750 are.
  @Test(arguments: [("9.2%", 2), ("9.19%", 3)] as [(String, Int32)])
  func shareIsMeantAsItIsWritten(limit: String, code: Int32) async throws {
    let lines = (1...750).map { "\($0),\($0 <= 69 ? "bad" : "1")\n" }.joined()
    let file = try folder.write("id,n\n" + lines, to: "T.csv")
    let outcome = await rehome(
      "seed", file, "--type", "T.n=integer", "--max-rejects", limit, "-fo", folder.path("out"))
    #expect(outcome.code == code, "\(outcome.error)")
  }

  /// A share is one of rows, each of which counts once.
  @Test(arguments: [("100%", 2), ("50%", 2), ("49%", 3), ("4", 2), ("3", 3)] as [(String, Int32)])
  func shareIsOneOfRows(limit: String, code: Int32) async throws {
    let file = try folder.write("id,n,m\na,bad,bad\nb,bad,bad\nc,1,1\nd,1,1\n", to: "T.csv")
    for form in [["canonical"], ["toolkit"]] {
      let outcome = await rehome(
        ["seed", file, "--type", "T.n=integer", "--type", "T.m=integer", "--max-rejects", limit]
          + ["-fo", folder.path("out"), "--into"] + form)
      #expect(outcome.code == code, "\(form): \(outcome.error)")
    }
  }

  @Test(arguments: [
    ("max-seconds", "0.5", false), ("max-depth", "2049", false), ("max-columns", "0", false),
    ("max-seconds", "1K", false), ("max-depth", "1K", false), ("max-columns", "1K", false),
    ("max-memory", "1.5", true), ("max-pipe-bytes", "all", true), ("max-value-bytes", "-1", true),
    ("max-member-bytes", "x", true), ("max-ratio", "0", false), ("max-members", "1K", false),
    ("max-nesting", "65", false),
  ])
  func hintSaysWhatALimitTakes(option: String, value: String, isSize: Bool) async {
    let outcome = await rehome("inspect", "--\(option)=\(value)", Sample(name: "ios-2016").store())
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("64M") == isSize, "\(outcome.error)")
    #expect(outcome.error.contains("whole number") != isSize, "\(outcome.error)")
  }

  @Test(arguments: ["many", "-1", "101%", "%", ""])
  func limitMustBeANumberOrAShare(limit: String) async throws {
    let sample = try #require(Sample.all.first)
    let outcome = await rehome(
      "convert", sample.store(), "--max-rejects=\(limit)", "-o", folder.path("out"))
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--max-rejects"))
    #expect(folder.names == [])
  }

  @Test(arguments: [("error", 0), ("warning", 2), ("never", 0)] as [(String, Int32)])
  func findingsCountFromTheChosenSeverity(severity: String, code: Int32) async throws {
    let store = try AlteredStore.make(in: folder, "")
    // A -shm without its -wal is a warning: recent changes may be missing.
    try folder.write([], to: "store.sqlite-shm")
    #expect(await rehome("inspect", "--fail-on", severity, store).code == code)
    let output = folder.path("out")
    #expect(await rehome("convert", "--fail-on", severity, store, "-o", output).code == code)
    #expect(FileManager.default.fileExists(atPath: output))
    let export = await rehome("export", "--fail-on", severity, store, "--to", "ndjson")
    #expect(export.code == code)
    #expect(export.error.contains("[wal-missing]"))
  }
}
