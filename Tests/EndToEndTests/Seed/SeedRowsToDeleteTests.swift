import TestSupport
import Testing

/// An app's store may have rows of items that one device is about to delete, as another one has them.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedRowsToDeleteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func device(_ name: String, _ statements: String) throws -> String {
    let path = folder.path(name)
    try Devices.execute(
      path,
      "CREATE TABLE TodoItem(id TEXT PRIMARY KEY, text TEXT, version TEXT); \(QueueTables.dotNet)"
        + statements)
    return path
  }

  @Test(arguments: ["toolkit", "core-data"]) func rowsAreCounted(_ form: String) async throws {
    let deletes = ["x", "z", "again"].enumerated().map { number, id in
      "INSERT INTO __operations VALUES('\(id)', 2, 0, 'TodoItem', 0, '\(id)', "
        + "'{\"id\":\"\(id)\",\"version\":\"AAAAAAAAB9E=\"}', NULL, \(number + 1), 1);"
    }
    let deleting = try device("a.db", deletes.joined())
    let keeping = try device(
      "b.db",
      "INSERT INTO TodoItem VALUES('x', 'b', 'AAAAAAAAB9E='), ('y', 'b', NULL), "
        + "('again', 'b', 'AAAAAAAAB9E='); INSERT INTO __operations "
        + "VALUES('o', 1, 0, 'TodoItem', 0, 'again', NULL, NULL, 1, 1);")
    let merged = folder.path("merged.rehome")
    _ = await rehome("convert", "-q", deleting, keeping, "-o", merged)
    let attributes = ["id", "text", "version"].map { "A('\($0)', 'string')" }
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "system_entities() + [Entity('TodoItem', (\(attributes.joined(separator: ", "))))]")
    let options = form == "toolkit" ? [] : ["--template", template]
    for (store, isTold) in [(merged, true), (keeping, false)] {
      let outcome = await rehome(
        ["seed", "-f", store, "--into", form, "-o", folder.path("app.db")] + options)
      let words =
        "rows of TodoItem that are there as all others although a change that waits deletes them: 1"
      #expect(outcome.error.contains(words) == isTold, "\(outcome.error)")
    }
  }
}
