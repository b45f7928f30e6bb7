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
}
