import Foundation
import Testing

@Suite struct HashTests {
  @Test(arguments: ["ios-2014", "ios-2015", "ios-2016"])
  func pythonComputesTheSameHash(_ sample: String) async throws {
    let fixture = try ExportFixture()
    let legacy = try fixture.sample(sample)
    let store = fixture.path("c.rehome")
    _ = await ToolRun("convert", legacy, "-o", store)
    let run = await ToolRun("hash", legacy, store)
    let lines = run.text.split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0].prefix(64) == lines[1].prefix(64))
    #expect(lines[1].hasSuffix("  " + store))
    #expect(try fixture.oracle("content_hash.py", store).output == lines[1] + "\n")
  }

  @Test func pythonComputesTheSameHashOfAwkwardRecords() async throws {
    let fixture = try ExportFixture()
    let store = try await fixture.awkwardStore()
    let run = await ToolRun("hash", store)
    #expect(try fixture.oracle("content_hash.py", store).output == run.text)
  }

  @Test func valuesThatCannotBeTakenAreTold() async throws {
    let fixture = try ExportFixture()
    let store = fixture.path("s.db")
    let rows = "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), ('x')"
    try #require(try ExportFixture.run("sqlite3", [store, rows]).status == 0)
    let run = await ToolRun("hash", store)
    #expect(run.code == 2)
    #expect(run.error.contains("1 value could not be taken over and counts as NULL"))
    _ = await ToolRun("convert", "-q", store, "-o", fixture.path("c"))
    let converted = await ToolRun("hash", fixture.path("c"))
    #expect(converted.code == 0 && converted.text.prefix(64) == run.text.prefix(64))
  }

  /// As `sha256sum` does it, so that a line is always one store.
  @Test(arguments: [(#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("a\rb", #"a\rb"#)])
  func namesOfStrangeLettersAreEscaped(_ name: String, _ escaped: String) async throws {
    let fixture = try ExportFixture()
    let file = fixture.path(name + ".csv")
    try "id,n\n1,2\n".write(toFile: file, atomically: true, encoding: .utf8)
    let run = await ToolRun("hash", file)
    #expect(
      run.text.hasPrefix(#"\"#) && run.text.hasSuffix("/" + escaped + ".csv\n"), "\(run.text)")
  }

  @Test func oneUnreadableStoreDoesNotHideTheOthers() async throws {
    let fixture = try ExportFixture()
    let run = await ToolRun("hash", fixture.path("missing"), try fixture.sample("ios-2014"))
    #expect(run.code == 2)
    #expect(run.text.split(separator: "\n").count == 1)
  }

  /// The same hash says nothing of rows that neither reading has.
  @Test func lostRowsAreTold() async throws {
    let fixture = try ExportFixture()
    let store = try fixture.damagedStore("s.db")
    let run = await ToolRun("hash", "--salvage", store)
    #expect(run.code == 2 && run.text.split(separator: "\n").count == 1, "\(run.error)")
    #expect(run.error.contains("[store-damaged]") && run.error.contains("[table-salvaged]"))
    #expect(!run.error.contains(store))
    let whole = try fixture.sample("ios-2014")
    let report = await ToolRun("hash", "--salvage", "--json", store, whole)
    #expect(report.code == 2 && report.error.contains("error: \(store): "), "\(report.error)")
    let stores = try report.object()["stores"] as? [[String: Any]] ?? []
    let codes = stores.map { store in
      (store["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }
    #expect(codes == [["store-damaged", "table-salvaged"], []])
    #expect(!report.error.contains("[names-from-fallback]"))
    let quiet = await ToolRun("hash", "--salvage", "-q", store)
    #expect(quiet.code == 2 && quiet.error.isEmpty && quiet.text == run.text)
  }

  @Test func missingChangesAreTold() async throws {
    let fixture = try ExportFixture()
    let store = fixture.path("s.json")
    try Data(#"{"value":[{"id":"a"}],"@odata.nextLink":"u"}"#.utf8).write(to: URL(filePath: store))
    let run = await ToolRun("hash", store)
    #expect(run.code == 0 && run.error.contains("[more-pages]"), "\(run.error)")
    #expect(await ToolRun("hash", "--fail-on", "warning", store).code == 2)
    #expect(await ToolRun("hash", "--fail-on", "never", store).code == 0)
    let twice = await ToolRun("verify", "--fail-on", "warning", store, store)
    #expect(twice.code == 2 && twice.text.hasPrefix("equal"))
  }

  /// What two devices have in common is told once, with both.
  @Test func findingsOfDevicesAreToldWithThese() async throws {
    let fixture = try ExportFixture()
    let first = try fixture.sample("ios-2015")
    let second = fixture.path("second.sqlite")
    try FileManager.default.copyItem(atPath: first, toPath: second)
    try FileManager.default.removeItem(atPath: first + "-wal")
    for store in [first, second] {
      _ = FileManager.default.createFile(atPath: store + "-shm", contents: Data(count: 32768))
    }
    let merged = fixture.path("merged.rehome")
    _ = await ToolRun("convert", first, second, "-o", merged)
    for command in [
      ["hash", merged], ["export", merged, "--to", "json", "-o", fixture.path("j")],
    ] {
      let run = await ToolRun(command)
      let lines = run.error.split(separator: "\n").filter { $0.contains("[wal-missing]") }
      #expect(lines.count == 1 && lines[0].contains("and 1 other: "), "\(run.error)")
    }
  }

  /// What waits is a part of what is hashed, and no doubt about it.
  @Test func findingsAboutOperationsAreNotTold() async throws {
    let fixture = try ExportFixture()
    let store = try fixture.sample("powersync-2025", "todos.sqlite")
    let run = await ToolRun("hash", store)
    #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
  }
}

@Suite struct VerifyTests {
  @Test func conversionIsEqualToItsSource() async throws {
    let fixture = try ExportFixture()
    let legacy = try fixture.sample("ios-2016")
    _ = await ToolRun("convert", legacy, "-o", fixture.path("c"))
    let run = await ToolRun("verify", legacy, fixture.path("c"), "--json")
    #expect(run.code == 0)
    #expect(try json(run)["equal"] as? Bool == true)
  }

  @Test(
    arguments: [
      ("UPDATE TodoItem SET text = 'x' WHERE _pk = 2", "row 2, text: \"mine\" is not \"x\""),
      ("UPDATE TodoItem SET text = '' WHERE _pk = 8", "row 8, text: NULL is not \"\""),
      ("DELETE FROM Visit WHERE _pk = 1", "row 1: only in the first"),
      ("INSERT INTO Visit (_pk) VALUES (-5)", "row -5: only in the second"),
      ("UPDATE rehome_operation SET state = 'dropped' WHERE sequence = 3", "row 3, state"),
      ("UPDATE rehome_column SET type = 'uri' WHERE name = 'note'", "note (uri): only in"),
      ("DELETE FROM rehome_table WHERE name = 'Visit'", "Visit: only in the first"),
    ])
  func oneChangeIsShown(_ sql: String, _ shown: String) async throws {
    let fixture = try ExportFixture()
    let (left, right) = (fixture.path("left"), fixture.path("right"))
    _ = await ToolRun("convert", try fixture.sample("ios-2016"), "-o", left)
    try FileManager.default.copyItem(atPath: left, toPath: right)
    try #require(try ExportFixture.run("sqlite3", [right, sql]).status == 0)
    let run = await ToolRun("verify", left, right)
    #expect(run.code == 5)
    #expect(run.text.contains(shown), "\(run.text)")
    let report = try json(await ToolRun("verify", left, right, "--json"))
    #expect(report["equal"] as? Bool == false)
  }

  @Test func limitBoundsWhatIsShown() async throws {
    let fixture = try ExportFixture()
    let (left, right) = (fixture.path("left"), fixture.path("right"))
    _ = await ToolRun("convert", try fixture.sample("ios-2016"), "-o", left)
    try FileManager.default.copyItem(atPath: left, toPath: right)
    _ = try ExportFixture.run("sqlite3", [right, "UPDATE TodoItem SET text = _pk || 'x'"])
    let run = await ToolRun("verify", left, right, "--limit", "2")
    #expect(run.text.split(separator: "\n").count { $0.contains("  row ") } == 2)
  }

  /// Two readings of one damaged store are the same, and neither is the store.
  @Test(arguments: [[], ["--by-id"]])
  func lostRowsAreTold(_ options: [String]) async throws {
    let fixture = try ExportFixture()
    let stores = [try fixture.damagedStore("a.db"), try fixture.damagedStore("b.db")]
    let run = await ToolRun(["verify", "--salvage"] + stores + options)
    #expect(run.code == 2 && run.text.hasPrefix("equal: 1 table"), "\(run.text)\(run.error)")
    for store in stores {
      #expect(run.error.contains("error: \(store): t: a part of t is lost"), "\(run.error)")
    }
    let report = await ToolRun(["verify", "--salvage", "--json", "-q"] + stores + options)
    #expect(report.code == 2 && report.error.isEmpty)
    #expect(
      try findings(report) == [
        "left store-damaged", "left table-salvaged", "right store-damaged", "right table-salvaged",
      ])
  }

  /// What a service has kept for another page, or failed to send, is not compared.
  @Test(arguments: [
    (#""@odata.nextLink":"u""#, "more-pages"), (#""@odata.count":500"#, "count-differs"),
    (#""error":{"code":"TimedOut"}"#, "failure-beside-rows"),
  ])
  func partOfAnAnswerIsTold(_ sign: String, _ code: String) async throws {
    let fixture = try ExportFixture()
    let (device, server) = (fixture.path("dev.json"), fixture.path("srv.json"))
    try Data(#"[{"id":"a","t":"x"}]"#.utf8).write(to: URL(filePath: device))
    try Data(#"{"value":[{"id":"a","t":"x"}],\#(sign)}"#.utf8).write(to: URL(filePath: server))
    for options in [[], ["--by-id"]] {
      let arguments = ["verify", device, server, "--rename", "srv=dev"] + options
      let run = await ToolRun(arguments)
      #expect(run.code == 0 && run.text.hasPrefix("equal"), "\(run.text)")
      #expect(run.error.hasPrefix("warning: \(server): ") && run.error.contains("[\(code)]"))
      #expect(try findings(await ToolRun(arguments + ["--json"])) == ["right \(code)"])
    }
    try Data(#"[{"id":"b","t":"x"}]"#.utf8).write(to: URL(filePath: device))
    let other = await ToolRun("verify", "--by-id", device, server, "--rename", "srv=dev")
    #expect(other.code == 5 && other.error.contains("[\(code)]"))
  }

  private func findings(_ run: ToolRun) throws -> [String] {
    let findings = try json(run)["findings"] as? [[String: Any]] ?? []
    return findings.map { "\($0["side"] ?? "") \($0["code"] ?? "")" }
  }

  private func json(_ run: ToolRun) throws -> [String: Any] { try run.object() }
}
