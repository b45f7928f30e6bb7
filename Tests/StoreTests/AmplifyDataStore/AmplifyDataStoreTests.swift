import SyncSDKs
import Testing

@testable import Records

struct AmplifyDataStoreTests {
  @Test func versionsAreJoinedAndTimesKnownByTheirValues() throws {
    let read = try #require(try SQLStore(WorkedExamples.amplifyIOS).reader().read("Post"))
    #expect(read.table.types["version"] == .text)
    #expect(read.table.types["createdAt"] == .timestamp)
    #expect(read.table.types["done"] == .integer)
    #expect(read.values("version") == ["5"])
    let odd = WorkedExamples.amplifyIOS + "INSERT INTO Post (id, createdAt) VALUES ('B', 'soon');"
    let other = try #require(try SQLStore(odd).reader().read("Post"))
    #expect(other.table.types["createdAt"] == .text)
    #expect(other.values("version") == ["5", nil])
    #expect(other.rejects.isEmpty)
  }

  @Test func columnOfTheAppKeepsItsNameBesideTheJoinedOne() throws {
    let sql = WorkedExamples.amplifyIOS + "ALTER TABLE Post ADD COLUMN Version integer;"
    let read = try #require(try SQLStore(sql).reader().read("Post"))
    #expect(read.table.types["Version"] == .integer)
    #expect(read.values("_version") == ["5"])
  }

  /// Android keeps the language in a table of its own, which tells nothing of an app's rows.
  @Test(arguments: [("", []), ("INSERT INTO Post VALUES ('b', 'bread');", ["never-synced"])])
  func storeIsSynchronisedByRowsOfTheApp(_ sql: String, codes: [String]) throws {
    let empty =
      WorkedExamples.amplifyAndroid + """
        DELETE FROM Post; DELETE FROM ModelMetadata; DELETE FROM PersistentRecord;
        DELETE FROM LastSyncMetadata; INSERT INTO android_metadata VALUES ('en_GB');
        """
    #expect(try SQLStore(empty + sql).reader().readQueue().findings.map(\.code) == codes)
  }

  @Test func operationsHaveTheLargerVersionAndTheStoredItem() throws {
    let queue = try SQLStore(WorkedExamples.amplifyIOS).reader().readQueue()
    #expect(queue.operations.map(\.baseVersion) == ["7"])
    #expect(queue.operations.map(\.rowKey) == [1])
    #expect(queue.operations.map(\.originalCode) == ["update"])
    #expect(
      queue.operations.map { $0.item.map { String(decoding: $0, as: UTF8.self) } }
        == [#"{"id":"A1","title":"milk"}"#])
    let metadata = try SQLStore(
      WorkedExamples.amplifyIOS + "UPDATE MutationSyncMetadata SET version = 12;"
    ).reader().readQueue()
    #expect(metadata.operations.map(\.baseVersion) == ["12"])
    // What is new has no version, whatever the store has of another item of its id.
    let new = try SQLStore(
      WorkedExamples.amplifyIOS + "UPDATE MutationEvent SET mutationType = 'create';"
    ).reader().readQueue()
    #expect(new.operations.map(\.baseVersion) == [nil])
  }

  /// So many items that they are not brought together at once; every second one is not known, and
  /// every third has no row.
  @Test func eachOfManyOperationsHasTheVersionOfItsItem() throws {
    let sql = """
      DELETE FROM Post; DELETE FROM MutationEvent; DELETE FROM MutationSyncMetadata;
      CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60000)
        SELECT i FROM n;
      INSERT INTO MutationEvent SELECT 'e' || i, '2024-05-02T09:00:00.000Z', NULL, 0,
        json_object('id', 'i' || i), 'i' || i, 'Post', 'update', NULL FROM n WHERE i <= 40000;
      INSERT INTO MutationSyncMetadata SELECT 'Post|i' || i, 0, 1, i FROM n WHERE i % 2 = 0
        ORDER BY i DESC;
      INSERT INTO Post (id) SELECT 'i' || i FROM n WHERE i % 3 <> 0;
      DROP TABLE n;
      """
    let queue = try SQLStore(WorkedExamples.amplifyIOS + sql).reader().readQueue()
    #expect(queue.operations.count == 40_000)
    #expect(
      queue.operations.allSatisfy { operation in
        operation.baseVersion == (operation.sequence % 2 == 0 ? "\(operation.sequence)" : nil)
      })
    let lost = queue.findings.filter { $0.code == "version-without-row" }
    // Nothing waits for those behind the last operation.
    #expect(lost.reduce(0) { $0 + $1.count } == (40_001...60_000).count { $0 % 6 == 0 })
  }

  @Test func bareWordInThePayloadIsNoObstacle() throws {
    let queue = try SQLStore(WorkedExamples.amplifyAndroid).reader().readQueue()
    #expect(queue.operations.map(\.kind) == [.update])
    #expect(queue.operations.map(\.baseVersion) == ["5"])
    #expect(queue.findings.isEmpty)
    let cut = try SQLStore(
      WorkedExamples.amplifyAndroid
        + "UPDATE PersistentRecord SET serializedMutationData = '{\"mutationId\":';"
    ).reader().readQueue()
    #expect(cut.operations.map(\.kind) == [nil])
    #expect(cut.operations.map(\.table) == [nil])
    #expect(cut.findings.map(\.code) == ["queue-blocked"])
  }

  @Test func listInAColumnOfNumbersIsRight() throws {
    let reader = try SQLStore(WorkedExamples.amplifyJS).reader()
    let read = try #require(try reader.read("Post"))
    #expect(read.table.types["tags"] == .text)
    #expect(read.table.types["_lastChangedAt"] == .integer)
    #expect(read.table.types["deleted"] == .boolean)
    #expect(read.rejects.isEmpty)
    #expect(try reader.readQueue().findings.map(\.code) == ["partial-payload"])
  }

  @Test func conditionIsKeptBehindThePayload() throws {
    let sql =
      WorkedExamples.amplifyIOS
      + #"UPDATE MutationEvent SET graphQLFilterJSON = '{"a":{"eq":1}}';"#
    let queue = try SQLStore(sql).reader().readQueue()
    #expect(queue.findings.map(\.code) == ["conditional-operation"])
    #expect(
      queue.operations.first?.raw
        == .text(Array("{\"id\":\"A1\",\"title\":\"milk\"}\n{\"a\":{\"eq\":1}}".utf8)))
  }

  /// A create with a conditional update of a part, which the SDK keeps apart.
  @Test func partsOfAnItemComeToTheWhole() throws {
    let sql =
      WorkedExamples.amplifyJS + """
        DELETE FROM MutationEvent;
        INSERT INTO MutationEvent (id, model, data, modelId, operation, condition) VALUES
          ('U1', 'Post', '{"id":"n","title":"t","done":true}', 'n', 'Create', '{}'),
          ('U2', 'Post', '{"id":"n","done":false}', 'n', 'Update', '{"title":{"eq":"t"}}');
        """
    let reader = try SQLStore(sql).reader()
    let effects = Fold(
      try reader.readQueue().operations, habits: reader.source.foldHabits
    ).effects
    #expect(effects.map(\.kind) == [.insert])
    #expect(effects.map { text($0.item) } == [#"{"id":"n","title":"t","done":false}"#])
  }

  /// An app may call its own tables so; only all of them with their columns are the SDK's.
  @Test(arguments: [
    "DROP TABLE ModelSyncMetadata", "ALTER TABLE MutationEvent RENAME TO mutationevent2",
    "ALTER TABLE MutationEvent RENAME COLUMN inProcess TO inprocess",
    "ALTER TABLE MutationSyncMetadata DROP COLUMN lastChangedAt",
  ])
  func lookAlikeIsAnyOtherStore(_ change: String) throws {
    let store = try SQLStore(WorkedExamples.amplifyIOS + change + ";")
    #expect(try store.reader().source.layout == .sqlite)
  }

  @Test func tableOfAnotherVariantsNameIsTheApps() throws {
    let sql = WorkedExamples.amplifyIOS + "CREATE TABLE Setting (id text primary key, key text);"
    #expect(try SQLStore(sql).reader().catalogue.tables.map(\.name) == ["Post", "Setting"])
  }

  /// The SDK sends the greater of the versions, and the events before the last raise it.
  @Test func effectHasTheGreatestVersion() throws {
    let sql =
      WorkedExamples.amplifyIOS + """
        INSERT INTO MutationEvent (id, createdAt, graphQLFilterJSON, inProcess, json, modelId,
          modelName, mutationType, version) SELECT 'E9', '2030-01-01T00:00:00.000Z', '{"a":1}', 0,
          json, modelId, modelName, mutationType, NULL FROM MutationEvent;
        """
    let reader = try SQLStore(sql).reader()
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.baseVersion) == ["7", "5"])
    let fold = Fold(queue.operations, habits: reader.source.foldHabits)
    #expect(fold.effects.map(\.baseVersion) == ["7"])
  }
}
