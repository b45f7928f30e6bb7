import Foundation
import Testing

@Suite struct SchemaTests {
  /// Whether Python can validate JSON Schemas here.
  private static let hasJSONSchema =
    (try? ExportFixture.run("python3", ["-c", "import jsonschema"]))?.status == 0

  private func schema(_ name: String) -> String {
    ExportFixture.project.appending(path: "man/schemas/\(name)").path
  }

  @Test func xmlFilesAndDocumentsFollowTheirSchema() async throws {
    let fixture = try ExportFixture()
    let store = try await fixture.awkwardStore()
    let (document, bundle) = (fixture.path("d.xml"), fixture.path("b"))
    _ = await ToolRun("export", store, "--to", "xml", "-o", document)
    _ = await ToolRun("export", store, "--to", "xml", "-o", bundle)
    let members = try FileManager.default.contentsOfDirectory(atPath: bundle)
      .filter { $0.hasSuffix(".xml") }.map { bundle + "/" + $0 }
    let check = try ExportFixture.run(
      "xmllint",
      ["--noout", "--huge", "--schema", schema("rehome-export.xsd"), document] + members)
    #expect(check.status == 0, "\(check.output.prefix(500))")
  }

  /// What other programs have written into the bookkeeping is told in the words of the format.
  @Test func exportOfAnEditedStoreFollowsItsSchema() async throws {
    let fixture = try ExportFixture()
    let store = fixture.path("c.rehome")
    _ = await ToolRun("convert", "-q", try fixture.sample("ios-2016"), "-o", store)
    let edits = """
      UPDATE rehome_source_file SET sha256 = '0' WHERE name LIKE '%l';
      UPDATE rehome_source_file SET bytes = -1;
      UPDATE rehome_source SET generation = char(1);
      INSERT INTO rehome_finding (source, code, severity, message)
        VALUES (1, 'a' || char(1), 'note', 'm');
      INSERT INTO rehome_replay (sequence, at, event, detail) VALUES (1, 'x', 'y', char(1));
      INSERT INTO rehome_mark (sequence, mark, at, who, why)
        VALUES (1, 'drop', 'x', char(1), NULL), (2, 'z', 'y', NULL, 'w'), (99, 'drop', 'y', 'v', '');
      """
    try #require(try ExportFixture.run("sqlite3", [store, edits]).status == 0)
    for form in ["xml", "json"] {
      let document = fixture.path("d.\(form)")
      #expect(await ToolRun("export", "-q", store, "--to", form, "-o", document).code == 0)
      #expect(await ToolRun("hash", document).code == 0, "\(form)")
    }
    let check = try ExportFixture.run(
      "xmllint", ["--noout", "--schema", schema("rehome-export.xsd"), fixture.path("d.xml")])
    #expect(check.status == 0, "\(check.output.prefix(500))")
  }

  @Test(.enabled(if: hasJSONSchema, "Python's jsonschema is not installed"))
  func jsonDocumentsAndManifestsFollowTheirSchema() async throws {
    let fixture = try ExportFixture()
    let store = try await fixture.awkwardStore()
    let (document, bundle) = (fixture.path("d.json"), fixture.path("b"))
    _ = await ToolRun("export", store, "--to", "json", "-o", document)
    _ = await ToolRun("export", store, "--to", "csv", "-o", bundle)
    let check = try fixture.oracle(
      "check_json_schema.py", schema("rehome-export.schema.json"), document,
      bundle + "/manifest.json")
    #expect(check.status == 0, "\(check.output.prefix(500))")
  }

  @Test(.enabled(if: hasJSONSchema, "Python's jsonschema is not installed"))
  func theSchemaRefusesADocumentWithoutItsEnd() async throws {
    let fixture = try ExportFixture()
    let run = await ToolRun("export", try fixture.sample("ios-2014"), "--to", "json")
    var document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    document["hash"] = nil
    let path = fixture.path("cut.json")
    try JSONSerialization.data(withJSONObject: document).write(to: URL(filePath: path))
    let check = try fixture.oracle(
      "check_json_schema.py", schema("rehome-export.schema.json"), path)
    #expect(check.status == 1)
  }
}
