import Foundation
import TestSupport
import Testing

/// Stores with the same bytes, of which their places tell different things.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SameBytesTests {
  private let folder: TemporaryFolder
  private let report: String

  init() throws {
    folder = try TemporaryFolder()
    report = folder.path("report.ndjson")
    try folder.makePlaces(
      """
      store, log = whole(3), {'q.db-wal': sized(5000)}
      backup('good', [('q.db', store)])
      backup('lost', [('q.db', store), ('q.db-wal', None)], udid='b' * 40, archives=log)
      backup('later', [('q.db', whole(4))])
      for name, date in [('good', 2020), ('later', 2022)]:
          with open(name + '/Info.plist', 'rb') as file: facts = plistlib.load(file)
          facts['Last Backup Date'] = __import__('datetime').datetime(date, 1, 1)
          with open(name + '/Info.plist', 'wb') as file: plistlib.dump(facts, file)
      os.makedirs('bare'), os.makedirs('shared')
      for name in ['bare', 'shared']:
          with open(name + '/q.db', 'wb') as file: file.write(store)
      with open('shared/q.db-shm', 'wb') as file: file.write(bytes(32768))
      """)
  }

  /// What a run found in the stores: their names, findings and worst severities.
  private func found(_ lines: [[String: Any]]) -> [String] {
    lines.map { "\($0["store"] ?? "") \($0["findings"] ?? "") \($0["worst"] ?? "")" }
  }

  private func reported() throws -> [[String: Any]] {
    try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// A run that goes on ends as one over all places would, and its report tells what that would.
  @Test(arguments: [
    ["good", "lost"], ["lost", "good"], ["good", "later"], ["bare", "shared"], ["shared", "bare"],
    ["good", "bare", "lost", "shared"],
  ])
  func resumedRunTellsWhatTheirPlacesTell(_ names: [String]) async throws {
    let places = names.map(folder.path)
    let fresh = await rehome(["find", "--json", "--fail-on", "warning"] + places)
    let resume = ["find", "--json", "--fail-on", "warning", "--report", report, "--resume"]
    _ = await rehome(resume + places.prefix(1))
    let resumed = await rehome(resume + places)
    #expect(resumed.code == fresh.code, "\(resumed.error)")
    let expected = found(try fresh.jsonLines())
    // The last line of a store is what counts.
    var last: [String: String] = [:]
    for line in try reported() { last[line["store"] as? String ?? ""] = found([line])[0] }
    #expect(last.values.sorted() == expected.sorted())
    // All of them are known now.
    let again = await rehome(resume + places)
    #expect(again.code == fresh.code && again.text.isEmpty, "\(again.text)")
    #expect(again.error.contains("\(names.count) stores stand in the report"), "\(again.error)")
  }

  /// What waits in a copy waits once more, so that an audit of both must say that it is one.
  @Test func auditTellsOfCopies() async throws {
    for name in ["a", "b"] {
      try folder.makeFolder(name)
      try FileManager.default.copyItem(
        atPath: Sample(name: "ios-2016").store(), toPath: folder.path("\(name)/q.sqlite"))
    }
    let places = ["a", "b", "bare"].map(folder.path)
    let page = folder.path("audit.html")
    let told = await rehome(["audit", "-v", "--html", page] + places)
    #expect(told.error.contains("1 store has the bytes of another one and is counted, too"))
    let words = "same bytes as \(folder.path("a/q.sqlite"))"
    #expect(told.text.components(separatedBy: words).count == 2, "\(told.text)")
    #expect(folder.text("audit.html")?.contains("1 store has the bytes of another one") == true)
    let report = try await rehome(["audit", "--json"] + places).json()
    let stores = try #require(report["stores"] as? [[String: Any]])
    #expect(
      stores.map { $0["sameAs"] as? String } == [nil, folder.path("a/q.sqlite"), nil])
    let once = await rehome(["audit", "--once"] + places)
    #expect(once.error.contains("and was left out") && !once.error.contains("counted, too"))
  }

  /// A backup that was made again under its name is not told of as before.
  @Test func errorThatIsGoneIsGone() async throws {
    let lost = folder.path("lost")
    let resume = ["find", "--report", report, "--resume", lost]
    #expect(await rehome(resume).code == 2)
    try FileManager.default.removeItem(atPath: lost)
    try FileManager.default.copyItem(atPath: folder.path("good"), toPath: lost)
    #expect(await rehome(resume).code == 0)
    #expect(await rehome(resume).code == 0)
    #expect(try reported().count == 2)
  }

  /// Lines that earlier versions have written do not tell what the place does.
  @Test(arguments: [("bare", true), ("lost", false)])
  func lineWithoutWordsOfThePlaceHoldsWhereNothingWasFound(
    _ name: String, isKnown: Bool
  ) async throws {
    _ = await rehome("find", "--report", report, folder.path(name))
    #expect(try reported()[0]["ofPlace"] != nil)
    let line = try String(contentsOfFile: report, encoding: .utf8)
    try line.replacing(#/,\s*"ofPlace":\s*\{[^}]*\}/#, with: "")
      .write(toFile: report, atomically: true, encoding: .utf8)
    #expect(try reported()[0]["ofPlace"] == nil)
    let again = await rehome("find", "--report", report, "--resume", folder.path(name))
    #expect(again.error.contains("1 store stands in the report") == isKnown, "\(again.error)")
  }

  /// One of two copies is taken, and what only the other one has lost is told.
  @Test(arguments: [["good", "lost"], ["lost", "good"]])
  func twinThatLacksItsLogIsTold(_ names: [String]) async throws {
    let places = names.map(folder.path)
    for command in [["find"], ["inspect"], ["convert", "-f", "-o", folder.path("all.rehome")]] {
      let outcome = await rehome(command + ["--once", "--json"] + places)
      #expect(outcome.code == 2, "\(command): \(outcome.error)")
      #expect(outcome.error.contains("1 store has the bytes of another one and was left out"))
      let told = outcome.text + outcome.error
      #expect(told.contains("wal-missing"), "\(command): \(told)")
      #expect(told.contains("was left out as it has the same bytes as") == (names[0] == "good"))
      guard command[0] == "convert" else { continue }
      #expect((try outcome.json()["sources"] as? [Any])?.count == 1)
    }
    // What is only worth knowing makes no difference.
    let twins = await rehome("find", "--once", folder.path("bare"), folder.path("good"))
    #expect(twins.error.contains("1 store has the bytes of another one"), "\(twins.error)")
  }

  /// A line stands for a copy only as long as that is there.
  @Test func copiesThatAreWantedAreMade() async throws {
    let copies = try folder.makeFolder("copies")
    let places = [folder.path("good"), folder.path("bare")]
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: copies)
    }
    #expect(await rehome(["find", "--report", report] + places).code == 0)
    let resume = ["find", "--json", "--copy-to", copies, "--report", report, "--resume"] + places
    let first = await rehome(resume)
    #expect(try first.jsonLines().count == 1)
    #expect(try names().count == 1)
    // What is there is not made again.
    #expect(await rehome(resume).text.isEmpty)
    #expect(try names().count == 1)
    try FileManager.default.removeItem(atPath: copies + "/" + names()[0])
    let again = await rehome(resume)
    let path = try #require(try again.jsonLines().first?["path"] as? String)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try reported().last?["path"] as? String == path)
    #expect(await rehome(resume).text.isEmpty)
  }
}
