import Foundation
import TestSupport
import Testing

/// `ops show` shows what is named, and ends as the findings about it say.
struct ShownOperationTests {
  private let folder: TemporaryFolder
  private let store = Sample(name: "ios-2016").store()

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func operationsAreKnownByTheBytesOfTheirIds() async throws {
    let device = folder.path("own.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          CREATE TABLE T (id TEXT PRIMARY KEY, text TEXT, version TEXT, deleted BOOLEAN);
          \(QueueTables.dotNet)''')
          for number, id in enumerate(['op-\\u00e9', 'op-e\\u0301'], 1):
              db.execute("INSERT INTO T VALUES(?, 'x', NULL, 0)", (str(number),))
              db.execute("INSERT INTO __operations VALUES(?, 0, 0, 'T', 0, ?, NULL, NULL, ?, 1)",
                         (id, str(number), number))
      """, device)
    for (number, id) in [(1, "op-\u{E9}"), (2, "op-e\u{301}")] {
      for command in ["list", "show"] {
        let outcome = await rehome("ops", command, "--json", "--original-id", id, device)
        let shown = try #require(
          try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
        #expect(shown.map { $0["sequence"] as? Int } == [number], "\(command)")
      }
    }
  }

  @Test(arguments: ["7", "07"]) func sequencesAreNumbers(_ word: String) async {
    #expect(await rehome("ops", "show", store, word).text.hasPrefix("Operation 7: update"))
  }

  @Test(arguments: [
    ("abc", "abc names no operation"), ("1-3", "1-3 names no operation"),
    ("99", "the store has no such operation"), ("99999999999999999999", "names no operation"),
  ])
  func whatIsNoOperationIsTold(word: String, said: String) async {
    let outcome = await rehome("ops", "show", store, word)
    #expect(outcome.code == 64 && outcome.error.contains(said), "\(outcome.error)")
  }

  /// The seventh can never be sent; of the first nothing was found.
  @Test(
    arguments: [
      ("7", 2), ("1", 0), ("--json 7", 2), ("--fail-on never 7", 0), ("4 --fail-on warning", 2),
    ] as [(String, Int32)])
  func findingsOfWhatIsShownDecide(words: String, code: Int32) async {
    let outcome = await rehome(
      ["ops", "show", store] + words.split(separator: " ").map(String.init))
    #expect(outcome.code == code, "\(outcome.text)")
  }

  /// What tells of no findings takes no option about them.
  @Test(arguments: ["list", "drop", "keep"]) func otherCommandsTakeNoSeverity(
    _ command: String
  ) async {
    #expect(await rehome("ops", command, "--fail-on", "error", store).code == 64)
    let help = await rehome("ops", command, "--help").text
    #expect(!help.contains("fail-on") && help.contains("something could not be read"))
  }
}
