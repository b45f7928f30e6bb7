import Testing

@testable import Records
@testable import SyncSDKs
@testable import Tables

struct DatasyncToolkitTests {
  @Test func entityTableHasItsPartsUnderOneSpelling() throws {
    let reader = try SQLStore(
      WorkedExamples.toolkit + """
        CREATE TABLE "__EFMigrationsHistory" ("MigrationId" TEXT PRIMARY KEY);
        CREATE TABLE "Settings" ("Id" TEXT PRIMARY KEY, "Version" INTEGER);
        """
    ).reader()
    #expect(reader.tableNames == ["TodoItems", "Settings"])
    let read = try #require(try reader.read("TodoItems"))
    #expect(
      read.table.parts == [
        .id: "Id", .updatedAt: "updatedAt", .version: "version", .deleted: "deleted",
      ])
    #expect(
      read.rows == [["a1", "milk", "1", "2024-05-01T10:20:30.123Z", "AAAAAAAAB9E=", "0"]])
    // A table that is only local has no system columns.
    #expect(try #require(try reader.read("Settings")).table.types["Version"] == .integer)
  }

  @Test func versionInBytesIsSpelledInBase64AndNumbersAreNoDates() throws {
    let sql = WorkedExamples.toolkit.replacing("\"Version\" TEXT NULL", with: "\"Version\" BLOB")
    let read = try #require(
      try SQLStore(sql + "UPDATE TodoItems SET Version = x'00000000000007d1', UpdatedAt = 5;")
        .reader().read("TodoItems"))
    #expect(read.values("version") == ["AAAAAAAAB9E="])
    #expect(read.values("updatedAt") == [nil])
    #expect(read.rejects.map(\.raw) == [.text(Array("5".utf8))])
  }

  /// An app may convert its times to whole numbers, of which only those of milliseconds since 1970
  /// are that large, and not too large for any time.
  @Test(arguments: ["INTEGER", "REAL"])
  func timesInNumbersAreReadWhereTheyCanOnlyBeMilliseconds(type: String) throws {
    let sql = WorkedExamples.toolkit.replacing("\"UpdatedAt\" TEXT", with: "\"UpdatedAt\" \(type)")
    let numbers = [
      "1714558830123", "-62135596800000", "100000000000", "99999999999", "1714558830", "2460432",
      "0", "253402300799", "638501556301230000", "1307651187304917200",
    ]
    let rows = numbers.enumerated().map { place, number in
      "INSERT INTO TodoItems VALUES ('n\(place)', 'x', 0, \(number), NULL, 0);"
    }
    let read = try #require(
      try SQLStore(sql + "DELETE FROM TodoItems;" + rows.joined()).reader().read("TodoItems"))
    #expect(
      read.values("updatedAt") == [
        "2024-05-01T10:20:30.123Z", "0001-01-01T00:00:00.000Z", "1973-03-03T09:46:40.000Z",
        nil, nil, nil, nil, nil, nil, nil,
      ])
    #expect(read.rejects.map(\.code) == Array(repeating: .valueOfWrongType, count: 7))
    for name in ["updatedAt", "UpdatedAt"] {
      let told = try SQLStore(sql + "UPDATE TodoItems SET UpdatedAt = 1714558830;")
        .reader(Corrections(types: ["TodoItems.\(name)=unix-seconds"]))
      #expect(try told.read("TodoItems")?.values("updatedAt") == ["2024-05-01T10:20:30.000Z"])
    }
  }

  @Test func operationsKeepTheirSnapshotsAndStates() throws {
    let queue = try SQLStore(
      WorkedExamples.toolkit + """
        INSERT INTO DatasyncOperationsQueue VALUES
          ('c', 0, 1, NULL, NULL, 'MyApp.Data.Outer+TodoItem', 'a2', '', '{"id":"a2"}', 9, 0),
          ('f', 1, 2, NULL, 412, 'TodoItem', 'a3', 'v3', '{"id":"a3"}', 3, 0),
          ('u', 0, 0, NULL, NULL, 'MyApp.Unknown', 'a4', '', 'no json', 4, 0);
        """
    ).reader().readQueue()
    #expect(queue.operations.map(\.kind) == [.update, .insert, .delete, .insert])
    #expect(queue.operations.map(\.state) == [.pending, .completed, .failed, .pending])
    #expect(
      queue.operations.map(\.table) == ["TodoItems", "TodoItems", "TodoItems", "MyApp.Unknown"])
    #expect(queue.operations.map(\.baseVersion) == ["AAAAAAAAB9E=", nil, "v3", nil])
    #expect(
      queue.operations.map { text($0.item) }[1...] == [#"{"id":"a2"}"#, #"{"id":"a3"}"#, nil])
    #expect(queue.operations[3].raw == .text(Array("no json".utf8)))
    #expect(queue.errors.map(\.operation) == [3])
    #expect(queue.errors.map(\.status) == [412])
    #expect(queue.tokens.map(\.table) == ["TodoItems"])
    #expect(queue.tokens.map(\.query) == [nil])
  }

  @Test func typesOfTheTablesInTheQueueAreToldOnce() throws {
    let reader = try SQLStore(
      WorkedExamples.toolkit + """
        INSERT INTO DatasyncOperationsQueue VALUES
          ('c', 0, 1, NULL, NULL, 'MyApp.Data.TodoItem', 'a2', '', '{}', 9, 0),
          ('d', 0, 1, NULL, NULL, x'00', 'a2', '', '{}', 9, 0),
          ('u', 0, 0, NULL, NULL, 'MyApp.Unknown', 'a4', '', '{}', 4, 0);
        """
    ).reader()
    #expect(reader.source.metadata == [.init("entityType TodoItems", "MyApp.Data.TodoItem")])
    #expect(reader.source.metadata[0].typedTable == "TodoItems")
  }

  @Test(arguments: ["MyApp.Data.TodoItem", "q-MyApp.Data.TodoItem-open-items"])
  func tokensTellTypesWhereNothingWaits(_ id: String) throws {
    let reader = try SQLStore(
      WorkedExamples.toolkit + """
        DELETE FROM DatasyncOperationsQueue; DELETE FROM DatasyncDeltaTokens;
        INSERT INTO DatasyncDeltaTokens VALUES ('\(id)', 0), ('Gone', 0), (x'00', 0);
        """
    ).reader()
    #expect(reader.source.metadata == [.init("entityType TodoItems", "MyApp.Data.TodoItem")])
  }

  @Test func tokenOfAQueryNamesIt() throws {
    let queue = try SQLStore(
      WorkedExamples.toolkit + """
        INSERT INTO DatasyncDeltaTokens VALUES ('q-MyApp.Data.TodoItem-open-items', 0);
        """
    ).reader().readQueue()
    #expect(queue.tokens.map(\.query) == [nil, "open-items"])
    #expect(queue.tokens.map(\.updatedAt)[1] == "1970-01-01T00:00:00.000Z")
  }

  @Test(arguments: [
    ("A.TodoItem", ["TodoItems"], "TodoItems"), ("A.Category", ["categories"], "categories"),
    ("A.Box", ["Boxes", "Box"], "Box"), ("A.Box", ["Boxes", "Boxs"], nil), ("A.Box", [], nil),
    ("", ["a"], nil), ("A.B+Note", ["Note"], "Note"),
  ])
  func typeMeansTheOneTableThatFits(_ type: String, _ tables: [String], _ found: String?) {
    let catalogue = Catalogue(
      tables: tables.map { Table(name: $0, columns: []) }, nameOrigin: .schema)
    #expect(TableNames(catalogue).table(ofEntityType: type) == found)
  }
}
