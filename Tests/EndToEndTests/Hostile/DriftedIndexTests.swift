import Foundation
import TestSupport
import Testing

/// A table without row ids is read itself, and not an index that says something else.
struct DriftedIndexTests {
  /// A table of pairs, and an index with all of its columns that was not there when it was changed.
  private func store(_ change: String, _ folder: borrowing TemporaryFolder) throws -> String {
    let path = folder.path("pairs.db")
    _ = try python(
      """
      import sqlite3, sys
      def changed(*statements):
          base = sqlite3.connect(sys.argv[1], isolation_level=None)
          for statement in statements: base.execute(statement)
          return base
      base = changed(
          "CREATE TABLE pair (item INTEGER, tag TEXT, note AS (tag || '!'), UNIQUE(tag, item), "
              "PRIMARY KEY (item DESC, tag)) WITHOUT ROWID",
          "WITH RECURSIVE s(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM s LIMIT 100) "
              "INSERT INTO pair SELECT v, 't' || v FROM s",
          "CREATE INDEX byItem ON pair (item)")
      name, root = base.execute(
          "SELECT name, rootpage FROM sqlite_schema WHERE name = 'byItem'").fetchone()
      changed("PRAGMA writable_schema = on", "DELETE FROM sqlite_schema WHERE name = 'byItem'")
      changed(sys.argv[2])
      changed("PRAGMA writable_schema = on",
          f"INSERT INTO sqlite_schema VALUES ('index', 'byItem', 'pair', {root}, "
              "'CREATE INDEX byItem ON pair (item)')")
      """, path, change)
    return path
  }

  @Test(arguments: [
    ("INSERT INTO pair VALUES (1000, 'x'), (1001, 'y')", 102),
    ("DELETE FROM pair WHERE item % 10 = 0", 90),
    ("UPDATE pair SET tag = 'new' WHERE item = 5", 100),
  ])
  func tableItselfIsRead(change: String, rows: Int) async throws {
    let folder = try TemporaryFolder()
    let (drifted, whole) = (try store(change, folder), folder.path("whole.db"))
    try FileManager.default.copyItem(atPath: drifted, toPath: whole)
    let expected = try python(
      """
      import sqlite3, sys
      base = sqlite3.connect(sys.argv[1], isolation_level=None)
      base.execute("REINDEX")
      print("_pk,item,tag,note")
      for number, row in enumerate(base.execute("SELECT * FROM pair ORDER BY item DESC, tag"), 1):
          print(number, *row, sep=",")
      """, whole)
    #expect(expected.split(separator: "\n").count == rows + 1)
    let export = await rehome("export", drifted, "--to", "csv", "--table", "pair")
    #expect(
      export.code == 0 && export.text.replacing("\r\n", with: "\n") == expected,
      "\(export.error)")
    let hashes = [await rehome("hash", drifted).text, await rehome("hash", whole).text]
      .map { $0.split(separator: " ").first }
    #expect(hashes[0] != nil && hashes[0] == hashes[1])
    let converted = folder.path("pairs.rehome")
    #expect(await rehome("convert", "-q", drifted, "-o", converted).code == 0)
    #expect(await rehome("verify", whole, converted).code == 0)
  }
}
