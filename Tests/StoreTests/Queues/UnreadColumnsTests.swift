import Testing

@testable import Records
@testable import SyncSDKs
@testable import Tables

/// What no field of an operation or error can say is kept behind its raw payload, and told.
struct UnreadColumnsTests {
  private static let android =
    WorkedExamples.android + """
      INSERT INTO __errors VALUES ('e', '0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01', '2.0', 'todoitem',
        'b2', '{"id":"b2"}', 'words', 412.0, 'answer', '{"id":"b2"}', NULL);
      """
  private static let datasync =
    WorkedExamples.datasync + """
      INSERT INTO __errors VALUES ('0d7c1f0e5b1a4f0e9a513c0b6d5f9e01', 400, 1, 3, 'todoitem',
        '{"id":"a1"}', 'answer');
      """

  private func queue(_ example: String, _ damage: String) throws -> Queue {
    try SQLStore(example + damage).reader().readQueue()
  }

  /// The codes of findings about values.
  private func codes(_ queue: Queue) -> [String] {
    queue.findings.map(\.code).filter { ["invalid-text", "value-of-wrong-type"].contains($0) }
  }

  @Test(
    arguments: [
      (WorkedExamples.dotnetA3, "item"), (datasync, "item"), (android, "clientitem"),
      (android, "serveritem"),
    ],
    [
      #"'{"id":"a","t":"only copy \ud83d"}'"#, #"'{"id":"a","t":"only copy'"#, #"'["only copy"]'"#,
      #"'{"id":"a","id":"b","t":"only copy"}'"#, "'only copy'",
    ])
  func itemOfAnErrorThatIsNoObjectIsKeptAndTold(
    store: (sql: String, column: String), item: String
  ) throws {
    let damage = "UPDATE __errors SET \(store.column) = \(item);"
    let queue = try queue(store.sql, damage)
    let error = try #require(queue.errors.first)
    #expect((store.column == "serveritem" ? error.serverItem : error.item) == nil)
    let raw = try #require(error.raw)
    let (answer, words) = (raw.payload?.bytes ?? [], try #require(text(raw.bytes)))
    #expect(text(answer)?.contains("only copy") == false)
    #expect(words.dropFirst(answer.count).contains(#"{"unread":{"\#(store.column)":""#))
    #expect(words.contains("only copy"), "\(words)")
    #expect(codes(queue) == ["value-of-wrong-type"])
  }

  /// No ordinary error is told, or spelled otherwise than it was.
  @Test(arguments: [
    (WorkedExamples.dotnetA3, ""), (datasync, ""), (android, ""),
    (android, "UPDATE __errors SET serveritem = NULL, clientitem = '', statuscode = NULL;"),
    (android, "UPDATE __errors SET serveritem = 'null', clientitem = 'null';"),
  ])
  func errorThatCanBeReadHasItsAnswerAlone(sql: String, change: String) throws {
    let queue = try queue(sql, change)
    #expect(queue.findings == [])
    #expect(
      !queue.errors.isEmpty
        && queue.errors.allSatisfy { text($0.raw?.bytes)?.contains("unread") != true })
  }

  /// The bytes `61 ff` are `Yf8=` in base64, `a1` is `YTE=`.
  @Test(
    arguments: [
      (WorkedExamples.dotnetB, "__operations", "itemId"),
      (WorkedExamples.dotnetB, "__operations", "tableName"), (datasync, "__operations", "itemId"),
      (WorkedExamples.dotnetA3, "__errors", "tableName"), (android, "__operations", "itemid"),
      (android, "__errors", "operationid"), (android, "__errors", "errormessage"),
      (WorkedExamples.toolkit, "DatasyncOperationsQueue", "EntityVersion"),
      (WorkedExamples.amplifyIOS, "MutationEvent", "modelId"),
      (WorkedExamples.amplifyIOS, "MutationEvent", "version"),
      (WorkedExamples.amplifyIOS, "MutationEvent", "inProcess"),
      (WorkedExamples.amplifyIOS, "MutationEvent", "graphQLFilterJSON"),
      (WorkedExamples.amplifyJS, "MutationEvent", "condition"),
    ], [("CAST(x'61ff' AS TEXT)", "Yf8="), ("x'6131'", "YTE=")])
  func nameThatIsNoTextIsKeptAndTold(
    place: (sql: String, table: String, column: String), value: (sql: String, base64: String)
  ) throws {
    let damage = "UPDATE \(place.table) SET \(place.column) = \(value.sql);"
    let queue = try queue(place.sql, damage)
    let kept = #""\#(place.column)":{"base64":"\#(value.base64)"}"#
    let raws =
      place.table == "__errors" ? queue.errors.map(\.raw) : queue.operations.map(\.raw)
    let words = raws.map { text($0?.bytes) ?? "" }
    #expect(!words.isEmpty && words.contains { $0.contains(kept) }, "\(words)")
    #expect(!codes(queue).isEmpty)
  }

  /// What kind such an operation is of is told by its own finding.
  @Test(
    arguments: [
      (WorkedExamples.dotnetB, "__operations", "kind"), (android, "__operations", "kind"),
      (WorkedExamples.cordova, "__operations", "action"),
      (WorkedExamples.amplifyIOS, "MutationEvent", "mutationType"),
      (WorkedExamples.amplifyJS, "MutationEvent", "operation"),
    ], [("CAST(x'61ff' AS TEXT)", "Yf8="), ("x'31'", "MQ==")])
  func kindThatIsNoTextIsKept(
    place: (sql: String, table: String, column: String), value: (sql: String, base64: String)
  ) throws {
    let queue = try queue(place.sql, "UPDATE \(place.table) SET \(place.column) = \(value.sql);")
    let kept = #""\#(place.column)":{"base64":"\#(value.base64)"}"#
    #expect(!queue.operations.isEmpty)
    for operation in queue.operations {
      #expect(operation.kind == nil && operation.originalCode == nil)
      #expect(text(operation.raw?.bytes)?.contains(kept) == true)
    }
    #expect(codes(queue) == [])
  }

  /// Nobody may take a change under a condition for one without.
  @Test(
    arguments: [
      (WorkedExamples.amplifyIOS, "graphQLFilterJSON"), (WorkedExamples.amplifyJS, "condition"),
    ], ["x'ff'", "CAST(x'7bff' AS TEXT)", "x'7b2261223a317d'", "'{\"a\":1}'"])
  func conditionCountsWhateverItIs(place: (sql: String, column: String), value: String) throws {
    let queue = try queue(place.sql, "UPDATE MutationEvent SET \(place.column) = \(value);")
    let told = queue.findings.count { $0.code == "conditional-operation" }
    #expect(told == queue.operations.count && told > 0)
  }

  /// Repaired, the ids of two operations would be one.
  @Test func idThatIsNoTextNamesNoOtherOperation() throws {
    let queue = try queue(
      WorkedExamples.dotnetA3,
      """
      UPDATE __operations SET id = CAST(x'61ff' AS TEXT);
      UPDATE __errors SET id = CAST(x'61fe' AS TEXT), tableName = 'Other';
      """)
    #expect(queue.operations.map(\.originalID) == [nil])
    #expect(queue.errors.map(\.operation) == [nil])
    #expect(codes(queue) == ["invalid-text", "invalid-text"])
  }

  /// An operation sends what it would send beside an odd name, and no payload becomes unreadable.
  @Test func payloadStandsBeforeWhatIsKept() throws {
    let queue = try queue(
      WorkedExamples.dotnetB, "UPDATE __operations SET id = CAST(x'61ff' AS TEXT) WHERE kind = 2;")
    let delete = try #require(queue.operations.last)
    #expect(delete.raw?.payload?.bytes == delete.item && delete.raw?.payload != delete.raw)
    #expect(delete.baseVersion == "AAAAAAAAB9I=")
  }

  /// Whether a payload can be read does not hang on what else its row holds.
  @Test(
    arguments: [
      (WorkedExamples.dotnetB, "__operations", "item", "sequence"),
      (android, "__operations", "item", "sequence"),
      (WorkedExamples.toolkit, "DatasyncOperationsQueue", "Item", "HttpStatusCode"),
    ], ["NULL", "''", #"'{"a":1}'"#, "'{'", "5", "x'7b7d'", "'{}' || char(10) || '{}'"])
  func oddColumnMakesNoOtherPayload(
    place: (sql: String, table: String, payload: String, odd: String), payload: String
  ) throws {
    let strict = payload == "NULL" && place.payload == "Item" ? "''" : payload
    let known = try judged(place.sql, "UPDATE \(place.table) SET \(place.payload) = \(strict);")
    let odd = try judged(
      place.sql,
      "UPDATE \(place.table) SET \(place.payload) = \(strict), \(place.odd) = 'x' || rowid;")
    #expect(odd == known && !known.isEmpty)
  }

  /// Of which operations nobody can tell what they send, and what is theirs.
  private func judged(_ example: String, _ change: String) throws -> [String] {
    let reader = try SQLStore(example + change).reader()
    let sdks = reader.source.sdks
    return try reader.readQueue().operations.map {
      "\(sdks.cannotRead($0)) \($0.raw?.payloadForm ?? .missing) \(text($0.item) ?? "-")"
    }.sorted()
  }

  @Test(arguments: [
    (WorkedExamples.dotnetB, "UPDATE __operations SET sequence = 'x';", "push order"),
    (WorkedExamples.dotnetB, "UPDATE __operations SET sequence = x'31';", "push order"),
    (android, "UPDATE __operations SET __queueloadedat = x'61ff';", "push order"),
    (android, "UPDATE __operations SET __queueloadedat = CAST(x'61ff' AS TEXT);", "push order"),
    (WorkedExamples.amplifyIOS, "UPDATE MutationEvent SET createdAt = x'31';", "push order"),
    (WorkedExamples.amplifyIOS, "UPDATE MutationEvent SET inProcess = 2;", "being sent"),
    (WorkedExamples.amplifyIOS, "UPDATE MutationEvent SET version = 'abc';", "version"),
    (WorkedExamples.amplifyIOS, "UPDATE MutationEvent SET version = 1.5;", "version"),
    (WorkedExamples.dotnetA3, "UPDATE __errors SET operationKind = 9;", "kind of error 1"),
    (WorkedExamples.dotnetA3, "UPDATE __errors SET httpStatus = 'x';", "status of error 1"),
  ])
  func oddCodeIsKeptAndTold(sql: String, damage: String, words: String) throws {
    let queue = try queue(sql, damage)
    let told = queue.findings.filter { $0.code == "value-of-wrong-type" }
    #expect(!told.isEmpty && told.allSatisfy { $0.message.contains(words) })
    let raws = queue.operations.map(\.raw) + queue.errors.map(\.raw)
    #expect(raws.contains { text($0?.bytes)?.contains("{\"unread\":{") == true })
  }

  @Test func stateThatTheSDKDoesNotHaveIsKept() throws {
    let queue = try queue(WorkedExamples.dotnetA3, "UPDATE __operations SET state = 'x';")
    #expect(queue.operations.map { text($0.raw?.bytes) } == [#"{"unread":{"state":"x"}}"#])
  }

  @Test(arguments: [(WorkedExamples.dotnetB, "__config", "value", "deltaToken%")])
  func tokenThatIsNoTextIsSpelled(
    sql: String, table: String, column: String, key: String
  ) throws {
    let tokens = try ["ff", "fe"].map { byte in
      try queue(
        sql, "UPDATE \(table) SET \(column) = CAST(x'61\(byte)' AS TEXT) WHERE id LIKE '\(key)';"
      ).tokens.compactMap(\.raw)
    }
    #expect(tokens == [[#"a\xFF"#], [#"a\xFE"#]])
  }

  /// Of two tokens that differ in one byte of a name none is taken for the other.
  @Test(
    arguments: [
      (WorkedExamples.cordova, "__pulltime", "tableName"),
      (WorkedExamples.amplifyIOS, "ModelSyncMetadata", "id"),
      (WorkedExamples.amplifyIOS, "ModelSyncMetadata", "syncPredicate"),
    ], ["CAST(x'61%' AS TEXT)", "x'61%'"])
  func nameOfATokenIsSpelled(
    place: (sql: String, table: String, column: String), value: String
  ) throws {
    let tokens = try ["ff", "fe"].map { byte in
      let value = value.replacing("%", with: byte)
      return try queue(place.sql, "UPDATE \(place.table) SET \(place.column) = \(value);").tokens
    }
    #expect(tokens[0] != tokens[1])
    #expect(tokens.joined().allSatisfy { "\($0.table ?? "") \($0.query ?? "")".contains(#"\xF"#) })
  }

  /// What the app wrote is never taken for what is kept behind it.
  @Test(
    arguments: [
      (WorkedExamples.dotnetB, "__operations", "item", "sequence"),
      (WorkedExamples.toolkit, "DatasyncOperationsQueue", "Item", "HttpStatusCode"),
      (WorkedExamples.amplifyJS, "MutationEvent", "data", "modelId"),
      (WorkedExamples.dotnetA3, "__errors", "rawResult", "httpStatus"),
    ],
    [
      #"{"a":1}"# + "\n" + #"{"unread":{"own":1}}"#, "{}\n" + #"{"unread":{}}"#,
      "\n" + #"{"unread":{}}"#, #"{"unread":{}}"#, #"{"unread":{"z":1}}"#,
      #"{"unread":{},"type":{"a":{}}}"#,
    ])
  func payloadThatEndsLikeWhatIsKeptStaysWhole(
    place: (sql: String, table: String, column: String, odd: String), payload: String
  ) throws {
    for odd in ["", ", \(place.odd) = x'61'"] {
      let queue = try queue(
        place.sql, "UPDATE \(place.table) SET \(place.column) = '\(payload)'\(odd);")
      let raws = place.table == "__errors" ? queue.errors.map(\.raw) : queue.operations.map(\.raw)
      #expect(!raws.isEmpty && raws.allSatisfy { text($0?.payload?.bytes) == payload }, "\(raws)")
    }
  }

  /// So does a condition on a field of that name, which stands behind the payload.
  @Test func conditionThatLooksLikeWhatIsKeptStays() throws {
    let condition = #"{"unread":{"eq":1}}"#
    let queue = try queue(
      WorkedExamples.amplifyIOS, "UPDATE MutationEvent SET graphQLFilterJSON = '\(condition)';")
    let payloads = queue.operations.map { text($0.raw?.payload?.bytes) ?? "" }
    #expect(!payloads.isEmpty && payloads.allSatisfy { $0.hasSuffix("\n" + condition) })
  }

  @Test func settingWithoutANameStays() throws {
    let queue = try queue(
      WorkedExamples.dotnetB,
      "INSERT INTO __config VALUES (CAST(x'61ff' AS TEXT), '2024-05-01T10:20:30.1230000+00:00');")
    let token = try #require(queue.tokens.last)
    #expect(token.table == nil && token.query == #"a\xFF"#)
    #expect(token.updatedAt == "2024-05-01T10:20:30.123Z")
  }
}
