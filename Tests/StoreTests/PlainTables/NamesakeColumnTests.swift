import Testing

@testable import Records

/// Columns that are called as an SDK's and are declared, or filled, as none of these is.
struct NamesakeColumnTests {
  private static let examples = [
    WorkedExamples.dotnetB, WorkedExamples.datasync, WorkedExamples.android,
    WorkedExamples.cordova, WorkedExamples.toolkit,
  ]

  @Test(arguments: examples) func columnOfAnotherTypeIsTheAppsOwn(_ sql: String) throws {
    let reader = try SQLStore(
      sql + """
        CREATE TABLE "doc" ("id" TEXT PRIMARY KEY, "version" INTEGER, "updatedAt" BOOLEAN,
          "deleted" TEXT);
        INSERT INTO "doc" VALUES ('d', 3, NULL, 'no');
        """
    ).reader()
    let read = try #require(try reader.read("doc"))
    #expect(read.table.parts[.version] == nil && read.table.parts[.deleted] == nil)
    #expect(read.rows == [["d", "3", nil, "no"]])
  }

  /// Where an SDK declares its times as such, words in a text are the app's.
  @Test(arguments: [WorkedExamples.dotnetB, WorkedExamples.datasync, WorkedExamples.cordova])
  func textWithoutTimesIsTheAppsOwn(_ sql: String) throws {
    let reader = try SQLStore(
      sql + """
        CREATE TABLE "doc" ("id" TEXT PRIMARY KEY, "createdAt" TEXT, "updatedAt" TEXT);
        INSERT INTO "doc" VALUES ('d', 'yesterday', 'soon');
        """
    ).reader()
    let read = try #require(try reader.read("doc"))
    #expect(read.table.parts == [.id: "id"])
    #expect(read.rows == [["d", "yesterday", "soon"]])
  }

  @Test(arguments: examples) func columnWithOneValueOfItsTypeIsTheSDKs(_ sql: String) throws {
    let reader = try SQLStore(
      sql + """
        CREATE TABLE "doc" ("id" TEXT PRIMARY KEY, "version" TEXT, "updatedAt" TEXT);
        INSERT INTO "doc" VALUES ('d', 'v', 'soon'), ('e', 'v', '2024-05-01T10:20:30.123Z');
        """
    ).reader()
    let read = try #require(try reader.read("doc"))
    #expect(read.table.parts == [.id: "id", .version: "version", .updatedAt: "updatedAt"])
    #expect(read.rows.map { $0[2] } == [nil, "2024-05-01T10:20:30.123Z"])
  }

  /// After an upgrade in place the prefixed column is the only one that the SDK can have made.
  @Test func olderTwinOfAnAppsColumnGivesTheVersion() throws {
    let reader = try SQLStore(
      WorkedExamples.dotnetB + """
        CREATE TABLE "doc" ("id" TEXT PRIMARY KEY, "version" INTEGER, "__version" TEXT);
        INSERT INTO "doc" VALUES ('d', 3, 'AAAAAAAAB9E=');
        INSERT INTO [__operations] VALUES ('o9',1,0,'doc',0,'d',NULL,NULL,9,1);
        """
    ).reader()
    let read = try #require(try reader.read("doc"))
    #expect(read.table.parts == [.id: "id", .version: "__version"])
    #expect(try reader.readQueue().operations.map(\.baseVersion).last == "AAAAAAAAB9E=")
  }
}
