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

  @Test func oneUnreadableStoreDoesNotHideTheOthers() async throws {
    let fixture = try ExportFixture()
    let run = await ToolRun("hash", fixture.path("missing"), try fixture.sample("ios-2014"))
    #expect(run.code == 2)
    #expect(run.text.split(separator: "\n").count == 1)
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

  private func json(_ run: ToolRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
  }
}
