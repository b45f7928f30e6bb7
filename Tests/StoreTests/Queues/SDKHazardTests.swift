import Testing

@testable import Records

/// What the sibling SDKs leave behind when a file outlives the SDK that made it.
struct SDKHazardTests {
  @Test func operationWithoutTableKindIsNeverPushed() throws {
    let reader = try SQLStore(
      WorkedExamples.dotnetB + """
        INSERT INTO __operations (id, kind, state, tableName, tableKind, itemId, sequence) VALUES
          ('n', 1, 0, 'TodoItem', NULL, 'a1', 3), ('o', 1, 0, 'TodoItem', 4, 'a1', 4),
          ('p', 1, 0, 'TodoItem', 0, 'a1', 5);
        """
    ).reader()
    let findings = try reader.readQueue().findings
    #expect(findings.map(\.code) == ["operation-never-pushed", "operation-never-pushed"])
    #expect(findings.map(\.operation) == [3, 4])
    #expect(findings.map(\.itemID) == ["a1", "a1"])
  }

  /// The SDKs before the column was added do not filter.
  @Test func storeWithoutTableKindsIsPushedWhole() throws {
    let reader = try SQLStore(
      WorkedExamples.dotnetB + "ALTER TABLE __operations DROP COLUMN tableKind;"
    ).reader()
    #expect(try reader.readQueue().findings == [])
  }

  /// A store of the newer SDK in a file of the older, with an operation that has this code and state.
  private func inherited(id: String, kind: Int, state: Int) throws -> any StoreReader {
    let inherited = WorkedExamples.datasync.replacing(
      "__config] ([id] TEXT PRIMARY KEY, [value] INTEGER)",
      with: "__config] ([id] TEXT PRIMARY KEY, [value] TEXT)")
    return try SQLStore(
      inherited + """
        INSERT INTO __operations (id, kind, state, tableName, itemId, sequence) VALUES
          ('\(id)', \(kind), \(state), 'todoitem', 'a1', 2);
        """
    ).reader()
  }

  /// The older SDK's failed is the newer one's completed, which that never writes.
  @Test(
    arguments: [0, 1, 2],
    [(0, .pending), (1, .attempted), (2, .failed), (3, .failed)] as [(Int, OperationState)])
  func operationOfTheOlderSDKIsOfNoKindAndWaits(
    kind: Int, state: (code: Int, state: OperationState)
  ) throws {
    let id = "0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01"
    let reader = try inherited(id: id, kind: kind, state: state.code)
    let queue = try reader.readQueue()
    #expect(queue.operations.last?.kind == nil)
    #expect(queue.operations.last?.originalCode == "\(kind)")
    #expect(queue.operations.last?.state == state.state)
    #expect(queue.findings.map(\.code) == ["operation-of-older-sdk"])
    #expect(queue.findings.map(\.operation) == [2])
    #expect(reader.findings.map(\.code) == ["two-sdk-generations"])
  }

  @Test func operationOfTheNewerSDKInAnOlderFileIsReadAsItsOwn() throws {
    let queue = try inherited(id: "0d7c1f0e5b1a4f0e9a513c0b6d5f9e02", kind: 1, state: 2).readQueue()
    #expect(queue.operations.last?.kind == .delete && queue.operations.last?.state == .completed)
    #expect(queue.findings.isEmpty)
  }

  /// The SDKs send all that is not known to be done, and the server may have it already.
  @Test(arguments: [
    (WorkedExamples.dotnetA3, "UPDATE __operations SET state"),
    (WorkedExamples.dotnetB, "UPDATE __operations SET state"),
    (WorkedExamples.datasync, "UPDATE __operations SET state"),
    (WorkedExamples.android, "UPDATE __operations SET state"),
    (WorkedExamples.toolkit, "UPDATE DatasyncOperationsQueue SET State"),
  ])
  func stateThatTheSDKDoesNotHaveIsTold(example: String, update: String) throws {
    for (state, words) in [("7", "the state 7,"), ("-1", "-1"), ("0.5", "no whole"), ("'x'", "no")]
    {
      let queue = try SQLStore("\(example)\(update) = \(state);").reader().readQueue()
      let told = queue.findings.filter { $0.code == "unknown-operation-state" }
      #expect(told.map(\.operation) == queue.operations.map(\.sequence))
      #expect(told.allSatisfy { $0.severity == .warning && $0.message.contains(words) })
      #expect(queue.operations.allSatisfy { $0.state == .pending } && !queue.operations.isEmpty)
    }
  }

  @Test(arguments: ["0", "'1'", "2.0"]) func stateThatTheSDKHasIsNotTold(state: String) throws {
    for example in [WorkedExamples.dotnetB, WorkedExamples.datasync, WorkedExamples.android] {
      let queue = try SQLStore("\(example)UPDATE __operations SET state = \(state);").reader()
        .readQueue()
      #expect(!queue.findings.contains { $0.code == "unknown-operation-state" })
    }
    let queue = try SQLStore(WorkedExamples.dotnetB + "UPDATE __operations SET state = NULL;")
      .reader().readQueue()
    #expect(queue.findings == [])
  }

  @Test(arguments: [WorkedExamples.dotnetA3, WorkedExamples.dotnetB, WorkedExamples.datasync])
  func freshStoreRaisesNothing(sql: String) throws {
    let reader = try SQLStore(sql).reader()
    #expect(reader.findings == [])
    #expect(try reader.readQueue().findings == [])
  }

  /// Left out or repaired in silence, the name would be missed by nobody.
  @Test(arguments: [
    (
      WorkedExamples.dotnetB,
      "INSERT INTO __config VALUES (CAST(x'64656c7461ff' AS TEXT), '2024-05-01T10:20:30.000Z');",
      "the key of setting 3, of 6 bytes, is not UTF-8 and names nothing"
    ),
    (
      WorkedExamples.dotnetA3, "UPDATE __errors SET tableName = CAST(x'41ff' AS TEXT);",
      "the table of error 1, of 2 bytes, is not UTF-8 and names nothing"
    ),
    (
      WorkedExamples.amplifyIOS, "UPDATE MutationEvent SET modelId = CAST(x'41ff' AS TEXT);",
      "the item's id, of 2 bytes, is not UTF-8 and names nothing"
    ),
    (
      WorkedExamples.amplifyIOS,
      "INSERT INTO MutationSyncMetadata VALUES (CAST(x'506f73747c41ff' AS TEXT), 0, 1, 9);",
      "the id of metadata 2, of 7 bytes, is not UTF-8 and names nothing"
    ),
    (
      WorkedExamples.amplifyIOS, "UPDATE ModelSyncMetadata SET id = CAST(x'41ff' AS TEXT);",
      "the table of token 1, of 2 bytes, is not UTF-8 and names nothing"
    ),
    (
      WorkedExamples.amplifyAndroid,
      "UPDATE PersistentRecord SET containedModelId = CAST(x'41ff' AS TEXT);",
      "the item's id, of 2 bytes, is not UTF-8 and names nothing"
    ),
  ])
  func namesThatAreNoTextAreTold(example: String, damage: String, message: String) throws {
    let findings = try SQLStore(example + damage).reader().readQueue().findings
    #expect(findings.filter { $0.code == "invalid-text" }.map(\.message) == [message])
  }

  @Test func fileOfTwoGenerationsIsNoted() throws {
    let reader = try SQLStore(
      WorkedExamples.dotnetB + "ALTER TABLE __operations ADD COLUMN __createdAt DATETIME;"
    ).reader()
    #expect(reader.findings.map(\.code) == ["two-sdk-generations"])
    #expect(reader.findings.map(\.severity) == [.note])
  }

  @Test func nameThatHadToGiveWayIsNoted() throws {
    let reader = try SQLStore(
      """
      CREATE TABLE rehome_table (_pk TEXT, t TEXT); CREATE TABLE app_rehome_table (t TEXT);
      """
    ).reader()
    #expect(Set(reader.findings.map(\.code)) == ["name-changed"])
    #expect(reader.findings.count == 2)
    #expect(Set(reader.tableNames) == ["app_rehome_table", "app_rehome_table_2"])
  }

  /// Rows may lie in any order; what the queue gives is the order of the counter.
  @Test(arguments: [
    "(1, 1), (2, 2), (3, 3)", "(1, 3), (2, 2), (3, 1)", "(1, 1), (2, 1), (3, 0)",
    "(1, NULL), (2, 2), (3, 1)", "(1, 'x'), (2, 2), (3, 1.5)",
  ])
  func operationsComeInTheOrderOfTheirCounter(pairs: String) throws {
    let sql = """
      DELETE FROM __operations;
      WITH v(n, s) AS (VALUES \(pairs)) INSERT INTO __operations (id, kind, itemId, sequence)
      SELECT n, 1, n, s FROM v;
      CREATE TABLE expected AS SELECT itemId FROM __operations ORDER BY sequence, rowid;
      """
    let reader = try SQLStore(WorkedExamples.dotnetB + sql).reader()
    let expected = try #require(try reader.read("expected")).values("itemId")
    #expect(try reader.readQueue().operations.map(\.itemID) == expected)
  }
}
