import SyncSDKs
import Testing

@testable import Records

/// The worked example of the format's description, and what single changes of it come to.
struct CouchbaseLiteTests {
  @Test func leavesAboveTheCheckpointWait() throws {
    let reader = try SQLStore(WorkedExamples.couchbase).reader()
    #expect(reader.catalogue.tables.map(\.name) == ["task"])
    let read = try #require(try reader.read("task"))
    #expect(
      read.table.columns.map(\.name) == [
        "_id", "version", "complete", "price", "task", "type", "_attachments",
      ])
    #expect(read.values("_id") == ["task-u", "task-n"])
    #expect(read.values("price") == ["4.0", "0.1"])
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.kind) == [.insert, .update, .delete])
    #expect(queue.operations.map(\.originalID) == ["10", "12", "13"])
    #expect(
      queue.operations.map(\.baseVersion) == [
        nil, "1-3ea70da40edcda2d6046e43789848866", "1-4b934a04b2c4dbf679b2239411b040de",
      ])
    #expect(queue.operations.map(\.rowKey) == [4, 2, nil])
    #expect(queue.tokens.map(\.raw) == ["9"])
    // The revisions that a push would send are kept as they are.
    let raws = queue.operations.map { String(decoding: $0.raw?.bytes ?? [], as: UTF8.self) }
    let leaves = ["1-9f17", "3-2f15", "2-a239"]
    #expect(zip(raws, leaves).allSatisfy { $0.hasPrefix(#"{"revid":"\#($1)"#) }, "\(raws)")
    #expect(reader.findings.map(\.code) == ["secret-withheld"])
  }

  @Test(arguments: [
    ("UPDATE info SET value = '58-g1AAA' WHERE key <> 'cookies'", ["no-push-checkpoint"]),
    ("INSERT INTO info VALUES ('checkpoint/x', '3')", ["push-checkpoint-ambiguous"]),
    (
      """
      CREATE TABLE replicators (remote TEXT, push BOOLEAN, last_sequence TEXT);
      INSERT INTO replicators VALUES ('a', 1, '3'), ('b', 1, '99'), ('c', 0, '1')
      """, ["pushed-to-some-remotes", "checkpoint-beyond-store"]
    ),
    ("UPDATE docs SET expiry_timestamp = 1 WHERE doc_id = 4", ["expired-document"]),
    ("UPDATE revs SET current = 0 WHERE doc_id = 4", ["document-without-leaf"]),
    ("UPDATE revs SET json = NULL WHERE doc_id = 4", ["missing-revision-body"]),
  ])
  func oddityIsTold(change: String, codes: [String]) throws {
    let reader = try SQLStore(WorkedExamples.couchbase + change + ";").reader()
    #expect(reader.findings.map(\.code) == codes + ["secret-withheld"])
  }

  /// Empty tables, and those that versions of the SDK make, hold nothing of the app's.
  @Test func tableOfTheAppsOwnIsTold() throws {
    let own = """
      CREATE TABLE mine (x); INSERT INTO mine VALUES (1); CREATE TABLE empty (x);
      CREATE TABLE maps_1 (x); INSERT INTO maps_1 VALUES (1);
      CREATE TABLE android_metadata (locale TEXT); INSERT INTO android_metadata VALUES ('en');
      """
    let reader = try SQLStore(WorkedExamples.couchbase + own).reader()
    let told = reader.findings.filter { $0.code == "table-left-out" }
    #expect(told.map(\.table) == ["mine"])
  }

  @Test func tableOfLocalDocumentsThatGivesWayIsTold() throws {
    let change = """
      UPDATE revs SET json = '{"type":"local_documents"}' WHERE doc_id = 4;
      INSERT INTO localdocs VALUES ('_local/x', '1-local', '{}');
      """
    let reader = try SQLStore(WorkedExamples.couchbase + change).reader()
    let told = reader.findings.filter { $0.code == "name-changed" }
    #expect(told.map(\.table) == [reader.catalogue.tables.last?.name])
  }

  /// Each branch that waits is told, so that none is sent unseen.
  @Test func conflictIsToldOfItsOperations() throws {
    let branch = "INSERT INTO revs (doc_id, revid, current, json) VALUES (4, '10-a', 1, '{}');"
    let reader = try SQLStore(WorkedExamples.couchbase + branch).reader()
    #expect(reader.findings.map(\.code) == ["secret-withheld"])
    let queue = try reader.readQueue()
    #expect(queue.findings.map(\.code) == ["document-conflict", "document-conflict"])
    #expect(queue.findings.map(\.operation) == [1, 4])
    #expect(queue.findings.allSatisfy { $0.itemID == "task-n" })
    #expect(queue.findings.first?.message.contains("10-a; the app sees 10-a") == true)
  }

  /// Names without the mark of a local document, and what is no name at all.
  @Test func oddLocalDocumentKeepsItsID() throws {
    let sql = """
      INSERT INTO localdocs VALUES ('_local/ok', '1', '{}'), ('plain', '1', '{}'),
        (x'00', '1', '{}'), (CAST('_local/' || x'ff' AS TEXT), '1', '{}');
      """
    let read = try #require(
      try SQLStore(WorkedExamples.couchbase + sql).reader().read("local_documents"))
    #expect(read.values("_id") == ["ok", "plain", nil, nil])
    #expect(
      read.rejects.map(\.raw) == [.binary([0]), .text(Array("_local/".utf8) + [0xFF])])
    #expect(read.rejects.map(\.code) == [.valueOfWrongType, .invalidText])
  }

  @Test func attachmentWhoseNameIsNoTextIsShown() throws {
    let sql = """
      CREATE TABLE attachments (sequence INTEGER NOT NULL, filename TEXT NOT NULL,
        key BLOB NOT NULL, type TEXT, length INTEGER NOT NULL, revpos INTEGER DEFAULT 0);
      INSERT INTO attachments VALUES (10, CAST('name' AS BLOB), x'00', NULL, 5, 1);
      """
    let reader = try SQLStore(WorkedExamples.couchbase + sql).reader()
    let read = try #require(try reader.read("task"))
    let shown = read.values("_attachments").compactMap { $0 }
    #expect(shown.count == 1 && shown.first?.hasPrefix(#"{"name":{"#) == true)
    #expect(shown.first?.contains(#""length":5,"revpos":1,"stub":true}"#) == true, "\(shown)")
    #expect(reader.findings.contains { $0.code == "value-of-wrong-type" && $0.table == "task" })
  }

  /// Generations are numbers: as bytes, 9 would be greater than 10.
  @Test(arguments: [
    ("10-a", "9-f", "10-a"), ("2-a", "2-B", "2-a"), ("x", "9-f", "x"),
    ("123456789-a", "2-a", "2-a"),
  ])
  func greatestRevisionWins(first: String, second: String, winner: String) throws {
    for (one, other) in [(first, second), (second, first)] {
      let sql = """
        UPDATE revs SET current = 0 WHERE doc_id = 4;
        INSERT INTO revs (doc_id, revid, current, json) VALUES (4, '\(one)', 1, '{"type":"t"}'),
          (4, '\(other)', 1, '{"type":"t"}');
        """
      let read = try #require(try SQLStore(WorkedExamples.couchbase + sql).reader().read("t"))
      #expect(read.values("version") == [winner])
    }
  }

  /// A tombstone on the losing branch must not delete what the winner says.
  @Test func branchesAreNotFolded() throws {
    let sql = """
      INSERT INTO revs (doc_id, revid, parent, current, deleted, json)
        VALUES (2, '2-b', 2, 1, 1, '{}');
      """
    let reader = try SQLStore(WorkedExamples.couchbase + sql).reader()
    let queue = try reader.readQueue()
    let fold = Fold(queue.operations, habits: reader.source.foldHabits)
    #expect(fold.effects.map(\.kind) == [.insert, .update, .delete, .delete])
    #expect(fold.effects.map(\.sequences) == [[1], [2], [3], [4]])
  }

  /// A push leaves out what has no body.
  @Test func leafWithoutBodyHasNothingToSend() throws {
    let reader = try SQLStore(
      WorkedExamples.couchbase + "UPDATE revs SET json = NULL WHERE sequence = 12;"
    ).reader()
    let operation = try reader.readQueue().operations[1]
    #expect(operation.kind == .update && operation.itemID == "task-u")
    #expect(operation.rowKey == nil && operation.item == nil)
    #expect(try reader.read("task")?.values("_id").contains("task-u") == true)
  }

  /// A losing branch is no row, and what has no place in one is never sent as null.
  @Test(arguments: [
    (#"{"type":"task","price":9007199254740993}"#, true), ("nope", true),
    (#"{"type":"task","price":9007199254740992}"#, false),
  ])
  func losingBranchWithoutAValueHasNothingToSend(body: String, isLost: Bool) throws {
    let sql = """
      INSERT INTO revs (doc_id, revid, parent, current, json) VALUES (2, '2-0', 2, 1, '\(body)');
      """
    let queue = try SQLStore(WorkedExamples.couchbase + sql).reader().readQueue()
    #expect(queue.operations[3].originalID == "14" && queue.operations[3].rowKey == nil)
    #expect((queue.operations[3].item == nil) == isLost)
    let told = queue.findings.filter { $0.code == "operation-without-value" }
    #expect(told.map(\.operation) == (isLost ? [4] : []))
  }

  /// Parents that lead in a circle, to another document or to nothing end a line.
  @Test(arguments: ["12", "13", "99", "'x'"])
  func oddParentEndsTheLine(parent: String) throws {
    let sql = "UPDATE revs SET parent = \(parent) WHERE sequence = 11;"
    let queue = try SQLStore(WorkedExamples.couchbase + sql).reader().readQueue()
    #expect(queue.operations.map(\.kind) == [.insert, .update, .delete])
    #expect(queue.operations[1].baseVersion == "2-8ac23e6f3d569be314360b7493968c27")
  }

  @Test(arguments: [
    "DROP TABLE views", "ALTER TABLE localdocs RENAME COLUMN json TO body",
    "CREATE TABLE kv_default (key TEXT)", "CREATE TABLE kvmeta (key TEXT)",
    "ALTER TABLE revs RENAME TO revisions",
  ])
  func lookAlikeIsAnyOtherStore(_ change: String) throws {
    let store = try SQLStore(WorkedExamples.couchbase + change + ";")
    #expect(try store.reader().source.layout == .sqlite)
  }

  @Test func idIsCalledAsTheAppCallsIt() throws {
    let reader = try SQLStore(WorkedExamples.couchbase).reader()
    let id = try #require(reader.catalogue.tables.first?.columns.first)
    #expect(id.name == "_id" && id.sourceName == "_id" && id.sourceColumn == "docid")
  }

  @Test func namesThatGaveWayAreTold() throws {
    let sql = """
      UPDATE revs SET json = '{"Task":1,"task":"x","type":"task"}' WHERE sequence = 10;
      INSERT INTO docs (doc_id, docid) VALUES (9, 'x');
      INSERT INTO revs (doc_id, revid, current, deleted, json) VALUES (9, '1-a', 1, 0,
        '{"type":"Task"}');
      """
    let reader = try SQLStore(WorkedExamples.couchbase + sql).reader()
    #expect(reader.tableNames == ["Task", "task_2"])
    let told = reader.findings.filter { $0.code == "name-changed" }.map(\.message)
    #expect(
      told == [
        "the table task is called task_2 here", "the column task of task_2 is called task_2 here",
      ])
  }
}
