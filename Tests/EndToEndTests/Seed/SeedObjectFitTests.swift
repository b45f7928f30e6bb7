import TestSupport
import Testing

/// What the app's model does not know, or leads elsewhere, is told and never takes the place of others.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedObjectFitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.sqlite") }

  private func seed(
    _ inputs: [String], _ template: String, _ options: [String] = []
  ) async -> Outcome {
    await rehome(
      ["seed"] + inputs + ["--into", "core-data", "--template", template, "-fo", output] + options)
  }

  private func template(_ entities: String) throws -> String {
    try ObjectStore.describe("empty.sqlite", in: folder, of: "[\(entities)]")
  }

  private func rows(_ query: String) throws -> String { try Devices.query(output, query) }

  /// Whether the app knows the table or not, nothing of it is sent without its rows.
  @Test(arguments: [
    (false, ["--drop-unknown"]), (false, ["--exclude-table", "Old"]), (false, ["--table", "Todo"]),
    (true, ["--exclude-table", "Old"]), (true, ["--table", "Todo"]),
  ])
  func queueOfATableThatIsLeftOutIsLeftOut(isKnown: Bool, options: [String]) async throws {
    let attributes = "(A('id', 'string'), A('version', 'string'))"
    let todo = "system_entities() + [Entity('Todo', \(attributes))]"
    let both = todo + " + [Entity('Old', \(attributes))]"
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: both,
      """
      store.insert('Todo', {'id': 't', 'version': 'AA='})
      store.insert('Old', {'id': 'o', 'version': 'AA='})
      queue.add(1, 'Todo', 't', 1)
      queue.add(2, 'Old', 'o', 1)
      queue.add(3, 'Old', 'gone', {'type': 2, 'item': {'id': 'gone'}})
      queue.add(4, 'Never', 'n', {'type': 2, 'item': {'id': 'n'}})
      queue.add_error('E', {'code': -1302, 'description': 'x', 'table': 'Old', 'operation': 2,
          'itemId': 'gone', 'statusCode': 500}, 3)
      for table in 'Todo', 'Old':
          queue.add_token('T' + table, table, 'q', '2016-10-01T09:15:30.123Z')
      """)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: isKnown ? both : todo)
    let outcome = await seed([store], template, options)
    #expect(outcome.code == 2, "\(outcome.error)")
    for told in [
      "operations of tables that were left out, so that they are not carried over: 2",
      "errors that the SDK has no place for: 1", "tokens of tables that were left out: 1",
    ] {
      #expect(outcome.error.contains(told), "\(outcome.error)")
    }
    #expect(
      try rows("SELECT ZTABLE, ZITEMID FROM ZMS_TABLEOPERATIONS ORDER BY ZID")
        == "Todo|t\nNever|n\n")
    #expect(try rows("SELECT ZTABLE FROM ZMS_TABLECONFIG") == "Todo\n")
    #expect(try rows("SELECT count(*) FROM ZMS_TABLEOPERATIONERRORS") == "0\n")
  }
}
