import Testing

@testable import Records

struct AzureMobileAndroidTests {
  @Test func lowerCaseColumnsTakeTheirCanonicalNames() throws {
    let read = try #require(
      try SQLStore(
        WorkedExamples.android + "CREATE TABLE android_metadata (locale TEXT);"
      ).reader().read("todoitem"))
    #expect(read.table.columns.map(\.name) == ["id", "complete", "text", "updatedAt", "version"])
    #expect(read.table.columns.map(\.sourceName)[3] == "updatedat")
    #expect(
      read.rows == [["a1", "1", "milk", "2024-05-01T10:20:30.123Z", "AAAAAAAAB9E="]])
  }

  /// Two versions of the SDK have written the store; each calls the time of an operation otherwise.
  @Test(arguments: [true, false]) func columnsOfTwoGenerationsAreTold(hasBoth: Bool) throws {
    let reader = try SQLStore(
      WorkedExamples.android
        + (hasBoth ? "ALTER TABLE __operations ADD COLUMN __createdat TEXT;" : "")
    ).reader()
    #expect(reader.findings.contains { $0.code == "two-sdk-generations" } == hasBoth)
  }

  @Test func platformsTableIsLeftOut() throws {
    let reader = try SQLStore(
      WorkedExamples.android + "CREATE TABLE android_metadata (locale TEXT);"
    ).reader()
    #expect(reader.tableNames == ["todoitem"])
  }

  @Test func deleteHasItsPayloadAndToken() throws {
    let queue = try SQLStore(WorkedExamples.android).reader().readQueue()
    #expect(queue.operations.map(\.kind) == [.delete])
    #expect(queue.operations.map(\.baseVersion) == ["AAAAAAAAB9I="])
    #expect(queue.operations.map { text($0.item) } == [#"{"id":"b2","version":"AAAAAAAAB9I="}"#])
    #expect(queue.tokens.map(\.table) == ["todoitem"])
    #expect(queue.tokens.map(\.query) == ["allItems"])
  }

  @Test func sessionGoesBeforeTheCounter() throws {
    let queue = try SQLStore(
      WorkedExamples.android + """
        INSERT INTO __operations (id, kind, tablename, itemid, __queueloadedat, sequence) VALUES
          ('late', 0.0, 'todoitem', 'a1', '2024-05-02T00:00:00.000Z', 0.0),
          ('second', 1.0, 'todoitem', 'a1', '2024-05-01T10:00:00.000Z', 1.0);
        """
    ).reader().readQueue()
    #expect(
      queue.operations.map(\.originalID) == [
        "0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01", "second", "late",
      ])
  }

  @Test func earlyGenerationsKeepDeletedItemsInATableOfTheirOwn() throws {
    let queue = try SQLStore(
      WorkedExamples.android + """
        ALTER TABLE __operations DROP COLUMN item;
        CREATE TABLE __itembackups (id TEXT PRIMARY KEY, tablename TEXT, itemid TEXT,
          clientitem TEXT);
        INSERT INTO __itembackups VALUES ('todoitem/b2', 'todoitem', 'b2',
          '{"id":"b2","version":"kept"}'), ('todoitem/other', 'todoitem', 'other', '{}');
        """
    ).reader().readQueue()
    #expect(queue.operations.map { text($0.item) } == [#"{"id":"b2","version":"kept"}"#])
    #expect(queue.operations.map(\.baseVersion) == ["kept"])
  }

  /// It may be the only trace of a delete that was never sent, and the last copy of the item.
  @Test func itemOnWhichNoOperationWaitsIsKept() throws {
    let queue = try queue(
      "DELETE FROM __operations;",
      backups: #"('todoitem/b2', '{"text":"last"}'), ('todoitem/c/3', 'no object')"#)
    #expect(queue.errors.map(\.itemID) == ["b2", "c/3"])
    #expect(queue.errors.allSatisfy { $0.isDeletedItem })
    #expect(queue.errors.allSatisfy { $0.operation == nil && $0.table == "todoitem" })
    #expect(queue.errors.map { text($0.item) } == [#"{"text":"last"}"#, nil])
    #expect(queue.errors.map { text($0.raw?.bytes) } == [#"{"text":"last"}"#, "no object"])
  }

  /// What the delete does not hold itself stays with it; what an unknown operation does nobody can say.
  @Test(arguments: [("kind = 2.0, item = '{}'", "{}\n"), ("kind = 7.0, item = NULL", "")])
  func itemWithAnOperationStaysWithIt(change: String, payload: String) throws {
    let queue = try queue(
      "UPDATE __operations SET \(change) WHERE itemid = 'b2';", backups: "('todoitem/b2', 'copy')")
    #expect(queue.errors.isEmpty && queue.findings.isEmpty)
    let raws = queue.operations.filter { $0.itemID == "b2" }.map { text($0.raw?.bytes) }
    #expect(raws == [payload + #"{"unread":{"__itembackups":"copy"}}"#])
  }

  /// An update on the item is not the delete of it.
  @Test func itemOnWhichAnUpdateWaitsIsLeft() throws {
    let queue = try queue(
      "UPDATE __operations SET kind = 1.0, item = NULL;", backups: "('todoitem/b2', '{}')")
    #expect(queue.errors.map(\.itemID) == ["b2"] && queue.errors.allSatisfy { $0.isDeletedItem })
    #expect(queue.operations.allSatisfy { $0.raw == nil })
  }

  /// The last of one id counts, however many deletes take it; each other row is left, once.
  @Test(arguments: [1, 3])
  func otherRowsOfAnItemAreLeft(deletes: Int) throws {
    let more = (1..<deletes).map {
      "INSERT INTO __operations (id, kind, tablename, itemid) VALUES (\($0), 2.0, 'todoitem', 'b2');"
    }
    let queue = try queue(
      "UPDATE __operations SET item = NULL;" + more.joined(),
      columns: "id, tablename, itemid, clientitem",
      backups: #"""
        ('todoitem/b2', 'todoitem', 'b2', 'twin'), ('todoitem/b2', 'todoitem', 'b2', '{"version":"v"}'),
        (NULL, 'todoitem', 'b2', '{"own":"id"}'), (x'01', 'todoitem', 'b2', '{"odd":"id"}'),
        (CAST(x'ff' AS TEXT), 'todoitem', 'b2', '{"damaged":"id"}')
        """#)
    #expect(queue.operations.count == deletes)
    #expect(queue.operations.allSatisfy { text($0.raw?.bytes) == #"{"version":"v"}"# })
    #expect(queue.operations.allSatisfy { $0.baseVersion == "v" })
    #expect(queue.errors.allSatisfy { $0.isDeletedItem && $0.itemID == "b2" })
    #expect(
      queue.errors.map { $0.raw.map { text($0.bytes)?.prefix(8) } } == [
        "twin", #"{"own":""#, #"{"odd":""#, #"{"damage"#,
      ])
  }

  /// Columns that name another item than the id, by which a delete finds it, are kept and told.
  @Test(arguments: ["'other', 'zz'", "'other', NULL", "NULL, 'zz'"])
  func columnsThatAreNotAsTheIDSaysStay(columns: String) throws {
    let queue = try queue(
      "UPDATE __operations SET item = NULL;", columns: "id, tablename, itemid, clientitem",
      backups: "('todoitem/b2', \(columns), '{\"v\":1}')")
    #expect(queue.errors.isEmpty)
    #expect(queue.operations.map { text($0.item) } == [#"{"v":1}"#])
    let raw = try #require(text(queue.operations.first?.raw?.bytes))
    let names = ["other", "zz"].filter(columns.contains)
    #expect(names.allSatisfy(raw.contains), "\(raw)")
    #expect(queue.findings.map(\.code) == ["value-of-wrong-type"])
  }

  /// Without the columns, the first slash of the id counts, whatever follows it.
  @Test(arguments: [
    ("'my/table/x', 'my/table', 'x'", "my/table", "x"), ("NULL, 'T', 'x'", "T", "x"),
    ("CAST(x'61ff' AS TEXT), 'T', 'x'", "T", "x"), ("'T/a/b', NULL, NULL", "T", "a/b"),
    ("'T/' || char(769) || 'x', NULL, NULL", "T", "\u{301}x"), ("'T/x', 'T', NULL", "T", "x"),
  ])
  func placeOfADeletedItemIsThatOfItsColumns(
    row: String, table: String, itemID: String
  ) throws {
    let queue = try queue(
      "", columns: "id, tablename, itemid, clientitem", backups: "(\(row), '{}')")
    #expect(queue.errors.map(\.table) == [table])
    #expect(queue.errors.map { $0.itemID.map { Array($0.utf8) } } == [Array(itemID.utf8)])
  }

  private func queue(
    _ change: String, columns: String = "id, clientitem", backups: String
  ) throws -> Queue {
    try SQLStore(
      WorkedExamples.android + change + "CREATE TABLE __itembackups (\(columns));"
        + "INSERT INTO __itembackups VALUES \(backups);"
    ).reader().readQueue()
  }

  /// More than stay in memory; of two with one name the later one counts.
  @Test func eachOfManyDeletesHasItsItem() throws {
    let queue = try SQLStore(
      WorkedExamples.android + """
        ALTER TABLE __operations DROP COLUMN item; DELETE FROM __operations;
        CREATE TABLE __itembackups (id TEXT, tablename TEXT, itemid TEXT, clientitem TEXT);
        CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
          SELECT i FROM n;
        INSERT INTO __operations (id, kind, tablename, itemid, sequence, __queueloadedat)
          SELECT 'o' || i, 2.0, 'todoitem', 'i' || i, i, '2016' FROM n;
        INSERT INTO __itembackups SELECT 'todoitem/i' || i, 'todoitem', 'i' || i,
          json_object('id', 'i' || i, 'version', 'v' || (i % j), 'text', printf('%.*c', 90, 'x'))
          FROM n, (SELECT 7 AS j UNION ALL SELECT 30000) ORDER BY j, i DESC;
        DROP TABLE n;
        """
    ).reader().readQueue()
    #expect(queue.operations.count == 20_000)
    #expect(queue.operations.allSatisfy { $0.baseVersion == "v\($0.sequence)" })
    #expect(queue.operations.allSatisfy { $0.item != nil })
  }

  @Test func errorReadsNumbersInText() throws {
    let queue = try SQLStore(
      WorkedExamples.android + """
        INSERT INTO __errors VALUES ('e', '0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01', '2.0',
          'todoitem', NULL, '{"id":"b2"}', 'Precondition failed', 412.0, NULL,
          '{"id":"b2","version":"s"}', NULL);
        """
    ).reader().readQueue()
    let error = try #require(queue.errors.first)
    #expect((error.operation, error.kind, error.status) == (1, .delete, 412))
    #expect(error.itemID == "b2")
    #expect(error.message == "Precondition failed")
    #expect(text(error.serverItem) == #"{"id":"b2","version":"s"}"#)
  }

  /// Nothing is lost of an error that is not as the SDK writes it.
  @Test(arguments: ["'9.0'", "'odd'"]) func unknownKindOfAnErrorIsKept(_ kind: String) throws {
    let sql = """
      INSERT INTO __errors (id, operationid, operationkind, tablename, itemid, statuscode)
        VALUES ('e', 'gone', \(kind), 'todoitem', 'b2', 412.0);
      """
    let queue = try SQLStore(WorkedExamples.android + sql).reader().readQueue()
    let error = try #require(queue.errors.first)
    #expect(error.kind == nil)
    #expect(text(error.raw?.bytes)?.contains("operationkind") == true)
  }

  @Test func keyIsSplitAtTheLongestTable() throws {
    let queue = try SQLStore(
      WorkedExamples.android + """
        CREATE TABLE todoitem_old (id TEXT PRIMARY KEY);
        INSERT INTO __incrementalpulldata VALUES ('todoitem_old_q', ''), ('gone_a_b', '');
        """
    ).reader().readQueue()
    #expect(queue.tokens.map(\.table) == ["todoitem", "todoitem_old", "gone"])
    #expect(queue.tokens.map(\.query) == ["allItems", "q", "a_b"])
  }

  /// The item tells the operation of an error that does not name it.
  @Test(arguments: [("NULL", "b2", true), ("NULL", "c3", false), ("'gone'", "b2", false)])
  func errorWithoutAnOperationIsThatOfItsItem(id: String, item: String, isFound: Bool) throws {
    let sql = """
      INSERT INTO __errors (id, operationid, operationkind, tablename, itemid, statuscode)
        VALUES ('e', \(id), '2.0', 'todoitem', '\(item)', 412.0);
      """
    let queue = try SQLStore(WorkedExamples.android + sql).reader().readQueue()
    #expect(queue.errors.map(\.operation) == [isFound ? 1 : nil])
  }
}
