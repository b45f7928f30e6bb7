import Foundation
import Testing

@Suite struct ExportTests {
  @Test(arguments: ["csv", "json", "ndjson", "xml"])
  func pythonReadsBundlesOfAwkwardRecordsToTheirValues(_ format: String) async throws {
    let fixture = try ExportFixture()
    let store = try await fixture.awkwardStore()
    let bundle = fixture.path("bundle")
    let run = await ToolRun("export", store, "--to", format, "-o", bundle)
    #expect(run.code == 0, "\(run.error)")
    let check = try fixture.oracle("check_export.py", store, bundle)
    #expect(check.status == 0, "\(check.output)")
  }

  @Test(arguments: ["a.json", "a.xml", "a.json.gz", "a.XML.GZ"])
  func pythonReadsDocumentsOfAwkwardRecordsToTheirValues(_ name: String) async throws {
    let fixture = try ExportFixture()
    let store = try await fixture.awkwardStore()
    let format = name.contains("json") ? "json" : "xml"
    let run = await ToolRun("export", store, "--to", format, "-o", fixture.path(name))
    #expect(run.code == 0, "\(run.error)")
    let lower = fixture.path("lower-" + name.lowercased())
    try FileManager.default.moveItem(atPath: fixture.path(name), toPath: lower)
    let check = try fixture.oracle("check_export.py", store, lower)
    #expect(check.status == 0, "\(check.output)")
  }

  @Test func guardedCSVGivesEveryValueBack() async throws {
    let fixture = try ExportFixture()
    let store = try await fixture.awkwardStore()
    let bundle = fixture.path("bundle")
    let run = await ToolRun("export", store, "--to", "csv", "--csv-safe", "-o", bundle)
    #expect(run.code == 0, "\(run.error)")
    let check = try fixture.oracle("check_export.py", store, bundle)
    #expect(check.status == 0, "\(check.output)")
  }

  @Test(arguments: ["ios-2014", "ios-2015", "ios-2016"])
  func legacyStoreAndItsConversionExportTheSame(_ sample: String) async throws {
    let fixture = try ExportFixture()
    let legacy = try fixture.sample(sample)
    let store = fixture.path("c.rehome")
    _ = await ToolRun("convert", legacy, "-o", store)
    for (format, output) in [("xml", "d.xml"), ("json", "d.json"), ("csv", "b"), ("xml", "c/")] {
      _ = await ToolRun("export", legacy, "--to", format, "-o", fixture.path(output))
      let check = try fixture.oracle("check_export.py", store, fixture.path(output))
      #expect(check.status == 0, "\(check.output)")
    }
  }

  @Test func theOracleSeesAChangedValue() async throws {
    let fixture = try ExportFixture()
    let store = try await fixture.awkwardStore()
    let document = fixture.path("d.xml")
    _ = await ToolRun("export", store, "--to", "xml", "-o", document)
    let text = try String(contentsOfFile: document, encoding: .utf8)
    try text.replacing("<v>mine</v>", with: "<v>yours</v>")
      .write(toFile: document, atomically: false, encoding: .utf8)
    #expect(try fixture.oracle("check_export.py", store, document).status == 1)
  }

  @Test(arguments: ["csv", "ndjson"])
  func severalTablesOnStandardOutputAreRefusedWithAWayOut(_ format: String) async throws {
    let fixture = try ExportFixture()
    let run = await ToolRun("export", try fixture.sample("ios-2016"), "--to", format)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.error.contains("--table") && run.error.contains("-o FOLDER"))
  }

  @Test func documentGoesToStandardOutput() async throws {
    let fixture = try ExportFixture()
    let store = try fixture.sample("ios-2016")
    let run = await ToolRun("export", store, "--to", "json")
    _ = await ToolRun("export", store, "--to", "json", "-o", fixture.path("d.json"))
    #expect(run.output == Array(try Data(contentsOf: URL(filePath: fixture.path("d.json")))))
  }

  @Test func plainRowsAreThoseOfTheSample() async throws {
    let fixture = try ExportFixture()
    let store = try fixture.sample("ios-2016")
    let run = await ToolRun("export", store, "--to", "ndjson", "--table", "Visit")
    let expected = fixture.path("ios-2016/expected/tables/Visit.ndjson")
    #expect(run.output == Array(try Data(contentsOf: URL(filePath: expected))))
  }

  @Test func existingBundleIsKeptUnlessForced() async throws {
    let fixture = try ExportFixture()
    let store = try fixture.sample("ios-2014")
    let bundle = fixture.path("b")
    #expect(await ToolRun("export", store, "--to", "csv", "-o", bundle).code == 0)
    #expect(await ToolRun("export", store, "--to", "xml", "-o", bundle).code == 73)
    #expect(await ToolRun("export", store, "--to", "xml", "-o", bundle, "-f").code == 0)
    #expect(FileManager.default.fileExists(atPath: bundle + "/TodoItem.xml"))
    #expect(!FileManager.default.fileExists(atPath: bundle + "/TodoItem.csv"))
    #expect(try fixture.names == ["b", "ios-2014"])
  }

  @Test(
    arguments: [
      ["--to", "json", "--csv-safe"], ["--to", "csv", "--json", "--table", "TodoItem"],
      ["--to", "csv", "-o", "b.gz"], ["--to", "csv", "-o", "b.csv"], ["--to", "yaml"],
    ])
  func argumentsThatDoNotGoTogetherAreRefused(_ arguments: [String]) async throws {
    let fixture = try ExportFixture()
    let store = try fixture.sample("ios-2016")
    let all = ["export", store] + arguments.map { $0.hasPrefix("b.") ? fixture.path($0) : $0 }
    #expect(await ToolRun(all).code == 64)
    #expect(try fixture.names == ["ios-2016"])
  }

  @Test func xmllintReadsDocuments() async throws {
    let fixture = try ExportFixture()
    let store = try await fixture.awkwardStore()
    let document = fixture.path("d.xml")
    _ = await ToolRun("export", store, "--to", "xml", "-o", document)
    let check = try ExportFixture.run("xmllint", ["--noout", "--huge", document])
    #expect(check.status == 0, "\(check.output.prefix(300))")
  }
}
