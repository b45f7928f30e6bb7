import SyncSDKs
import Testing

@testable import Records

struct LayoutRecognitionTests {
  /// What upgrades and damage do to the tables of an SDK: SQL on top of a worked example.
  struct Change: Sendable, CustomTestStringConvertible {
    let base: String
    let sql: String
    let layout: String
    let generation: String?
    let evidence: String
    var testDescription: String { sql }

    init(
      _ base: String, _ sql: String, _ layout: String, _ generation: String? = nil,
      evidence: String
    ) {
      (self.base, self.sql) = (base, sql)
      (self.layout, self.generation, self.evidence) = (layout, generation, evidence)
    }
  }

  static let changes = [
    Change(
      WorkedExamples.dotnetB, "ALTER TABLE __operations ADD COLUMN __createdAt DATETIME",
      "azure-mobile-dotnet", "b",
      evidence: "unlike b: operations have __createdAt, of Mobile Services"),
    Change(
      WorkedExamples.dotnetA3, "ALTER TABLE __errors ADD COLUMN operationId TEXT",
      "azure-mobile-dotnet", "a3", evidence: "unlike a3: errors have an operationId"),
    Change(
      WorkedExamples.dotnetA3,
      "ALTER TABLE __errors ADD COLUMN operationId TEXT; DELETE FROM __config",
      "azure-mobile-dotnet", "a2", evidence: "errors have an operationId"),
    Change(
      WorkedExamples.dotnetA3, "ALTER TABLE __operations DROP COLUMN tableKind",
      "azure-mobile-dotnet", "a1", evidence: "operations have no table kind"),
    Change(
      WorkedExamples.dotnetA3,
      """
      ALTER TABLE __operations DROP COLUMN tableKind;
      ALTER TABLE __operations DROP COLUMN state; ALTER TABLE __operations DROP COLUMN version
      """, "azure-mobile-dotnet", "a0", evidence: "operations have no state"),
    Change(
      WorkedExamples.android, "ALTER TABLE __operations DROP COLUMN item",
      "azure-mobile-android", "d2", evidence: "operations do not hold the deleted item"),
    Change(
      WorkedExamples.android,
      """
      ALTER TABLE __operations DROP COLUMN item;
      ALTER TABLE __operations RENAME COLUMN createdat TO __createdat
      """, "azure-mobile-android", "d1",
      evidence: "operations have __createdat, of Mobile Services"),
    Change(
      WorkedExamples.android, "CREATE TABLE __itembackups (id TEXT PRIMARY KEY)",
      "azure-mobile-android", "d3", evidence: "unlike d3: table __itembackups"),
    Change(
      WorkedExamples.dotnetB, "ALTER TABLE __errors ADD COLUMN status INTEGER", "sqlite",
      evidence: "__errors has both httpStatus and status, which no SDK makes: the file is damaged "
        + "or foreign"),
    Change(
      WorkedExamples.datasync, "DROP TABLE __config", "sqlite",
      evidence: "a table __operations, but not all tables and columns that go with it in any known "
        + "SDK"),
    Change(
      WorkedExamples.dotnetB, "ALTER TABLE __operations RENAME COLUMN itemId TO item_id", "sqlite",
      evidence: "a table __operations, but not all tables and columns that go with it in any known "
        + "SDK"),
    Change(
      WorkedExamples.cordova, "CREATE TABLE __errors (id TEXT)", "sqlite",
      evidence: "a table __operations, but not all tables and columns that go with it in any known "
        + "SDK"),
    Change(
      WorkedExamples.toolkit, "DROP TABLE DatasyncDeltaTokens", "sqlite",
      evidence: "only one of DatasyncOperationsQueue and DatasyncDeltaTokens"),
    Change(
      WorkedExamples.foreign, "PRAGMA application_id = 1380470065", "sqlite",
      evidence: "the mark of a canonical store, but none of its tables"),
    Change(
      WorkedExamples.foreign, "CREATE TABLE Z_METADATA (Z_VERSION INTEGER)", "sqlite",
      evidence: "not both Z_METADATA and Z_PRIMARYKEY with the columns of Core Data"),
  ]

  @Test(arguments: WorkedExamples.all.indices)
  func workedExampleIsRecognised(_ index: Int) throws {
    let example = WorkedExamples.all[index]
    let source = try SQLStore(example.sql).reader().source
    #expect(source.layout.rawValue == example.layout)
    #expect(source.generation == example.generation)
    #expect(!source.evidence.contains { $0.hasPrefix("unlike") })
    #expect(!source.evidence.isEmpty)
  }

  @Test(arguments: changes)
  func changedStoreTakesTheNearestLayoutAndSaysWhy(_ change: Change) throws {
    let source = try SQLStore(change.base + "\n" + change.sql + ";").reader().source
    #expect(source.layout.rawValue == change.layout)
    #expect(source.generation == change.generation)
    #expect(source.evidence.contains(change.evidence))
  }

  /// Nobody sends what waits in a queue that is not known as one.
  @Test(arguments: [
    (WorkedExamples.datasync, "DROP TABLE __config", "__operations"),
    (
      WorkedExamples.foreign, "CREATE TABLE DatasyncOperationsQueue (Id)",
      "DatasyncOperationsQueue"
    ),
    (WorkedExamples.foreign, "CREATE TABLE ps_crud (id, data)", "ps_crud"),
    (WorkedExamples.foreign, "CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK)", "ZMS_TABLEOPERATIONS"),
  ])
  func queueThatIsNotReadIsTold(_ base: String, _ sql: String, _ table: String) throws {
    let empty = base + "\n" + sql + "; DELETE FROM \(table);"
    #expect(try SQLStore(empty).reader().findings.allSatisfy { $0.code != "queue-not-read" })
    let store = empty + "INSERT INTO \(table) DEFAULT VALUES;"
    let told = try SQLStore(store).reader().findings.filter { $0.code == "queue-not-read" }
    #expect(told.map(\.table) == [table] && told.map(\.severity) == [.warning])
    #expect(told.first?.message.contains("1 row is read as an ordinary row") == true)
  }

  @Test func caseOfTableNamesDoesNotMatter() throws {
    let sql = WorkedExamples.cordova.replacing("__operations", with: "__OPERATIONS")
    #expect(try SQLStore(sql).reader().source.layout == .azureMobileCordova)
  }

  @Test func viewIsNoTable() throws {
    let store = try SQLStore(
      """
      CREATE TABLE a (x);
      CREATE VIEW __operations AS SELECT 1 AS action, 2 AS metadata;
      CREATE VIEW __pulltime AS SELECT 1 AS id;
      """)
    let reader = try store.reader()
    #expect(reader.source.layout == .sqlite)
    #expect(reader.tableNames == ["a"])
  }

  @Test func fileThatDatasyncTookOverIsTold() throws {
    let sql = WorkedExamples.datasync.replacing("[value] INTEGER", with: "[value] TEXT")
    let source = try SQLStore(sql).reader().source
    #expect(source.layout == .datasyncDotnet)
    #expect(source.evidence.contains { $0.hasPrefix("unlike a fresh store") })
  }
}
