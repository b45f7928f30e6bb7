import Testing

@testable import Records

struct WatermelonDBTests {
  @Test func typesFollowFromValuesAndNames() throws {
    let read = try #require(try SQLStore(WorkedExamples.watermelon).reader().read("tasks"))
    #expect(read.table.columns.map(\.name) == ["id", "name", "done", "position", "createdAt"])
    #expect(read.table.types["done"] == .boolean)
    #expect(read.table.types["position"] == .real)
    #expect(read.table.types["createdAt"] == .timestamp)
    #expect(read.values("createdAt") == ["2024-05-01T10:20:30.123Z", "1970-01-01T00:00:00.000Z"])
  }

  @Test func deletedRowIsAPayloadAndNoRow() throws {
    let store = try SQLStore(WorkedExamples.watermelon)
    let reader = try store.reader()
    #expect(try reader.read("tasks")?.keys == [1, 3])
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.kind) == [.insert, .update, .delete])
    #expect(queue.operations.map(\.originalID) == ["tasks/c", "tasks/a", "tasks/b"])
    #expect(queue.operations.map(\.rowKey) == [3, 1, nil])
    let item = try #require(queue.operations[2].item)
    #expect(
      String(decoding: item, as: UTF8.self)
        == #"{"_pk":2,"id":"b","name":"gone","done":null,"position":2.0,"createdAt":null}"#)
    #expect(queue.tokens.map(\.updatedAt) == ["2024-05-01T10:20:31.000Z"])
  }

  /// No delete can be made of a row without an id, so it is a row.
  @Test func deletedRowWithoutAnIDStays() throws {
    let sql = """
      INSERT INTO "tasks" ("id", "_status", "name") VALUES (NULL, 'deleted', 'p'),
        (17, 'deleted', 'q'), (x'01', 'deleted', 'r'), (CAST(x'ff' AS TEXT), 'deleted', 's');
      """
    let reader = try SQLStore(WorkedExamples.watermelon + sql).reader()
    let read = try #require(try reader.read("tasks"))
    #expect(read.values("name") == ["milk", "new", "p", "q", "r"])
    #expect(read.rejects.map(\.raw) == [.integer(17), .binary([1])])
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.itemID) == ["c", "a", "b", nil])
    #expect(text(queue.operations[3].item)?.contains(#""name":"s""#) == true)
    #expect(
      queue.operations[3].raw
        == .text(Array(#"{"_status":"deleted","_changed":"","id":{"base64":"/w=="}}"#.utf8)))
    #expect(queue.findings.map(\.code) == ["tombstones", "invalid-text"])
    #expect(queue.findings.first?.message.hasPrefix("2 ") == true)
  }

  @Test func valueWithoutAPlaceInADeletedRowIsKept() throws {
    let sql = #"UPDATE "tasks" SET "position" = 'the only text', "done" = x'00' WHERE "id" = 'b'"#
    let queue = try SQLStore(WorkedExamples.watermelon + sql).reader().readQueue()
    let raw =
      #"{"_status":"deleted","_changed":"","done":{"base64":"AA=="},"position":"the only text"}"#
    #expect(queue.operations[2].raw == .text(Array(raw.utf8)))
    #expect(
      queue.findings.map(\.code) == ["tombstones", "value-of-wrong-type", "value-of-wrong-type"])
  }

  /// Rows without keys are numbered, and a deleted one must not have the number of another.
  @Test func deletedRowHasANumberOfItsOwn() throws {
    let sql = """
      CREATE TABLE "notes" ("id" PRIMARY KEY NOT NULL, "_changed", "_status", "name") WITHOUT ROWID;
      INSERT INTO "notes" VALUES ('a', '', 'synced', 'x'), ('b', '', 'deleted', 'y'),
        ('c', '', 'synced', 'z'), ('d', '', 'deleted', 'w');
      """
    let reader = try SQLStore(WorkedExamples.watermelon + sql).reader()
    #expect(try reader.read("notes")?.keys == [1, 2])
    let items = try reader.readQueue().operations.filter { $0.table == "notes" }.map(\.item)
    #expect(
      items.map { text($0) } == [
        #"{"_pk":3,"id":"b","name":"y"}"#, #"{"_pk":4,"id":"d","name":"w"}"#,
      ])
  }

  /// The name that the table has in the end is that of findings and of options.
  @Test func tableThatIsCalledOtherwiseIsToldByItsName() throws {
    let sql =
      WorkedExamples.watermelon.replacing("tasks", with: "rehome_t")
      + "UPDATE rehome_t SET created_at = 1714558830 WHERE id = 'a';"
    let types = Corrections(types: ["app_rehome_t.position=text"])
    let reader = try SQLStore(sql).reader(types)
    #expect(try reader.read("app_rehome_t")?.table.types["position"] == .text)
    let odd = reader.findings.first { $0.code == "timestamp-implausible" }
    #expect(odd?.table == "app_rehome_t")
  }

  @Test func typeThatAPersonTellsTakesNumbersOfEitherClass() throws {
    let types = ["tasks.position=boolean", "tasks.done=timestamp"]
    let read = try #require(
      try SQLStore(WorkedExamples.watermelon).reader(Corrections(types: types)).read("tasks"))
    #expect(read.values("position") == ["1", "0"])
    #expect(read.values("done") == ["1970-01-01T00:00:00.001Z", "1970-01-01T00:00:00.000Z"])
    #expect(read.rejects.isEmpty)
  }

  /// What speaks against each: no settings, no model, other columns, another case.
  @Test(arguments: [
    "DROP TABLE local_storage", "DROP TABLE tasks", "ALTER TABLE local_storage ADD COLUMN x",
    "ALTER TABLE tasks RENAME COLUMN _status TO _State",
  ])
  func lookAlikeIsAPlainFile(change: String) throws {
    let source = try SQLStore(WorkedExamples.watermelon + change).reader().source
    #expect(source.layout == .sqlite)
  }

  /// What the first rows of odd stores are told as.
  @Test(arguments: [
    ("UPDATE tasks SET _status = 'Synced' WHERE id = 'a'", "unknown-sync-status"),
    ("UPDATE tasks SET _status = NULL WHERE id = 'a'", "unknown-sync-status"),
    ("UPDATE tasks SET _status = 'synced' WHERE id = 'a'", "changed-without-status"),
    ("UPDATE tasks SET _changed = '' WHERE id = 'a'", "update-without-changes"),
    ("UPDATE tasks SET _changed = 'name,gone' WHERE id = 'a'", "changed-names-unknown-column"),
    (
      "UPDATE tasks SET _changed = 'gone', _status = 'synced' WHERE id = 'a'",
      "changed-names-unknown-column"
    ),
    ("UPDATE tasks SET created_at = 1714558830 WHERE id = 'a'", "timestamp-implausible"),
    ("DELETE FROM local_storage", "never-synced"),
    ("UPDATE local_storage SET value = '0'", "never-synced"),
    (
      "INSERT INTO local_storage VALUES ('__watermelon_last_pulled_schema_version', '2')",
      "migration-sync-pending"
    ),
  ])
  func oddStoreIsTold(change: String, code: String) throws {
    let reader = try SQLStore(WorkedExamples.watermelon + change).reader()
    let codes = Set((reader.findings + (try reader.readQueue().findings)).map(\.code))
    #expect(codes.contains(code))
    let sound = try SQLStore(WorkedExamples.watermelon).reader()
    #expect(
      (sound.findings + (try sound.readQueue().findings)).map(\.code)
        == ["types-inferred", "tombstones"])
  }

  /// A server that counts milliseconds may have parts of them.
  @Test(arguments: ["1714558831000.0", "1714558831000.75"])
  func lastPullHasPartsOfMilliseconds(_ text: String) throws {
    let reader = try SQLStore(
      WorkedExamples.watermelon + "UPDATE local_storage SET value = '\(text)'"
    ).reader()
    let token = try #require(try reader.readQueue().tokens.first)
    #expect(token.updatedAt == "2024-05-01T10:20:31.000Z" && token.raw == text)
    let other = try SQLStore(
      WorkedExamples.watermelon + "UPDATE local_storage SET value = '17.5'"
    ).reader()
    #expect(try other.readQueue().tokens.map(\.updatedAt) == [nil])
  }

  @Test func generationIsToldByTheDeclarations() throws {
    let old = WorkedExamples.watermelon.replacing(
      #"create table "local_storage" ("key" varchar(16) primary key not null, "value" text not null)"#,
      with: "create table local_storage (key varchar(16) primary key not null, value text not null)"
    )
    #expect(try SQLStore(old).reader().source.generation == "w3")
    let header = #"("id" primary key, "_changed", "_status", "name""#
    let second = old.replacing(
      header, with: #"("id" primary key, "_changed", "_status", "last_modified", "name""#
    ).replacing(", 'milk'", with: ", NULL, 'milk'").replacing(", 'gone'", with: ", NULL, 'gone'")
      .replacing(", 'new'", with: ", NULL, 'new'")
    #expect(try SQLStore(second).reader().source.generation == "w2")
  }

  /// Whole numbers as doubles in the SDK's own columns tell nothing of how the app writes.
  @Test(arguments: [("w2", LogicalType.integer), ("w3", .boolean)])
  func ownColumnTellsNothingOfTheWriter(generation: String, type: LogicalType) throws {
    let columns =
      generation == "w2"
      ? #""_changed", "_status", "last_modified", "done""#
      : #""_changed", "_status", "done", "last_modified""#
    let reader = try SQLStore(
      """
      create table "tasks" ("id" primary key, \(columns));
      create table local_storage (key varchar(16) primary key not null, value text not null);
      INSERT INTO "tasks" (id, _changed, _status, done, last_modified)
        VALUES ('a', '', 'synced', 1, 5.0), (7.0, '', 'synced', 0, 6.0);
      """
    ).reader()
    #expect(reader.source.generation == generation)
    #expect(try reader.read("tasks")?.table.types["done"] == type)
  }
}
