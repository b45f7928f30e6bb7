import TestSupport
import Testing

/// What an SDK's queue holds and no field can say goes wherever the queue goes.
struct UnreadQueueTests {
  private static let store = """
    CREATE TABLE [T] ([id] TEXT PRIMARY KEY, [text] TEXT, [version] TEXT);
    \(QueueTables.dotNet)
    INSERT INTO T VALUES ('a', 'x', 'v');
    INSERT INTO __operations VALUES ('o', 1, 2, 'T', 0, 'a', NULL, NULL, 1, 1);
    INSERT INTO __errors VALUES ('o', 400, 1, 1, 'T', 0, '{"id":"a"}', 'bad');
    """

  /// Two stores that differ in one digit of the damage alone.
  @Test(arguments: [
    ("UPDATE __errors SET item = '[\"only copy %\"]'", "only copy 1"),
    (
      "UPDATE __operations SET itemId = CAST(x'61ff3%' AS TEXT)",
      #"{"unread":{"itemId":{"base64":"Yf8x"}}}"#
    ),
  ])
  func differenceIsSeenAndTravels(damage: String, kept: String) async throws {
    let folder = try TemporaryFolder()
    let stores = try ["1", "2"].map { digit in
      let store = folder.path("device\(digit).db")
      try Devices.execute(store, "\(Self.store); \(damage.replacing("%", with: digit))")
      return store
    }
    #expect(await rehome("verify", stores[0], stores[1]).code == 5)
    let (known, form) = (folder.path("known.rehome"), folder.path("out.json"))
    let seeded = folder.path("seeded.rehome")
    let told = await rehome("convert", stores[0], "-o", known)
    #expect(told.error.contains("warning: "), "\(told.error)")
    _ = await rehome("export", "-q", stores[0], "--to", "json", "-o", form)
    _ = await rehome("seed", "-q", form, "-o", seeded)
    let raws = "SELECT raw FROM rehome_operation UNION ALL SELECT raw FROM rehome_error"
    let raw = try Devices.query(known, raws)
    #expect(raw.contains(kept), "\(raw)")
    #expect(try Devices.query(seeded, raws) == raw)
    #expect(await rehome("verify", known, seeded).code == 0)
  }

  /// So is one in the table's name of a token.
  @Test func tokensOfTablesThatAreNoTextDiffer() async throws {
    let folder = try TemporaryFolder()
    let stores = try ["ff", "fe"].map { byte in
      let store = try ObjectStore.describe(
        "\(byte).sqlite", in: folder,
        of: "system_entities() + [Entity('Note', (A('id', 'string'),))]")
      try Devices.execute(
        store,
        """
        INSERT INTO ZMS_TABLECONFIG (Z_PK, ZTABLE, ZKEY, ZVALUE)
          VALUES (1, CAST(x'61\(byte)' AS TEXT), 'all', '2016-10-01T09:15:30.123Z')
        """)
      return store
    }
    #expect(await rehome("verify", stores[0], stores[1]).code == 5)
    #expect(await rehome("verify", stores[0], stores[0]).code == 0)
  }

  /// Whether a payload can be read is told alike from the device's store and from what comes of it.
  @Test(arguments: [#"'{"a":1}'"#, "''", "NULL", "'{'"])
  func oddColumnChangesNoJudgement(payload: String) async throws {
    let folder = try TemporaryFolder()
    let change = "UPDATE __operations SET item = \(payload)"
    let known = try await codes(of: "\(change)", in: folder, "known")
    let odd = try await codes(of: "\(change), sequence = 'x'", in: folder, "odd")
    #expect(odd == known)
    #expect(known == Array(repeating: known[0], count: 3))
  }

  /// A last copy is told once, wherever its store goes.
  @Test func deletedItemIsToldInEveryForm() async throws {
    let folder = try TemporaryFolder()
    let told = try await codes(
      of: """
        DROP TABLE __operations; DROP TABLE __errors; DROP TABLE __config;
        CREATE TABLE __operations (id TEXT PRIMARY KEY, kind REAL, tablename TEXT, itemid TEXT,
          __createdat TEXT, __queueloadedat TEXT, sequence REAL);
        CREATE TABLE __itembackups (id TEXT PRIMARY KEY, clientitem TEXT);
        CREATE TABLE __incrementalpulldata (id TEXT PRIMARY KEY, maxupdateddate TEXT);
        INSERT INTO __itembackups VALUES ('T/z', '{"id":"z","text":"last copy"}');
        """, in: folder, "left")
    try Devices.execute(folder.path("left.db"), "UPDATE __itembackups SET clientitem = 'words'")
    let strange = await rehome("audit", folder.path("left.db"))
    let words = String(decoding: strange.output, as: UTF8.self)
    // It is a failure of nothing.
    #expect(
      words.contains("as stored, in a converted store in rehome_error.raw")
        && !words.contains("Failures"), "\(words)")
    let page = await rehome("audit", "--html", "-", folder.path("left.db"))
    let shown = String(decoding: page.output, as: UTF8.self)
    #expect(shown.contains("<pre>words</pre>"), "\(shown)")
    for command in ["inspect", "find"] {
      let shown = await rehome(command, folder.path("left.db"))
      let words = String(decoding: shown.output, as: UTF8.self)
      #expect(words.contains("1 deleted item") && !words.contains(" error"), "\(words)")
    }
    let seeded = await rehome(
      "seed", folder.path("left.rehome"), "--into", "toolkit", "-o", folder.path("app.db"))
    #expect(
      seeded.error.contains("deleted items that no delete in the queue took"), "\(seeded.error)")
    #expect(!seeded.error.contains("errors with the server's answer"), "\(seeded.error)")
    #expect(told == Array(repeating: ["deleted-item-left"], count: 3))
  }

  /// An error of a delete that tells nothing is none of these items.
  @Test func errorThatTellsNothingIsNoDeletedItem() async throws {
    let told = try await codes(
      of: """
        UPDATE __errors SET id = CAST(x'61ff' AS TEXT), httpStatus = NULL, operationKind = 2,
          rawResult = NULL
        """, in: TemporaryFolder(), "told")
    #expect(told.allSatisfy { $0.contains("error-without-operation") }, "\(told)")
    #expect(told.allSatisfy { !$0.contains("deleted-item-left") }, "\(told)")
  }

  /// The SDK sends the row that is there, whatever else the operation's own row held.
  @Test(arguments: ["", "; UPDATE __operations SET state = 'x'"])
  func rowOfAnotherDeviceIsTold(odd: String) async throws {
    let folder = try TemporaryFolder()
    let attributes = ["id", "text", "version"].map { "A('\($0)', 'string')" }
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "system_entities() + [Entity('T', (\(attributes.joined(separator: ", "))))]")
    let stores = try ["one", "two\(odd)"].map { change in
      let store = folder.path("\(change.prefix(3)).db")
      try Devices.execute(
        store, "\(Self.store); UPDATE T SET text = '\(change.prefix(3))'\(change.dropFirst(3))")
      return store
    }
    let merged = folder.path("merged.rehome")
    _ = await rehome("convert", "-q", stores[0], stores[1], "-o", merged)
    let outcome = await rehome(
      "seed", merged, "--into", "core-data", "--template", template, "-o", folder.path("app.sqlite")
    )
    #expect(outcome.error.contains("that send the row of another device"), "\(outcome.error)")
  }

  /// The app's own SDK would find no JSON behind its payload; a line of the app's own stays with it.
  @Test(arguments: [
    "ZITEMID = CAST(x'61ff' AS TEXT)",
    #"ZPROPERTIES = CAST('{"type":7}' || char(10) || '{"unread":{"own":1}}' AS BLOB)"#,
  ])
  func coreDataStoreHasThePayloadAlone(change: String) async throws {
    let folder = try TemporaryFolder()
    let entities = "system_entities() + [Entity('Note', (A('id', 'string'),))]"
    let template = try ObjectStore.describe("empty.sqlite", in: folder, of: entities)
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: entities,
      "store.insert('Note', {'id': 'a'})\nqueue.add(5, 'Note', 'a', 1)")
    try Devices.execute(store, "UPDATE ZMS_TABLEOPERATIONS SET \(change)")
    let (known, output) = (folder.path("known.rehome"), folder.path("app.sqlite"))
    _ = await rehome("convert", "-q", store, "-o", known)
    #expect(
      try Devices.query(known, "SELECT raw FROM rehome_operation").contains(
        #"{"unread":{"#))
    let outcome = await rehome(
      "seed", known, "--into", "core-data", "--template", template, "-o", output)
    #expect(!outcome.error.contains("spelled"), "\(outcome.error)")
    let payloads = "SELECT CAST(ZPROPERTIES AS TEXT) FROM ZMS_TABLEOPERATIONS"
    #expect(try Devices.query(output, payloads) == Devices.query(store, payloads))
  }

  /// The findings about a store's queue, of a conversion's, and of a seed's from an export of it.
  private func codes(
    of damage: String, in folder: borrowing TemporaryFolder, _ name: String
  ) async throws -> [[String]] {
    let store = folder.path(name + ".db")
    try Devices.execute(store, "\(Self.store); \(damage)")
    let (converted, form) = (folder.path(name + ".rehome"), folder.path(name + ".json"))
    let seeded = folder.path(name + "2.rehome")
    _ = await rehome("convert", "-q", store, "-o", converted)
    _ = await rehome("export", "-q", store, "--to", "json", "-o", form)
    _ = await rehome("seed", "-q", form, "-o", seeded)
    var all: [[String]] = []
    for place in [store, converted, seeded] {
      let report = try await rehome("audit", "-q", "--json", place).json()
      let stores = try #require(report["stores"] as? [[String: any Sendable]])
      let told = try #require(stores.first?["findings"] as? [[String: any Sendable]])
      let codes = told.compactMap { $0["code"] as? String }
      all.append(codes.filter { $0 != "value-of-wrong-type" }.sorted())
    }
    return all
  }
}
