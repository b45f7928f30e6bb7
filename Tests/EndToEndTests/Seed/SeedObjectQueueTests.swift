import TestSupport
import Testing

/// What other SDKs and other devices had to send becomes what the app's own SDK sends.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedObjectQueueTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.sqlite") }

  private func seed(_ input: String, _ template: String, _ options: String...) async -> Outcome {
    await rehome(
      ["seed", input, "--into", "core-data", "--template", template, "-fo", output] + options)
  }

  private static func entities(_ attributes: String...) -> String {
    "system_entities() + [Entity('Note', ("
      + attributes.map { "A('\($0)', 'string'), " }.joined() + "))]"
  }

  /// A store of Amplify with a table `Note` of an id, a text, and another column: an update of A with
  /// the version 7, and a delete of G with the version 8.
  private func amplify(_ column: String, _ value: String, _ gone: String) throws -> String {
    let path = folder.path("amplify.db")
    try Devices.execute(
      path,
      """
      \(AmplifyTables.ofIOS)
      CREATE TABLE "Note" ("id" text primary key not null, "text" text, \(column));
      INSERT INTO Note VALUES ('A', 'row', \(value));
      INSERT INTO MutationSyncMetadata VALUES ('Note|A', 0, 1714558830123, 7),
        ('Note|G', 0, 1714558830123, 8);
      INSERT INTO MutationEvent VALUES
        ('E0', '2024-05-02T09:00:00.000Z', NULL, 0, '{"id":"A","text":"row","type":1}', 'A', 'Note',
          'update', NULL),
        ('E1', '2024-05-02T09:00:01.000Z', NULL, 0, '{"id":"G","text":"gone",\(gone)}', 'G', 'Note',
          'delete', NULL);
      """)
    return path
  }

  /// The payloads of the operations, as Python reads them.
  private func payloads() throws -> String {
    try python(
      """
      import json, sqlite3, sys
      for item, payload in sqlite3.connect(sys.argv[1]).execute(
              'SELECT ZITEMID, ZPROPERTIES FROM ZMS_TABLEOPERATIONS ORDER BY ZID'):
          print(item, json.dumps(json.loads(payload), sort_keys=True))
      """, output)
  }

  /// An item may have a member `type` that is the code of an operation by chance.
  @Test(arguments: [0, 1, 2])
  func itemOfAnotherSDKIsNoPayload(type: Int) async throws {
    let store = try amplify(#""type" integer"#, "1", #""type":\#(type)"#)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "system_entities() + [Entity('Note', (A('id', 'string'), A('text', 'string'), "
        + "A('type', 'integer64'), A('version', 'string')))]")
    let outcome = await seed(store, template)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      try payloads() == """
        A {"type": 1}
        G {"item": {"id": "G", "text": "gone", "type": \(type), "version": "8"}, "type": 2}

        """)
  }

  /// The app's SDK would send the row in place of what nobody can read.
  @Test func operationThatNobodyCanReadIsNotMadeOneThatIsSent() async throws {
    let store = try amplify(#""type" integer"#, "1", #""type":1"#)
    try Devices.execute(store, #"UPDATE MutationEvent SET json = '{"id":' WHERE id = 'E0'"#)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: Self.entities("id", "text", "version"))
    let outcome = await seed(store, template, "--drop-unknown")
    #expect(outcome.code == 2)
    #expect(
      outcome.error.contains("operations that cannot be decoded and are not carried over: 1"),
      "\(outcome.error)")
    #expect(try payloads().hasPrefix("G "))
  }

  /// The app's own `version` would be sent as a condition that no server can meet.
  @Test func versionIsTheServersAndNotTheApps() async throws {
    let store = try amplify(#""version" text"#, "'1.2'", #""version":"1.2""#)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: Self.entities("id", "text", "version"))
    let refused = await seed(store, template)
    #expect(refused.code == 64, "\(refused.error)")
    #expect(refused.error.contains("has nothing for Note.version"), "\(refused.error)")
    let outcome = await seed(store, template, "--drop-unknown")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT ZID, ZVERSION FROM ZNOTE") == "A|7\n")
    #expect(
      try payloads() == """
        A {"type": 1}
        G {"item": {"id": "G", "text": "gone", "version": "8"}, "type": 2}

        """)
  }

  /// The SDK removes what it has sent by its number.
  @Test func operationsOfTwoDevicesHaveNoNumberInCommon() async throws {
    let entities = Self.entities("id", "text", "version")
    let devices = try ["a", "b"].map { item in
      try ObjectStore.describe(
        item + ".sqlite", in: folder, of: entities,
        """
        store.insert('Note', {'id': '\(item)', 'text': 'x', 'version': 'AA='})
        queue.add(1, 'Note', '\(item)', 1)
        queue.add_error('E\(item)', {'code': -1302, 'description': 'x', 'table': 'Note',
            'operation': 1, 'itemId': '\(item)', 'statusCode': 500}, 1)
        """)
    }
    let merged = folder.path("merged.rehome")
    #expect(await rehome(["convert", "-q"] + devices + ["-o", merged]).code == 0)
    let template = try ObjectStore.describe("empty.sqlite", in: folder, of: entities)
    let outcome = await seed(merged, template)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      try Devices.query(output, "SELECT ZID, ZITEMID FROM ZMS_TABLEOPERATIONS ORDER BY Z_PK")
        == "1|a\n2|b\n")
    #expect(
      try Devices.query(
        output,
        """
        SELECT o.ZITEMID, e.ZID FROM ZMS_TABLEOPERATIONERRORS AS e
        JOIN ZMS_TABLEOPERATIONS AS o ON o.ZID = e.ZOPERATIONID ORDER BY 1
        """) == "a|Ea\nb|Eb\n")
  }

  /// What one device has numbered twice is kept as it is: the SDK has done so itself.
  @Test func numbersOfOneDeviceAreKept() async throws {
    let entities = Self.entities("id", "text", "version")
    let store = try ObjectStore.describe(
      "own.sqlite", in: folder, of: entities,
      """
      for item, number in ('a', 4), ('b', 4), ('c', 9):
          store.insert('Note', {'id': item, 'text': 'x', 'version': 'AA='})
          queue.add(number, 'Note', item, 1)
      """)
    let template = try ObjectStore.describe("empty.sqlite", in: folder, of: entities)
    let outcome = await seed(store, template)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      try Devices.query(output, "SELECT ZID, ZITEMID FROM ZMS_TABLEOPERATIONS ORDER BY Z_PK")
        == "4|a\n4|b\n9|c\n")
  }

  /// The SDK of 2014 ties an error to its operation by the item, and spells what it keeps otherwise.
  @Test func errorOfTheOldSDKIsOneOfTheNew() async throws {
    let store = try ObjectStore.describe(
      "old.sqlite", in: folder,
      of: "system_entities_2014() + [Entity('Note', (A('id', 'string'), A('text', 'string'), "
        + "A('ms_version', 'string')))]",
      """
      store.insert('Note', {'id': 'a', 'text': 'mine', 'ms_version': 'AA='})
      queue.add(1, 'Note', 'a', 1)
      queue.add_error('E1', {'code': -1170,
          'domain': 'com.Microsoft.WindowsAzureMobileServices.ErrorDomain',
          'description': 'conflict', 'table': 'Note', 'operation': 1, 'itemId': 'a',
          'statusCode': 412, 'item': {'id': 'a', '__version': 'AA='}, 'serverItem': {'id': 'a',
          '__version': 'CC=', '__updatedAt': '2016-10-01T09:15:30.123Z'}})
      """)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: Self.entities("id", "text", "version"))
    let outcome = await seed(store, template)
    #expect(outcome.code == 0, "\(outcome.error)")
    for note in ["payloads whose system properties are now", "errors that name their operation"] {
      #expect(outcome.error.contains(note), "\(outcome.error)")
    }
    let found = try python(
      """
      import json, sqlite3, sys
      number, payload = sqlite3.connect(sys.argv[1]).execute(
          'SELECT ZOPERATIONID, ZPROPERTIES FROM ZMS_TABLEOPERATIONERRORS').fetchone()
      error = json.loads(payload)
      print(number, error['code'], error['domain'], error['item'], error['serverItem'])
      """, output)
    #expect(
      found == "1 -1170 com.Microsoft.MicrosoftAzureMobile.ErrorDomain "
        + "{'id': 'a', 'version': 'AA='} "
        + "{'id': 'a', 'version': 'CC=', 'updatedAt': '2016-10-01T09:15:30.123Z'}\n")
  }

  private static func error(_ item: String, ofTable table: String = "Note") -> String {
    "{'code': -1302, 'description': 'x', 'table': '\(table)', 'operation': 1, "
      + "'itemId': '\(item)', 'statusCode': 412}"
  }

  /// A device with rows of a text, an update of each, and an error of each, by its number.
  private func device(
    _ name: String, _ rows: [(item: String, text: String, number: Int)], _ more: String = ""
  ) throws -> String {
    try ObjectStore.describe(
      name, in: folder, of: Self.entities("id", "text", "version"),
      rows.map { row in
        """
        store.insert('Note', {'id': '\(row.item)', 'text': '\(row.text)', 'version': 'AA='})
        queue.add(\(row.number), 'Note', '\(row.item)', 1)
        queue.add_error('E\(row.item)', \(Self.error(row.item)), \(row.number))
        """
      }.joined(separator: "\n") + "\n" + more)
  }

  /// An app's empty store that has each text once.
  private func strictTemplate() throws -> String {
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: Self.entities("id", "text", "version"))
    _ = try python(
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])", template,
      "CREATE UNIQUE INDEX one ON ZNOTE (ZTEXT)")
    return template
  }

  /// The errors that were written, by their operations.
  private func errors() throws -> String {
    try Devices.query(
      output, "SELECT ZID, ZOPERATIONID FROM ZMS_TABLEOPERATIONERRORS ORDER BY Z_PK")
  }

  private static let leftErrors =
    "errors of operations that are not carried over, which stay behind"

  /// It would be of no operation, or of another device's.
  @Test(arguments: [1, 2])
  func errorGoesWithItsOperation(devices: Int) async throws {
    let own = [("a", "same", 5), ("b", "same", 6), ("c", "other", 7)]
    let stores =
      devices == 1
      ? [try device("a.sqlite", own)]
      : [
        try device("a.sqlite", [("a", "same", 6)]),
        try device("b.sqlite", [("b", "same", 6), ("c", "other", 7)]),
      ]
    let merged = folder.path("merged.rehome")
    #expect(await rehome(["convert", "-q"] + stores + ["-o", merged]).code == 0)
    let template = try strictTemplate()
    for input in devices == 1 ? [stores[0], merged] : [merged] {
      let outcome = await seed(input, template)
      #expect(outcome.code == 2, "\(outcome.error)")
      #expect(outcome.error.contains(Self.leftErrors + ": 1"), "\(outcome.error)")
      #expect(try errors() == (devices == 1 ? "Ea|5\nEc|7\n" : "Ea|6\nEc|7\n"))
      let audit = await rehome("audit", "--json", output).text
      for code in ["error-without-operation", "stale-error"] {
        #expect(!audit.contains("\"\(code)\""), "\(audit)")
      }
    }
  }

  @Test func errorOfADroppedOperationStaysBehind() async throws {
    let kept = folder.path("kept.rehome")
    let store = try device("a.sqlite", [("a", "one", 5), ("b", "two", 6)])
    #expect(await rehome("convert", "-q", store, "-o", kept).code == 0)
    #expect(await rehome("ops", "drop", kept, "2").code == 0)
    let outcome = await seed(kept, try strictTemplate(), "--fail-on", "warning")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains(Self.leftErrors), "\(outcome.error)")
    #expect(try errors() == "Ea|5\n")
  }

  /// Its number is that of another device's operation only.
  @Test func errorOfNoOperationIsOfNoneOfAnotherDevice() async throws {
    let stores = try [
      device("a.sqlite", [("a", "one", 3)]),
      device(
        "b.sqlite", [("b", "two", 5)],
        """
        queue.add_error('E1', \(Self.error("gone")), 3)
        queue.add_error('E2', \(Self.error("gone")), 4)
        """),
    ]
    let merged = folder.path("merged.rehome")
    #expect(await rehome(["convert", "-q"] + stores + ["-o", merged]).code == 0)
    let outcome = await seed(merged, try strictTemplate())
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try errors() == "Ea|3\nEb|5\nE1|0\nE2|4\n")
  }

  /// The SDK looks for the operation in the table that the error names.
  @Test(arguments: [("Task", ["--rename", "Note=Task"]), ("note", [])])
  func errorNamesTheTableOfTheApp(_ name: String, _ options: [String]) async throws {
    let store = try device("a.sqlite", [("a", "one", 5)])
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "system_entities() + [Entity('\(name)', (A('id', 'string'), A('text', 'string'), "
        + "A('version', 'string')))]")
    let outcome = await rehome(
      ["seed", store, "--into", "core-data", "--template", template, "-fo", output] + options)
    #expect(outcome.code == 0 && !outcome.error.contains("payloads"), "\(outcome.error)")
    let found = try python(
      """
      import json, sqlite3, sys
      payload, = sqlite3.connect(sys.argv[1]).execute(
          'SELECT ZPROPERTIES FROM ZMS_TABLEOPERATIONERRORS').fetchone()
      print(json.loads(payload))
      """, output)
    #expect(
      found == "{'code': -1302, 'description': 'x', 'table': '\(name)', 'operation': 1, "
        + "'itemId': 'a', 'statusCode': 412}\n")
    let audit = await rehome("audit", "--json", output).text
    #expect(audit.contains("\"error-conflict\""), "\(audit)")
  }
}
