import Foundation
import TestSupport
import Testing

/// A column without values has no type yet, and takes that of another store, also behind an export.
struct UndecidedColumnTests {
  private let folder: TemporaryFolder
  private let empty: String
  private let full: String

  init() throws {
    folder = try TemporaryFolder()
    (empty, full) = (folder.path("empty.db"), folder.path("full.db"))
    for (store, value) in [(empty, "NULL"), (full, "5")] {
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as db:
            db.execute('CREATE TABLE item (id TEXT PRIMARY KEY, n, more TEXT)')
            db.execute(f"INSERT INTO item VALUES ('{sys.argv[2]}', {sys.argv[2]}, 'a')")
        """, store, value)
    }
  }

  private func undecided(in store: String) throws -> String {
    try Devices.query(store, "SELECT key, value FROM rehome_meta WHERE key LIKE 'undecided %'")
  }

  @Test(arguments: ["csv", "ndjson", "json", "xml", "one.json", "one.xml"])
  func exportsTellOfIt(_ form: String) async throws {
    let (export, seeded) = (folder.path(form), folder.path("seeded.rehome"))
    let format = form.replacing("one.", with: "")
    _ = await rehome("export", "-q", empty, "--to", format, "-o", export)
    for command in ["seed", "convert"] {
      #expect(await rehome(command, "-qf", export, "-o", seeded).code == 0)
      #expect(try undecided(in: seeded).contains("undecided item|[\"n\"]"))
    }
    let (direct, united) = (folder.path("direct.rehome"), folder.path("united.rehome"))
    _ = await rehome("convert", "-q", empty, full, "-o", direct)
    for input in [export, seeded] {
      _ = await rehome("convert", "-qf", input, full, "-o", united)
      let types = try Devices.query(united, "SELECT name, type FROM rehome_column")
      #expect(types.contains("n|integer"), "\(types)")
      let verdict = await rehome("verify", direct, united)
      #expect(verdict.code == 0, "\(verdict.text)")
    }
  }

  /// A person, or a replay, may have given it values.
  @Test func valuesDecide() async throws {
    let (store, export) = (folder.path("made.rehome"), folder.path("made.json"))
    _ = await rehome("convert", "-q", empty, "-o", store)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE item SET n = 'x'")
      """, store)
    _ = await rehome("export", "-q", store, "--to", "json", "-o", export)
    #expect(!(try String(contentsOfFile: export, encoding: .utf8)).contains("undecided"))
  }
}
