import TestSupport
import Testing

@testable import Records

struct PowerSyncTests {
  @Test func columnsComeFromTheViewAndThenFromHiddenKeys() throws {
    let reader = try SQLStore(WorkedExamples.powerSync).reader()
    let read = try #require(try reader.read("lists"))
    #expect(read.table.columns.map(\.name) == ["id", "name", "done", "price", "extra"])
    #expect(read.table.columns.map(\.type) == [.text, .text, .integer, .real, .json])
    #expect(read.values("extra") == ["[1]", #""x""#, nil])
    #expect(read.values("done") == ["1", "0", nil])
    #expect(reader.findings.map(\.code) == ["hidden-columns"])
  }

  /// To SQLite two spellings of a letter are two keys, of which the view here shows one.
  @Test func hiddenKeyThatLooksLikeAShownOneIsAColumn() throws {
    let sql = WorkedExamples.powerSync.replacing(#""id", "name""#, with: "\"id\", \"\u{FC}\"")
      .replacing("$.name", with: "$.\u{FC}")
      .replacing(#""name":"x","done":1,"#, with: "\"\u{FC}\":\"x\",\"u\u{308}\":\"y\",")
    let read = try #require(try SQLStore(sql).reader().read("lists"))
    let names = read.table.columns.map { Array($0.name.utf8) }
    #expect(names.contains(Array("\u{FC}".utf8)) && names.contains(Array("u\u{308}".utf8)))
  }

  @Test func documentThatIsNoObjectLeavesTheRowAndKeepsTheText() throws {
    let read = try #require(try SQLStore(WorkedExamples.powerSync).reader().read("lists"))
    #expect(read.keys == [1, 2, 3])
    #expect(read.rejects.map(\.code) == [.rowJSONUnreadable])
    #expect(read.rejects.map(\.raw) == [.text(Array("nonsense".utf8))])
  }

  /// Each with what a column of a type takes it for; nothing where it is rejected.
  @Test(arguments: [
    ("INTEGER", "\"7\"", "7"), ("INTEGER", "\"07\"", nil), ("INTEGER", "1.0", "1"),
    ("INTEGER", "1.5", nil), ("INTEGER", "true", "1"), ("INTEGER", "{}", nil),
    ("INTEGER", "9223372036854775808", nil), ("integer", "-5", "-5"), ("TEXT", "7", "7"),
    ("TEXT", "false", "0"), ("TEXT", "[1, 2]", "[1,2]"), ("text", "2.5", "2.5"),
    ("REAL", "\"-1.25\"", "-1.25"), ("REAL", "\"1e3\"", nil), ("REAL", "3", "3.0"),
  ])
  func valueIsTakenWhereItLosesNothing(type: String, json: String, expected: String?) throws {
    let sql = WorkedExamples.powerSync.replacing("as INTEGER)", with: "as \(type))")
      .replacing(#""done":1"#, with: "\"done\":\(json)")
    let read = try #require(try SQLStore(sql).reader().read("lists"))
    #expect(read.values("done").first == expected)
    #expect(read.rejects.contains { $0.column == "done" } == (expected == nil))
  }

  /// Rows of several parts of pages, and the same that only the engine can read, against the view.
  @Test(arguments: ["UTF-8", "UTF-16le"])
  func manyRowsAreWhatTheViewShows(encoding: String) throws {
    let sql = """
      PRAGMA encoding = '\(encoding)';
      \(WorkedExamples.powerSync)
      DELETE FROM "ps_data__lists";
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 6000)
      INSERT INTO "ps_data__lists" SELECT 'id ' || n, CASE n % 7
        WHEN 0 THEN NULL
        WHEN 1 THEN '{"done":' || n || ',"name":"Zeile\\n' || n || ' \\"ä\\"","price":' || n || '.25}'
        WHEN 2 THEN '{ "price" : ' || n || ', "name" : "\\u20ac' || n || '" }'
        ELSE json_object('name', 'a name of some length, which is that of ' || n, 'done', n % 2,
          'price', n / 8.0)
        END FROM number;
      """
    let store = try SQLStore(sql)
    let expected = try Python.rows(
      """
      import sqlite3
      database = sqlite3.connect(inputs[0].decode())
      for each in database.execute('SELECT id, name, done, price FROM lists ORDER BY id'):
          row(*('none' if value is None else str(value) for value in each))
      """, input: [Array(store.path.utf8)])
    let reader = try store.reader()
    let place = try #require(reader.catalogue.index(ofTable: "lists"))
    let parts = try reader.parts(ofTable: place)
    #expect(encoding == "UTF-8" ? (parts?.count ?? 0) > 1 : parts == nil)
    let read = try #require(try reader.read("lists"))
    #expect(read.rejects.isEmpty)
    let columns = ["id", "name", "done", "price"].map { read.values($0).map { $0 ?? "none" } }
    let rows = (0..<6000).map { row in columns.map { $0[row] } }.sorted { $0[0] < $1[0] }
    #expect(
      rows == expected.map { row in row.map { String(decoding: $0, as: UTF8.self) } })
  }

  @Test func rowsOfATypeThatIsNoTextAreATable() throws {
    let sql = """
      INSERT INTO ps_untyped VALUES (x'00ff', 'b', '{"type":1,"x":"y"}'),
        (CAST(x'ff41' AS TEXT), 'c', '{"x":"z"}'), ('lists', 'd', '{"x":"w"}');
      """
    let reader = try SQLStore(WorkedExamples.powerSync + sql).reader()
    #expect(reader.tableNames == ["lists", "lists_2", "\u{FFFD}A", "ps_untyped"])
    let blob = try #require(try reader.read("ps_untyped"))
    #expect(blob.table.columns.map(\.name) == ["id", "type", "type_2", "x"])
    #expect(blob.values("x") == ["y"] && blob.values("type_2") == ["1"])
    #expect(blob.rejects.map(\.raw) == [.binary([0, 0xFF])])
    let strange = try #require(try reader.read("\u{FFFD}A"))
    #expect(strange.values("x") == ["z"])
    #expect(strange.rejects.map(\.raw) == [.text([0xFF, 0x41])])
    let tables = reader.findings.filter { $0.code == "rows-of-unknown-table" }.map(\.table)
    #expect(tables == ["lists_2", "\u{FFFD}A", "ps_untyped"])
  }

  @Test func operationOnATypeWithoutATableNamesThatOfItsRows() throws {
    let sql = """
      INSERT INTO ps_untyped VALUES ('rehome_x', 'q', '{"k":1}');
      INSERT INTO ps_crud (data) VALUES
        ('{"op":"PATCH","type":"rehome_x","id":"q","data":{"k":2}}');
      """
    let queue = try SQLStore(WorkedExamples.powerSync + sql).reader().readQueue()
    #expect(queue.operations.last?.table == "app_rehome_x")
    #expect(queue.operations.last?.rowKey == 1)
    #expect(queue.findings.isEmpty)
  }

  /// What all operations on the item come to is compared, and not the last of them alone.
  @Test(arguments: [
    (#"{"name":"y","done":1}"#, ", with other values of name"),
    (#"{"name":"x","done":1}"#, ", with the same values"),
    // What a new item does not name is nothing, and numbers have more than one spelling.
    (#"{"name":"x","done":1,"price":2}"#, ", with other values of price"),
    (#"{"name":"x","done":true,"price":null,"extra":1}"#, ", with the same values"),
  ])
  func conflictTellsWhatDiffers(copy: String, words: String) throws {
    let sql = "INSERT INTO ps_oplog VALUES (1, 9, 'lists', 'a', 'k', '\(copy)', 0);"
    let queue = try SQLStore(WorkedExamples.powerSync + sql).reader().readQueue()
    #expect(queue.findings.map(\.code) == ["conflict-with-downloaded-copy"])
    #expect(queue.findings.first?.message.hasSuffix(words) == true)
  }

  /// Of a change of some fields nothing is known of the others.
  @Test(arguments: [
    (#"{"price":3.0}"#, #"{"name":"z","price":3}"#, ", with the same values"),
    (#"{"done":1}"#, #"{"name":"z","done":true}"#, ", with the same values"),
    (#"{"name":null}"#, #"{"name":"z","done":1}"#, ", with other values of name"),
    (#"{"mine":[1]}"#, #"{"mine":[2]}"#, ", with other values of mine"),
  ])
  func changesAreComparedAsColumnsShowThem(change: String, copy: String, words: String) throws {
    let sql = """
      DELETE FROM ps_crud;
      INSERT INTO ps_crud (data) VALUES
        ('{"op":"PATCH","type":"lists","id":"a","data":\(change)}');
      INSERT INTO ps_oplog VALUES (1, 9, 'lists', 'a', 'k', '\(copy)', 0);
      """
    let queue = try SQLStore(WorkedExamples.powerSync + sql).reader().readQueue()
    #expect(queue.findings.map(\.code) == ["conflict-with-downloaded-copy"])
    #expect(queue.findings.first?.message.hasSuffix(words) == true)
  }

  /// So many items that they are not brought together at once.
  ///
  /// Every second one has no row, every fourth waits for a newer copy of it to be applied, and others
  /// were written of which nothing waits.
  @Test func eachOfManyItemsIsComparedWithItsRowAndItsCopy() throws {
    let sql = """
      DELETE FROM ps_crud; DELETE FROM "ps_data__lists";
      CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000)
        SELECT i FROM n;
      INSERT INTO "ps_data__lists" SELECT 'i' || i, json_object('name', i) FROM n WHERE i % 2 = 0;
      INSERT INTO "ps_data__lists" SELECT 'w' || i, json_object('name', i) FROM n WHERE i <= 2000;
      INSERT INTO ps_updated_rows SELECT 'lists', 'w' || i FROM n WHERE i <= 2000;
      INSERT INTO ps_oplog SELECT 1, 4, 'lists', 'w' || i, '', json_object('name', i), 0 FROM n
        WHERE i <= 500;
      INSERT INTO ps_crud (data) SELECT json_object('op', 'PATCH', 'type', 'lists', 'id', 'i' || i,
        'data', json_object('name', i)) FROM n;
      INSERT INTO ps_oplog SELECT 1, iif(i % 4 = 0, 6, 5), 'lists', 'i' || i, '',
        json_object('name', i + 1), 0 FROM n ORDER BY i DESC;
      DROP TABLE n;
      """
    let queue = try SQLStore(WorkedExamples.powerSync + sql).reader().readQueue()
    let sequences = { (code: String) in
      queue.findings.filter { $0.code == code }.compactMap { $0.operation.map(Int.init) }
    }
    #expect(sequences("operation-without-row") == Array(stride(from: 1, to: 40_000, by: 2)))
    #expect(
      sequences("conflict-with-downloaded-copy") == Array(stride(from: 4, through: 40_000, by: 4)))
    let conflicts = queue.findings.filter { $0.code == "conflict-with-downloaded-copy" }
    #expect(conflicts.count { $0.message.hasSuffix("with other values of name") } == 1000)
    #expect(conflicts.prefix(1000).allSatisfy { $0.message.hasSuffix("with other values of name") })
    let written = queue.findings.filter { $0.code == "local-change-without-operation" }
    #expect(written.reduce(0) { $0 + $1.count } == 1500)
    let ids = (501...2000).map { "w\($0)" }.sorted().prefix(1000)
    #expect(written.prefix(1000).compactMap(\.itemID) == Array(ids))
    #expect(written.last?.table == "lists")
  }

  @Test func queueIsDecodedInOrder() throws {
    let queue = try SQLStore(WorkedExamples.powerSync).reader().readQueue()
    #expect(queue.operations.map(\.kind) == [.insert, .update, .delete, nil, nil])
    #expect(queue.operations.map(\.originalCode) == ["PUT 1", "PATCH 1", "DELETE", "MERGE", " 2"])
    #expect(queue.operations.map(\.itemID) == ["a", "a", "b", "c", nil])
    #expect(
      queue.operations.map { $0.item.map { String(decoding: $0, as: UTF8.self) } }
        == [#"{"name":"x"}"#, #"{"done":1}"#, nil, nil, nil])
    #expect(queue.tokens.map(\.updatedAt) == ["2024-05-01T10:20:30.000Z"])
  }

  /// The transaction stands in a column of its own.
  @Test(arguments: ["'garbage'", "NULL", "'{\"op\":\"PUT\",\"id\":\"q\"}'"])
  func entryThatCannotBeReadKeepsItsTransaction(data: String) throws {
    let sql = "INSERT INTO ps_crud (data, tx_id) VALUES (\(data), 7);"
    let operation = try SQLStore(WorkedExamples.powerSync + sql).reader().readQueue().operations
      .last
    #expect(operation?.kind == nil && operation?.originalCode == " 7")
  }

  @Test(arguments: [
    "DROP TABLE ps_untyped", "ALTER TABLE ps_migration ADD COLUMN x", "DROP TABLE ps_oplog",
    "ALTER TABLE ps_crud RENAME TO PS_CRUD_",
  ])
  func lookAlikeIsAPlainFile(change: String) throws {
    #expect(try SQLStore(WorkedExamples.powerSync + change).reader().source.layout == .sqlite)
  }

  @Test(arguments: [
    ("DELETE FROM ps_crud; UPDATE ps_buckets SET target_op = 9", "upload-unconfirmed"),
    (
      "INSERT INTO ps_updated_rows VALUES ('lists', 'b'); DELETE FROM ps_crud WHERE id = 3",
      "local-change-without-operation"
    ),
    (
      // A row without a document has no values, and the copy has one.
      """
      INSERT INTO "ps_data__lists" VALUES ('n', NULL); INSERT INTO ps_updated_rows VALUES ('lists', 'n');
      INSERT INTO ps_oplog VALUES (1, 4, 'lists', 'n', '', '{"name":"y"}', 0);
      """,
      "local-change-without-operation"
    ),
    (
      "INSERT INTO ps_oplog VALUES (1, 9, 'lists', 'a', 'k', '{\"name\":\"y\"}', 0)",
      "conflict-with-downloaded-copy"
    ),
    ("INSERT INTO ps_untyped VALUES ('ghosts', 'g', '{}')", "rows-of-unknown-table"),
    ("INSERT INTO ps_migration VALUES (15, NULL)", "schema-newer-than-known"),
    ("UPDATE \"ps_data__lists\" SET id = 'z' WHERE id = 'a'", "operation-without-row"),
    (
      """
      INSERT INTO ps_untyped VALUES ('ghosts', 'g', '{}'); INSERT INTO ps_crud (data)
      VALUES ('{"op":"PATCH","type":"ghosts","id":"h","data":{"n":2}}');
      """, "operation-without-row"
    ),
    (
      "INSERT INTO ps_crud (data) VALUES ('{\"op\":\"DELETE\",\"type\":\"nowhere\",\"id\":\"a\"}')",
      "operation-for-unknown-table"
    ),
    (
      """
      CREATE TABLE "ps_data_local__attachments"(id TEXT PRIMARY KEY NOT NULL, data TEXT);
      INSERT INTO "ps_data_local__attachments" VALUES ('f', '{"state":0,"local_uri":"x"}');
      """, "attachment-not-uploaded"
    ),
  ])
  func oddStoreIsTold(change: String, code: String) throws {
    let reader = try SQLStore(WorkedExamples.powerSync + change).reader()
    let codes = (reader.findings + (try reader.readQueue().findings)).map(\.code)
    #expect(codes.contains(code))
    let sound = try SQLStore(WorkedExamples.powerSync).reader()
    #expect((try sound.readQueue().findings).isEmpty)
  }

  /// A type that the app has no table for keeps its rows with those of all others, unless triggers
  /// on a table of the app's own send them.
  @Test(arguments: [("ghosts", "g", false), ("ghosts", "h", true), ("raws", "h", false)])
  func rowOfATypeWithoutTableMayBeGone(_ type: String, _ id: String, isTold: Bool) throws {
    let sql = """
      CREATE TABLE r (id TEXT); CREATE TRIGGER t AFTER INSERT ON r BEGIN
        INSERT INTO powersync_crud (op, id, type) VALUES ('PUT', NEW.id, 'raws'); END;
      INSERT INTO ps_untyped VALUES ('ghosts', 'g', '{}'), ('raws', 'r', '{}'), ('other', 'h', '{}');
      INSERT INTO ps_crud (data)
      VALUES ('{"op":"PATCH","type":"\(type)","id":"\(id)","data":{"n":2}}');
      """
    let queue = try SQLStore(WorkedExamples.powerSync + sql).reader().readQueue()
    let told = queue.findings.filter { $0.code == "operation-without-row" }
    #expect(told.map(\.itemID) == (isTold ? [id] : []))
  }

  /// What is there decides, whatever the number of the last migration says, and that is told.
  @Test(arguments: [1, 4, 12, 13, 14], [true, false])
  func columnsCountAndNotTheNumber(_ number: Int, _ isNew: Bool) throws {
    let old = """
      DROP TABLE ps_oplog;
      CREATE TABLE ps_oplog(bucket TEXT, op_id INTEGER, op INTEGER, row_type TEXT, row_id TEXT,
        data TEXT, superseded INTEGER);
      INSERT INTO ps_oplog VALUES ('$local', 1, 'REMOVE', 'lists', 'b', NULL, 0);
      UPDATE ps_buckets SET target_op = 9 WHERE name = '$local';
      CREATE TABLE ps_stream_subscriptions (id INTEGER, stream_name TEXT, last_synced_at INTEGER);
      INSERT INTO ps_stream_subscriptions VALUES (1, 's', 1714558830);
      """
    let new = """
      INSERT INTO ps_updated_rows VALUES ('lists', 'b');
      ALTER TABLE ps_buckets DROP COLUMN target_op;
      CREATE TABLE ps_kv(key TEXT PRIMARY KEY NOT NULL, value BLOB);
      INSERT INTO ps_kv VALUES ('target_checkpoint_request_id', 9);
      DROP TABLE ps_sync_state;
      CREATE TABLE ps_sync_state(priority INTEGER, last_synced_at INTEGER);
      CREATE TABLE ps_stream_subscriptions (id INTEGER, stream_name TEXT, last_synced_at INTEGER);
      INSERT INTO ps_stream_subscriptions VALUES (1, 's', 1714558830000000);
      """
    let reader = try SQLStore(
      WorkedExamples.powerSync + (isNew ? new : old) + """
        DELETE FROM ps_crud;
        DELETE FROM ps_migration;
        INSERT INTO ps_migration VALUES (\(number), NULL);
        """
    ).reader()
    let queue = try reader.readQueue()
    #expect(
      queue.findings.map(\.code) == ["upload-unconfirmed", "local-change-without-operation"])
    #expect(queue.tokens.last?.updatedAt == "2024-05-01T10:20:30.000Z")
    #expect(reader.source.metadata.contains { $0.value == "shut, waiting for 9" })
    let told = reader.source.evidence.filter { $0.contains("target_op") }
    #expect(told.map { $0.hasPrefix("unlike") } == [(number == 14) != isNew])
  }

  /// A trigger names the type in one place; its other texts are names of columns and words.
  @Test(arguments: [
    "INSERT INTO powersync_crud(op,id,type,data) VALUES ('PUT', NEW.id, 'raw', json_object('n', 1))",
    "INSERT INTO powersync_crud (\"op\", \"type\") SELECT 'PUT', 'raw' FROM lists",
    "INSERT INTO powersync_crud_(data) VALUES (json_object('op', 'PUT', 'type', 'raw', 'n', 1))",
  ])
  func typeOfATriggerIsKnown(statement: String) throws {
    let sql = """
      CREATE TABLE items (id TEXT);
      CREATE TRIGGER t AFTER INSERT ON items BEGIN \(statement); END;
      DELETE FROM ps_crud;
      INSERT INTO ps_crud (data) VALUES ('{"op":"PUT","type":"raw","id":"a","data":{}}'),
        ('{"op":"PUT","type":"PUT","id":"b","data":{}}'),
        ('{"op":"PUT","type":"n","id":"c","data":{}}'),
        ('{"op":"PATCH","type":"Lists","id":"a","data":{}}');
      """
    let queue = try SQLStore(WorkedExamples.powerSync + sql).reader().readQueue()
    #expect(queue.findings.map(\.code).allSatisfy { $0 == "operation-for-unknown-table" })
    #expect(queue.findings.map(\.itemID) == ["b", "c", "a"])
    #expect(queue.operations.last?.table == "Lists")
    #expect(queue.operations.last?.rowKey == nil)
  }

  /// The first SDK makes no table of what is only written; a later name of a view is none of a type.
  @Test(arguments: ["logs", "shown"]) func viewWithoutATableNamesOne(view: String) throws {
    let sql = """
      CREATE VIEW "\(view)"("id", "type", "n") AS SELECT NULL, NULL, NULL WHERE 0
        -- powersync-auto-generated
      ;
      CREATE TRIGGER "ps_view_insert_logs" INSTEAD OF INSERT ON "\(view)" FOR EACH ROW BEGIN
        INSERT INTO ps_crud(tx_id, data) SELECT current_tx, json_object('op', 'PUT', 'type', 'logs',
          'id', NEW.id, 'data', json(powersync_diff('{}',
          json_object('type', NEW."type", 'n', NEW."n")))) FROM ps_tx WHERE id = 1;
      END;
      DELETE FROM ps_crud;
      INSERT INTO ps_crud (data) VALUES ('{"op":"PUT","type":"logs","id":"a","data":{"n":1}}'),
        ('{"op":"PUT","type":"n","id":"b","data":{}}');
      """
    let reader = try SQLStore(WorkedExamples.powerSync + sql).reader()
    #expect(reader.tableNames == ["lists", view])
    #expect(try reader.read(view)?.table.columns.map(\.name) == ["id"])
    #expect(try reader.read(view)?.rows.isEmpty == true)
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.table) == ["logs", "n"])
    #expect(queue.findings.map(\.code) == ["operation-for-unknown-table"])
    #expect(queue.findings.map(\.itemID) == ["b"])
  }

  /// What cannot be read waits, too, be its kind unknown or its data missing.
  @Test(arguments: [
    #"{"op":"MERGE","type":"lists","id":"w"}"#,
    #"{"op":"PATCH","type":"lists","id":"w","data":null}"#,
  ])
  func unreadableEntryWaitsForItsItem(entry: String) throws {
    let sql = """
      DELETE FROM ps_crud;
      INSERT INTO ps_crud (data) VALUES ('\(entry)');
      INSERT INTO "ps_data__lists" VALUES ('w', '{"name":"mine"}');
      INSERT INTO ps_updated_rows VALUES ('lists', 'w');
      """
    let written = try SQLStore(WorkedExamples.powerSync + sql).reader().readQueue()
    #expect(written.findings.isEmpty)
    let copy = "INSERT INTO ps_oplog VALUES (1, 9, 'lists', 'w', 'k', '{\"name\":\"x\"}', 0);"
    let queue = try SQLStore(WorkedExamples.powerSync + sql + copy).reader().readQueue()
    #expect(queue.findings.map(\.code) == ["conflict-with-downloaded-copy"])
    #expect(queue.findings.first?.message.hasSuffix("newer copy of the item") == true)
  }
}
