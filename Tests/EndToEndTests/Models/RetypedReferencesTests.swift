import TestSupport
import Testing

/// A reference of which a person says that it is something else keeps the books in order.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct RetypedReferencesTests {
  @Test(arguments: [
    ("text", 2), ("real", 0), ("boolean", 2), ("timestamp", 0), ("binary", 2), ("decimal", 0),
    ("integer", 0),
  ])
  func eachTypeHoldsOnlyItsValues(_ type: String, _ code: Int32) async throws {
    let folder = try TemporaryFolder()
    let store = try ObjectStore.make(
      "one.sqlite", in: folder, of: [("A", nil), ("B", nil)],
      """
      CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB INTEGER);
      INSERT INTO ZA VALUES (1, 1, 1, 5), (2, 1, 1, NULL);
      CREATE TABLE ZB (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA INTEGER);
      INSERT INTO ZB VALUES (5, 2, 1, 1), (6, 2, 1, 2);
      """)
    let model = try ObjectStore.writeModel(
      [("A", "b", "B"), ("B", "a", "A")].map { entity, name, other in
        """
        <entity name="\(entity)"><relationship name="\(name)" optional="YES" maxCount="1"
          destinationEntity="\(other)" inverseName="\(entity.lowercased())"
          inverseEntity="\(other)"/></entity>
        """
      }.joined(), in: folder)
    let options = ["--model", model, "--type", "A.b=\(type)", "--fail-on", "never"]
    let (made, json) = (folder.path("o.rehome"), folder.path("o.json"))
    #expect(await rehome(["convert", "-q", store, "-o", made] + options).code == code)
    #expect(try Devices.query(made, "PRAGMA integrity_check") == "ok\n")
    #expect(
      await rehome(["export", "-q", store, "--to", "json", "-o", json] + options).code == code)
    let column = try Devices.query(
      made, "SELECT type, role, target FROM rehome_column WHERE \"table\" = 'A'")
    #expect(column == "\(type)|value|None\n")
    let hashes = [
      await rehome("hash", "-q", made).text, await rehome("hash", "-q", json).text,
      await rehome(["hash", "-q", store, "--model", model, "--type", "A.b=\(type)"]).text,
    ].map { $0.split(separator: " ").first }
    #expect(hashes[0] != nil && hashes.allSatisfy { $0 == hashes[0] }, "\(hashes)")
  }
}
