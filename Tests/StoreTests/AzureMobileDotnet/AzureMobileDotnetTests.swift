import Testing

@testable import Records

struct AzureMobileDotnetTests {
  @Test func tableHasTypesPartsAndNamesOfGenerationB() throws {
    let reader = try SQLStore(WorkedExamples.dotnetB).reader()
    #expect(reader.tableNames == ["TodoItem"])
    let read = try #require(try reader.read("TodoItem"))
    #expect(
      read.table.types == [
        "id": .text, "text": .text, "complete": .boolean, "due": .timestamp, "price": .real,
        "photo": .binary, "meta": .json, "version": .text, "createdAt": .timestamp,
        "updatedAt": .timestamp, "deleted": .boolean,
      ])
    #expect(
      read.table.parts == [
        .id: "id", .version: "version", .createdAt: "createdAt", .updatedAt: "updatedAt",
        .deleted: "deleted",
      ])
    #expect(
      read.rows == [
        [
          "a1", "milk", "1", "2024-05-01T10:20:30.500Z", "2.5", "base64:AQID", #"{"k":[1,2]}"#,
          "AAAAAAAAB9E=", nil, "2024-05-01T10:20:30.123Z", "0",
        ]
      ])
    #expect(read.keys == [1])
  }

  @Test func queueOfGenerationBHasRowsPayloadsAndTokens() throws {
    let queue = try SQLStore(WorkedExamples.dotnetB).reader().readQueue()
    #expect(queue.operations.map(\.kind) == [.update, .delete])
    #expect(queue.operations.map(\.table) == ["TodoItem", "TodoItem"])
    #expect(queue.operations.map(\.itemID) == ["a1", "b2"])
    #expect(queue.operations.map(\.rowKey) == [1, nil])
    #expect(queue.operations.map(\.baseVersion) == ["AAAAAAAAB9E=", "AAAAAAAAB9I="])
    #expect(queue.operations.map(\.originalCode) == ["1", "2"])
    let payload = #"{"id":"b2","text":"tea","version":"AAAAAAAAB9I="}"#
    #expect(queue.operations.map { text($0.item) } == [nil, payload])
    #expect(queue.operations[1].raw == .text(Array(payload.utf8)))
    #expect(queue.tokens.map(\.table) == ["TodoItem"])
    #expect(queue.tokens.map(\.query) == ["allItems"])
    #expect(queue.tokens.map(\.updatedAt) == ["2024-05-01T10:20:30.123Z"])
    #expect(queue.tokens.map(\.raw) == ["2024-05-01T10:20:30.1230000+00:00"])
  }

  @Test func errorOfGenerationANamesItsOperation() throws {
    let queue = try SQLStore(WorkedExamples.dotnetA3).reader().readQueue()
    let error = try #require(queue.errors.first)
    #expect(queue.errors.count == 1)
    #expect(error.operation == 1)
    #expect((error.table, error.itemID) == ("TodoItem", "a1"))
    #expect((error.kind, error.status) == (.insert, 400))
    #expect(error.message == "bad")
    #expect(text(error.item) == #"{"id":"a1","text":"milk"}"#)
    #expect(error.serverItem == nil)
    #expect(error.raw == .text(Array(#"{"code":400,"error":"bad"}"#.utf8)))
  }

  @Test func conflictHasTheServersCopy() throws {
    let queue = try SQLStore(
      WorkedExamples.dotnetB + """
        INSERT INTO __errors VALUES ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01', 412, 1, 1, 'TodoItem',
          0, '{"id":"a1"}', '{"id":"a1","version":"x"}');
        """
    ).reader().readQueue()
    #expect(queue.errors.map { text($0.serverItem) } == [#"{"id":"a1","version":"x"}"#])
    #expect(queue.errors.map(\.message) == [nil])
  }

  @Test func statesAndUnknownCodesAreTold() throws {
    let queue = try SQLStore(
      WorkedExamples.dotnetB + """
        DELETE FROM __operations;
        INSERT INTO __operations (id, kind, state, tableName, itemId, sequence) VALUES
          ('d', 7, 0, 'TodoItem', 'a1', 4), ('c', 0, 2, 'todoITEM', 'x', 3),
          ('b', 0, 1, 'Gone', 'x', 2), ('a', NULL, NULL, NULL, NULL, 1);
        """
    ).reader().readQueue()
    #expect(queue.operations.map(\.originalID) == ["a", "b", "c", "d"])
    #expect(queue.operations.map(\.sequence) == [1, 2, 3, 4])
    #expect(queue.operations.map(\.state) == [.pending, .attempted, .failed, .pending])
    #expect(queue.operations.map(\.kind) == [nil, .insert, .insert, nil])
    #expect(queue.operations.map(\.originalCode) == [nil, "0", "0", "7"])
    #expect(queue.operations.map(\.table) == [nil, "Gone", "TodoItem", "TodoItem"])
  }

  @Test func oldSpellingBesideNewIsTheFallbackOfTheVersion() throws {
    let reader = try SQLStore(
      WorkedExamples.dotnetB + """
        ALTER TABLE TodoItem ADD COLUMN __version TEXT;
        ALTER TABLE TodoItem ADD COLUMN __updatedAt REAL;
        UPDATE TodoItem SET version = NULL, __version = 'old', __updatedAt = 1.5;
        """
    ).reader()
    let read = try #require(try reader.read("TodoItem"))
    #expect(read.table.parts[.version] == "version")
    #expect(read.values("__version") == ["old"])
    #expect(read.values("__updatedAt") == ["1970-01-01T00:00:01.500Z"])
    #expect(try reader.readQueue().operations[0].baseVersion == "old")
  }

  @Test func oldSpellingAloneTakesTheOneName() throws {
    let read = try #require(try SQLStore(WorkedExamples.dotnetA3).reader().read("TodoItem"))
    let version = try #require(read.table.columns.first { $0.role == .version })
    #expect((version.name, version.sourceName) == ("version", "__version"))
    #expect(read.values("updatedAt") == ["2014-05-13T16:53:20.250Z"])
  }

  @Test func columnsOfAnAppThatLookNewStayTheAppsInGenerationA() throws {
    let read = try #require(
      try SQLStore(
        WorkedExamples.dotnetA3 + "ALTER TABLE TodoItem ADD COLUMN version INTEGER;"
      ).reader().read("TodoItem"))
    #expect(read.table.types["version"] == .integer)
    #expect(read.table.parts[.version] == "__version")
  }

  /// The type takes what it says, in the letter case of the store.
  @Test(arguments: [
    ("6f9619ff-8b86-d011-b42d-00c04fc964ff", true), ("6F9619FF-8B86-D011-B42D-00C04FC964FF", true),
    ("6f9619ff8b86d011b42d00c04fc964ff", true), ("{6F9619FF-8B86-D011-B42D-00C04FC964FF}", true),
    ("(6f9619ff-8b86-d011-b42d-00c04fc964ff)", true),
    ("{6f9619ff-8b86-d011-b42d-00c04fc964ff)", false), ("6f9619ff8b86d011b42d00c04fc964f-", false),
    ("not", false), ("", false), ("6f9619ff-8b86-d011-b42d-00c04fc964fg", false),
  ])
  func columnOfGUIDsTakesThemAlone(_ text: String, isOne: Bool) throws {
    let read = try #require(
      try SQLStore(
        WorkedExamples.dotnetB + """
          ALTER TABLE TodoItem ADD COLUMN guid GUID;
          UPDATE TodoItem SET guid = '\(text)';
          """
      ).reader().read("TodoItem"))
    #expect(read.values("guid") == [isOne ? text : nil])
    #expect(read.rejects.map(\.raw) == (isOne ? [] : [.text(Array(text.utf8))]))
  }

  @Test func valuesThatDoNotFitAreKeptRaw() throws {
    let read = try #require(
      try SQLStore(
        WorkedExamples.dotnetB + """
          ALTER TABLE TodoItem ADD COLUMN guid GUID;
          ALTER TABLE TodoItem ADD COLUMN address URI;
          UPDATE TodoItem SET complete = 2, due = 'soon', photo = '?', guid = '00123',
            address = 'http://x', updatedAt = 1e300, text = CAST(x'ff' AS TEXT);
          """
      ).reader().read("TodoItem"))
    #expect(read.table.types["guid"] == .uuid)
    #expect(read.values("address") == ["http://x"])
    let rejects = Dictionary(uniqueKeysWithValues: read.rejects.map { ($0.column, $0) })
    #expect(rejects["complete"]?.raw == .integer(2))
    #expect(rejects["due"]?.raw == .text(Array("soon".utf8)))
    #expect(rejects["photo"]?.raw == .text(Array("?".utf8)))
    // The affinity of GUID has made a number of it.
    #expect(rejects["guid"]?.raw == .integer(123))
    #expect(rejects["updatedAt"]?.code == .valueOutOfRange)
    #expect(rejects["text"]?.code == .invalidText)
    #expect(rejects.count == 6)
  }

  @Test(arguments: [
    ("deltaToken|TodoItem|q", "TodoItem", "q"),
    ("TodoItem_my_query_deltaToken", "TodoItem", "my_query"),
    ("deltaToken_TodoItem_q", "TodoItem", "q"), ("Todo_Item_deltaToken_q_r", "Todo_Item", "q_r"),
    ("deltaToken|TodoItem", "TodoItem", ""),
  ])
  func tokenKeyOfAnyStyleIsRead(_ key: String, _ table: String, _ query: String) throws {
    let queue = try SQLStore(
      WorkedExamples.dotnetA3
        + "DELETE FROM __config; INSERT INTO __config VALUES ('\(key)', 'garbage');"
    ).reader().readQueue()
    #expect(queue.tokens.map(\.table) == [table])
    #expect(queue.tokens.map(\.query) == [query])
    #expect(queue.tokens.map(\.updatedAt) == [nil])
    #expect(queue.tokens.map(\.raw) == ["garbage"])
  }
}
