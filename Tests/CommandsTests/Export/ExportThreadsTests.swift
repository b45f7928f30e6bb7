import Foundation
import Testing

@Suite struct ExportThreadsTests {
  private static let forms = [
    ["--to", "csv", "--table", "Item"], ["--to", "ndjson", "--table", "Item"], ["--to", "json"],
    ["--to", "xml"],
  ]

  /// A store whose main table takes many batches, some of its rows very long ones.
  private func store(in fixture: ExportFixture) throws -> String {
    let path = fixture.path("many.sqlite")
    let made = try ExportFixture.run(
      "python3", ["-c", Self.script, path])
    try #require(made.status == 0, "\(made.output)")
    return path
  }

  private static let script = """
    import random, sqlite3, sys
    r = random.Random(7)
    db = sqlite3.connect(sys.argv[1])
    db.execute('CREATE TABLE Item(id INTEGER PRIMARY KEY, t TEXT, n INTEGER, x REAL, b BLOB)')
    for key in sorted(r.sample(range(-2**40, 2**40), 9000)):
        size = r.choice([0, 3, 20, 20, 20, 9000 if key % 50 == 0 else 70])
        text = ''.join(r.choice('abc ,"<&>\\n\\u00e4\\U0001f600') for _ in range(size))
        db.execute('INSERT INTO Item VALUES (?,?,?,?,?)', (
            key, r.choice([text, text, None]), r.choice([key, None, 'no']),
            r.choice([r.random() * 10 ** r.randint(-9, 20), 7, None]), r.randbytes(size % 40)))
    db.execute('CREATE TABLE Empty(id INTEGER PRIMARY KEY, t TEXT)')
    db.commit()
    """

  @Test(arguments: forms)
  func theBytesAreTheSameForAnyNumberOfThreads(_ form: [String]) async throws {
    let fixture = try ExportFixture()
    let store = try store(in: fixture)
    let alone = await ToolRun(["export", store, "-j", "1", "--report", fixture.path("1")] + form)
    #expect(alone.output.count > 500_000)
    for threads in ["2", "3", "8"] {
      let report = fixture.path(threads)
      let run = await ToolRun(["export", store, "-j", threads, "--report", report] + form)
      #expect(run.output == alone.output)
      #expect(run.code == alone.code)
      #expect(
        try String(contentsOfFile: report, encoding: .utf8)
          == String(contentsOfFile: fixture.path("1"), encoding: .utf8))
    }
  }

  @Test(arguments: ["0", "65", "two", "-1", ""])
  func aNumberOfThreadsThatIsNoneIsRefused(_ threads: String) async throws {
    let fixture = try ExportFixture()
    let store = try fixture.sample("ios-2016")
    let run = await ToolRun("export", store, "--to", "json", "--jobs=\(threads)")
    #expect(run.code == 64, "\(run.error)")
    #expect(run.output.isEmpty)
  }
}
