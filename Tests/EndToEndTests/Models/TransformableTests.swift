import TestSupport
import Testing

/// What is no archive has nothing to decode.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct TransformableTests {
  @Test(arguments: ["1.5", "-1", "5", "1099511627776", "'text'"])
  func valueThatIsNoBytesIsRejectedAlone(_ value: String) async throws {
    let folder = try TemporaryFolder()
    let store = try ObjectStore.make(
      "t.sqlite", in: folder, of: [("A", nil)],
      """
      CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZT BLOB);
      INSERT INTO ZA VALUES (1, 1, 1, \(value)), (2, 1, 1, x'00');
      """)
    let model = try ObjectStore.writeModel(
      #"<entity name="A"><attribute name="t" attributeType="Transformable"/></entity>"#, in: folder)
    let options = ["--model", model, "--decode-transformables"]
    #expect(await rehome(["hash", "-q", store] + options).code == 2)
    let export = await rehome(
      ["export", "-q", store, "--to", "ndjson", "--table", "A"] + options)
    #expect(export.code == 2, "\(export.error)")
    #expect(
      export.text == """
        {"_pk":1,"t":null,"t_decoded":null}
        {"_pk":2,"t":"AA==","t_decoded":null}

        """)
  }
}
