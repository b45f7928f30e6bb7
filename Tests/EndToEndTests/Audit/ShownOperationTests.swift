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
    ("99", "the store has no operation 99; it has 1 to 8"),
    ("--original-id=x", "the store has no operation with the id x"),
    ("99999999999999999999", "names no operation"),
  ])
  func whatIsNoOperationIsTold(word: String, said: String) async {
    let outcome = await rehome("ops", "show", store, word)
    #expect(outcome.code == 64 && outcome.error.contains(said), "\(outcome.error)")
  }

  /// The seventh can never be sent, and of the first nothing was found.
  @Test(
    arguments: [
      ("show 7", 0), ("show --json 7", 0), ("show 7 --fail-on never", 0),
      ("show 7 --fail-on error", 2), ("show --json 7 --fail-on error", 2),
      ("show 1 --fail-on error", 0), ("show 4 --fail-on warning", 2), ("list", 0),
      ("list --json", 0), ("list --fail-on error", 2), ("list --json --fail-on error", 2),
      ("list --fail-on never", 0), ("list --item nothing --fail-on warning", 0),
    ] as [(String, Int32)])
  func findingsOfWhatIsToldDecideWhereAsked(words: String, code: Int32) async {
    let words = words.split(separator: " ").map(String.init)
    let outcome = await rehome(["ops", words[0], store] + words.dropFirst())
    #expect(outcome.code == code, "\(outcome.text) \(outcome.error)")
  }
}
