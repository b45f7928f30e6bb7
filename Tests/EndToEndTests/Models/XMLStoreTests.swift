import Foundation
import TestSupport
import Testing

/// Core Data XML stores through the commands.
struct XMLStoreTests {
  private static let document = """
    <?xml version="1.0" standalone="no"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
    <database><databaseInfo><version>134481920</version><UUID>ABC</UUID><metadata>
    <plist version="1.0"><dict><key>NSPersistenceFrameworkVersion</key><integer>977</integer>
    <key>NSStoreModelVersionHashes</key><dict><key>Unit</key><data>AAAA</data></dict></dict></plist>
    </metadata></databaseInfo>
    <object type="UNIT" id="z103"><attribute name="value" type="int32">many</attribute></object>
    <object type="UNIT" id="z102"><attribute name="value" type="int32">7</attribute>
    <relationship name="next" type="0/1" destination="UNIT" idrefs="z99"/></object></database>
    """

  @Test func inspectTellsWhatTheStoreIs() async throws {
    let folder = try TemporaryFolder()
    let store = try folder.write(Self.document, to: "units.anything")
    let outcome = await rehome("inspect", "--json", store)
    let stores = try #require(try outcome.json()["stores"] as? [[String: Any]])
    let seen = try #require(stores.first)
    #expect(outcome.code == 0)
    #expect(seen["layout"] as? String == "core-data-xml" && seen["generation"] is NSNull)
    #expect(
      differences([["name": "Unit", "rows": 2] as [String: Any]], seen["tables"]) == [])
    let metadata = seen["metadata"] as? [String: String]
    #expect(metadata?["storeIdentifier"] == "ABC" && metadata?["frameworkVersion"] == "977")
    let codes = (seen["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    #expect(codes == ["names-from-fallback", "dangling-reference"])
  }

  @Test(.enabled(if: Program.python.isInstalled, "python3 is not installed"))
  func convertKeepsRowsAndRejects() async throws {
    let folder = try TemporaryFolder()
    let store = try folder.write(Self.document, to: "units.xml")
    let before = try Fingerprint(of: store)
    let outcome = await rehome("convert", store, "-o", folder.path("out"))
    #expect(outcome.code == 2, "\(outcome.error)")
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      print(db.execute("SELECT * FROM Unit ORDER BY _pk").fetchall())
      print(db.execute("SELECT count(*) FROM rehome_reject").fetchall())
      print(db.execute("SELECT code FROM rehome_finding ORDER BY 1").fetchall())
      """
    #expect(
      try python(script, folder.path("out")) == """
        [(102, 7, 99), (103, None, None)]
        [(1,)]
        [('dangling-reference',), ('names-from-fallback',), ('value-of-wrong-type',)]

        """)
    #expect(try Fingerprint(of: store) == before)
  }

  /// Of several relationships of an object, each is rejected as it stands itself.
  @Test(.enabled(if: Program.python.isInstalled, "python3 is not installed"))
  func severalTargetsWhereThereMayBeOneAreRejectedAsTheyStand() async throws {
    let folder = try TemporaryFolder()
    let store = try folder.write(
      """
      <database><databaseInfo><version>1</version></databaseInfo><object type="UNIT" id="z1">
      <relationship name="rest" type="0/0" destination="UNIT" idrefs="z2"/>
      <relationship name="next" type="0/1" destination="UNIT" idrefs="z2 z1  nobody"/>
      <relationship name="last" type="0/1" destination="UNIT" idrefs="z1 z2"/></object>
      <object type="UNIT" id="z2"/></database>
      """, to: "units.xml")
    let model = try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Unit">
      <relationship name="next" optional="YES" maxCount="1" destinationEntity="Unit"/>
      <relationship name="last" optional="YES" maxCount="1" destinationEntity="Unit"/>
      <relationship name="rest" optional="YES" toMany="YES" destinationEntity="Unit"/>
      </entity></model>
      """, to: "contents")
    let out = folder.path("out")
    #expect(await rehome("convert", "-q", store, "--model", model, "-o", out).code == 2)
    let rejects = try python(
      """
      import sqlite3, sys
      print(*sqlite3.connect(sys.argv[1]).execute(
          'SELECT "row", "column", raw FROM rehome_reject ORDER BY 2'))
      """, out)
    #expect(rejects == "(1, 'last', 'z1 z2') (1, 'next', 'z2 z1 nobody')\n")
  }

  @Test func storeThatIsCutShortIsDamaged() async throws {
    let folder = try TemporaryFolder()
    let store = try folder.write(String(Self.document.dropLast(40)), to: "units.xml")
    let outcome = await rehome("inspect", store)
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("units.xml"))
  }

  @Test func correctionsAreAUsageError() async throws {
    let folder = try TemporaryFolder()
    let store = try folder.write(Self.document, to: "units.xml")
    let outcome = await rehome("inspect", store, "--rename", "Unit=Other")
    #expect(outcome.code == 64)
  }
}
