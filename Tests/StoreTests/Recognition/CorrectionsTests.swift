import Bytes
import Foundation
import TestSupport
import Testing

@testable import Records
@testable import Tables

struct CorrectionsTests {
  private static let sql = """
    CREATE TABLE "a.b" (id INTEGER PRIMARY KEY, at TEXT, "on.off" INTEGER, g TEXT, d REAL, b TEXT);
    INSERT INTO "a.b" VALUES (1, '2024-05-01 10:00:00', 1, '\(uuid)', 1.25, 'AQID'),
      (2, 'x', 2, 'H', 3, '?');
    """
  private static let uuid = "6f9619ff-8b86-d011-b42d-00c04fc964ff"

  @Test func typesAndNamesAreTakenFromThePerson() throws {
    let corrections = Corrections(
      types: [
        "a.b.at=timestamp", "a.b.on.off=boolean", "a.b.g=uuid", "a.b.d=decimal", "a.b.b=binary",
      ], names: ["a.b=Thing"])
    let read = try #require(try SQLStore(Self.sql).reader(corrections).read("Thing"))
    #expect(
      read.rows == [
        ["1", "2024-05-01T10:00:00.000Z", "1", Self.uuid, "1.25", "base64:AQID"],
        ["2", nil, nil, nil, "3", nil],
      ])
    #expect(read.table.sourceName == "a.b")
    #expect(read.rejects.map(\.column) == ["at", "on.off", "g", "b"])
  }

  /// SQLite makes numbers of texts in columns of some types, beside those that look like none.
  @Test(arguments: ["STRING", "NUMERIC", "", "TEXT"])
  func numbersAreTextsWhereThePersonSaysSo(_ type: String) throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, zip \(type));
      INSERT INTO t VALUES (1, '80331'), (2, 'D-80331'), (3, 1.5), (4, NULL), (5, -7), (6, x'00');
      """)
    let read = try #require(try store.reader(Corrections(types: ["t.zip=text"])).read("t"))
    #expect(read.values("zip") == ["80331", "D-80331", "1.5", nil, "-7", nil])
    #expect(read.table.types["zip"] == .text)
    #expect(read.rejects.count == 1)
  }

  @Test func placesAreCalledAsTheStoreCallsThemOrAsTheyShallBeCalled() throws {
    let corrections = Corrections(
      types: ["Thing.at=timestamp", "Thing.flag=boolean", "a.b.g=uuid"],
      names: ["a.b=Thing", "Thing.on.off=flag"])
    let read = try #require(try SQLStore(Self.sql).reader(corrections).read("Thing"))
    #expect(read.values("at") == ["2024-05-01T10:00:00.000Z", nil])
    #expect(read.table.types["flag"] == .boolean)
    #expect(read.table.types["g"] == .uuid)
  }

  @Test func namesCanBeExchanged() throws {
    let other = "CREATE TABLE c (id INTEGER PRIMARY KEY, x, y); INSERT INTO c VALUES (1, 2, 3)"
    let reader = try SQLStore(Self.sql + other).reader(
      Corrections(names: ["a.b=c", "c=a.b", "c.x=y", "c.y=x"]))
    let read = try #require(try reader.read("a.b"))
    #expect(read.values("y") == ["2"])
    #expect(read.values("x") == ["3"])
    #expect(try reader.read("c")?.values("b") == ["AQID", "?"])
  }

  @Test func renamedTableKeepsItsOperations() throws {
    let reader = try SQLStore(WorkedExamples.dotnetB).reader(
      Corrections(names: ["TodoItem=Task"]))
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.table) == ["Task", "Task"])
    #expect(queue.operations[0].rowKey == 1)
  }

  @Test func layoutsOwnTimeIsMeantByTimestamp() throws {
    let reader = try SQLStore(WorkedExamples.cordova).reader(
      Corrections(types: ["todoitem.due=timestamp", "todoitem.meta=json"]))
    let read = try #require(try reader.read("todoitem"))
    #expect(read.values("due") == ["2024-05-01T10:20:30.500Z"])
    #expect(read.table.types["meta"] == .json)
  }

  /// The SDK's own names of its columns are what a person sees in the store.
  @Test func columnsGoByTheNamesThatTheSDKGaveThem() throws {
    let store = try SQLStore(WorkedExamples.toolkit)
    let read = try #require(
      try store.reader(
        Corrections(
          types: ["TodoItems.UpdatedAt=text", "Items.Deleted=integer"],
          names: ["TodoItems=Items", "TodoItems.Version=etag"])
      ).read("Items"))
    #expect(read.values("updatedAt") == ["2024-05-01 10:20:30.123+00:00"])
    #expect(read.table.types["deleted"] == .integer)
    #expect(read.values("etag") == ["AAAAAAAAB9E="])
    let twice = Corrections(names: ["TodoItems.version=a", "TodoItems.Version=b"])
    let error = #expect(throws: StoreError.self) { try store.reader(twice) }
    #expect(error?.kind == .usage)
  }

  /// A name that had to give way may be given as reports show it; one of the store goes first.
  @Test(arguments: [
    ["app_rehome_x=Y", "app_rehome_x._pk_=k", "rehome_x.a=b"],
    ["rehome_x=Y", "rehome_x._pk_=k", "app_rehome_x.a=b"],
    ["app_rehome_x=Z", "Z=Y", "Y._pk_=k", "app_rehome_x.a=c", "app_rehome_x.c=b"],
  ])
  func namesThatReportsShowAreMeant(names: [String]) throws {
    let store = try SQLStore(
      """
      CREATE TABLE rehome_x (id INTEGER PRIMARY KEY, _pk TEXT, a TEXT);
      INSERT INTO rehome_x VALUES (1, '\(Self.uuid)', 'v');
      """)
    let corrections = Corrections(types: ["rehome_x._pk_=uuid"], names: names)
    let read = try #require(try store.reader(corrections).read("Y"))
    #expect(read.values("k") == [Self.uuid] && read.values("b") == ["v"])
    #expect(read.table.types["k"] == .uuid)
  }

  @Test func nameOfTheStoreGoesBeforeOneThatReportsShow() throws {
    let store = try SQLStore(
      """
      CREATE TABLE rehome_x (id INTEGER PRIMARY KEY, _pk, _pk_);
      CREATE TABLE app_rehome_x (id INTEGER PRIMARY KEY, c);
      INSERT INTO rehome_x VALUES (1, 2, 3); INSERT INTO app_rehome_x VALUES (1, 4);
      """)
    let reader = try store.reader(
      Corrections(names: ["app_rehome_x=Y", "rehome_x=X", "rehome_x._pk_=k"]))
    #expect(try reader.read("Y")?.values("c") == ["4"])
    #expect(try reader.read("X")?.values("k") == ["3"])
  }

  @Test(arguments: [
    Corrections(types: ["a.b.at"]), Corrections(types: ["a.b.nothing=text"]),
    Corrections(types: ["a.b.at=date"]), Corrections(types: ["a.b.at=reference"]),
    Corrections(names: ["c=d"]), Corrections(names: ["a.b="]), Corrections(names: ["a.b"]),
    Corrections(names: ["a.b=c", "a.b=d"]), Corrections(names: ["a.b.at=x", "a.b.at=y"]),
    Corrections(names: ["a.b.at=ID"]), Corrections(names: ["a.b.at=x", "a.b.g=X"]),
    Corrections(types: ["a.b.at=text", "a.b.at=uuid"]),
  ])
  func correctionThatDoesNotFitIsAMistakeOfUsage(_ corrections: Corrections) throws {
    let store = try SQLStore(Self.sql)
    let error = #expect(throws: StoreError.self) { try store.reader(corrections) }
    #expect(error?.kind == .usage)
  }

  @Test func iosStoreTakesThem() throws {
    let reader = try SQLStore(copyOf: Samples.ios("ios-2016")).reader(
      Corrections(names: ["TodoItem=Task"]))
    #expect(reader.tableNames.contains("Task"))
    #expect(try reader.readQueue().operations.contains { $0.table == "Task" })
  }

  /// A table may be that of many entities, each with columns that others have, too.
  @Test func answersForColumnsThatManyEntitiesShareTakeTimeByTheirNumber() throws {
    let (entities, width) = (200, 1_000)
    var tables = (0..<entities).map { entity in
      PlannedTable(
        name: "E\(entity)", sourceName: "E\(entity)", sourceTable: "ZE",
        columns: (0..<width).map { place in
          PlannedColumn(
            column: Column(name: "C\(place)", type: .integer), position: place,
            expression: "ZC\(place)", decoding: .integer)
        }, entity: Int64(entity), origin: "ZE")
    }
    let answers = Corrections(types: (0..<width).map { "E0.C\($0)=boolean" } + ["E1.C7=real"])
    let clock = ThreadClock()
    try answers.apply(to: &tables, time: .integer, path: "")
    #expect(clock.seconds < 5)
    let types = tables.map { table in Set(table.columns.map(\.column.type)) }
    #expect(types == [[.boolean], [.boolean, .real]] + Array(repeating: [.boolean], count: 198))
  }
}
