import Records
import SQLite
import Testing

@testable import SyncSDKs

struct IOSGenerationTests {
  private static let first = IOSTraits(oldTables: 1)
  private static let second = IOSTraits(
    hasConfiguration: true, hasTableKind: true, hasOperationID: true, oldTables: 2)
  private static let third = IOSTraits(
    hasConfiguration: true, hasTableKind: true, hasOperationID: true, newTables: 2)

  @Test(arguments: zip([first, second, third], IOSGeneration.allCases))
  func pureTraitsGiveTheirGenerationAndNothingDiffers(
    traits: IOSTraits, generation: IOSGeneration
  ) {
    let recognition = IOSRecognition(traits)
    #expect(recognition.generation == generation)
    #expect(recognition.evidence.first == "table ZMS_TABLEOPERATIONS")
    #expect(recognition.evidence.count == 5)
    #expect(!recognition.evidence.contains { $0.hasPrefix("unlike") })
  }

  struct Hybrid: CustomTestStringConvertible {
    let testDescription: String
    let traits: IOSTraits
    let generation: String
    let differences: [String]
  }

  static let hybrids = [
    Hybrid(
      testDescription: "model written after the header's comment",
      traits: change(third) { $0.hasTableKind = false }, generation: "2016",
      differences: ["unlike 2016: operations have no table kind"]),
    Hybrid(
      testDescription: "the same, older", traits: change(second) { $0.hasTableKind = false },
      generation: "2015", differences: ["unlike 2015: operations have no table kind"]),
    Hybrid(
      testDescription: "relationship instead of a number",
      traits: change(second) { $0.hasOperationID = false }, generation: "2015",
      differences: ["unlike 2015: errors do not name their operation"]),
    Hybrid(
      testDescription: "preview with a configuration table",
      traits: change(first) { $0.hasConfiguration = true }, generation: "2014",
      differences: ["unlike 2014: table ZMS_TABLECONFIG"]),
    Hybrid(
      testDescription: "two of three of 2015",
      traits: change(first) { ($0.hasConfiguration, $0.hasTableKind) = (true, true) },
      generation: "2015", differences: ["unlike 2015: errors do not name their operation"]),
    Hybrid(
      testDescription: "halfway to new names",
      traits: change(third) { ($0.oldTables, $0.newTables) = (2, 2) }, generation: "2016",
      differences: ["unlike 2016: 2 item tables with ms_version …"]),
    Hybrid(
      testDescription: "mostly old names",
      traits: change(third) { ($0.oldTables, $0.newTables) = (3, 1) }, generation: "2015",
      differences: ["unlike 2015: 1 item table with version, createdAt …"]),
    Hybrid(
      testDescription: "no system columns", traits: change(third) { $0.newTables = 0 },
      generation: "2016", differences: []),
    Hybrid(
      testDescription: "no system columns, old payloads",
      traits: change(third) { ($0.newTables, $0.hasOldPayloads) = (0, true) },
      generation: "2015", differences: []),
    Hybrid(
      testDescription: "no system columns, payloads of both",
      traits: change(third) {
        ($0.newTables, $0.hasOldPayloads, $0.hasNewPayloads) = (0, true, true)
      }, generation: "2016", differences: []),
    Hybrid(
      testDescription: "no system columns, an error of the old domain",
      traits: change(third) { ($0.newTables, $0.hasOldDomain) = (0, true) },
      generation: "2015", differences: []),
    Hybrid(
      testDescription: "as many tables of both, old payloads",
      traits: change(third) {
        ($0.oldTables, $0.newTables, $0.hasOldPayloads, $0.hasNewDomain) = (1, 1, true, true)
      }, generation: "2015", differences: ["unlike 2015: 1 item table with version, createdAt …"]),
    Hybrid(
      testDescription: "as many tables of both, old payloads, rows of both",
      traits: change(third) {
        ($0.oldTables, $0.newTables, $0.hasOldPayloads, $0.hasRowsOfBoth) = (1, 1, true, true)
      }, generation: "2016", differences: ["unlike 2016: 1 item table with ms_version …"]),
    Hybrid(
      testDescription: "nothing at all", traits: IOSTraits(), generation: "2014", differences: []),
  ]

  @Test(arguments: hybrids) func hybridTakesTheNearestAndListsWhatDiffers(_ hybrid: Hybrid) {
    let recognition = IOSRecognition(hybrid.traits)
    #expect(recognition.generation.rawValue == hybrid.generation)
    #expect(recognition.evidence.filter { $0.hasPrefix("unlike") } == hybrid.differences)
  }

  @Test func oldSpellingInAStoreOfTheNewestIsTold() {
    let mixed = Self.change(Self.third) { $0.oldTables = 1 }
    #expect(IOSRecognition(mixed).findings.map(\.code) == ["two-sdk-generations"])
    // Attributes called version may be the app's own.
    let older = Self.change(Self.second) { $0.newTables = 1 }
    #expect([Self.third, older].allSatisfy { IOSRecognition($0).findings.isEmpty })
  }

  /// The queue tells which tables are synchronised, but rows may be left of what was before.
  @Test(arguments: [
    ("", "", "Todo", 0), ("'AAAAAAAAB9E='", "", "Todo", 0), ("", "'AAAAAAAAB9E='", "Todo", 0),
    ("'AAAAAAAAB9E='", "'AAAAAAAAB9I='", "Todo", 1), ("'AAAAAAAAB9E='", "'A'", "Old", 1),
    // Versions that no server has given.
    ("'1.2'", "'AAAAAAAAB9E='", "Old", 0), ("7", "'AAAAAAAAB9E='", "Old", 0),
    ("NULL", "'A'", "Old", 0),
  ])
  func rowsOfBothSpellingsAreToldWhateverTheQueueNames(
    new: String, old: String, named: String, count: Int
  ) throws {
    let traits = try traits(
      """
      CREATE TABLE ZTODO(ZID, ZVERSION); CREATE TABLE ZOLD(ZID, ZMS_VERSION);
      \(new.isEmpty ? "" : "INSERT INTO ZTODO VALUES ('a', \(new));")
      \(old.isEmpty ? "" : "INSERT INTO ZOLD VALUES ('a', \(old));")
      INSERT INTO ZMS_TABLEOPERATIONS VALUES (1, '\(named)', NULL)
      """)
    #expect(traits.oldTables + traits.newTables == 1)
    #expect(IOSRecognition(traits).findings.map(\.code).count == count)
  }

  @Test(arguments: [
    ("CREATE TABLE ZTODO(ZID, ZVERSION); CREATE TABLE ZOLD(ZID, ZMS_VERSION)", 1, 1),
    ("CREATE TABLE ZTODO(ZID, ZUPDATEDAT); CREATE TABLE ZMS_TABLECONFIG(ZID, ZVERSION)", 0, 1),
    ("CREATE TABLE ZTODO(ZID, ZMS_CREATEDAT); CREATE TABLE Z_X(ZID, ZVERSION)", 1, 0),
    ("CREATE TABLE ZTODO(ZID, ZVERSION); CREATE TABLE ZU(ZID, ZMS_UPDATEDAT)", 0, 1),
    // Tables of the app's own: without an id, or never sent.
    ("CREATE TABLE ZTODO(ZID, ZMS_VERSION); CREATE TABLE ZAPPINFO(ZNAME, ZVERSION)", 1, 0),
    (
      """
      CREATE TABLE ZTODO(ZID, ZMS_VERSION); CREATE TABLE ZCACHE(ZID, ZVERSION);
      INSERT INTO ZMS_TABLEOPERATIONS VALUES (1, 'Todo', NULL)
      """, 1, 0
    ),
  ])
  func traitsComeFromItemTables(sql: String, old: Int, new: Int) throws {
    let traits = try traits(sql)
    #expect(traits.hasTableKind)
    #expect(!traits.hasOperationID)
    #expect([traits.oldTables, traits.newTables] == [old, new])
  }

  @Test(arguments: [
    (#"{"item":{"__version":"A"}}"#, [true, false]), (#"{"item":{"version":"A"}}"#, [false, true]),
    (#"{"serverItem":{"version":"A"}}"#, [false, true]),
    (#"{"item":{"id":"z","text":"version"}}"#, [false, false]),
    (#"{"item":{"meta":{"version":"A"}}}"#, [false, false]),
  ])
  func traitsComeFromPayloadsWhereTablesSayNothing(payload: String, found: [Bool]) throws {
    let traits = try traits(
      "INSERT INTO ZMS_TABLEOPERATIONS VALUES (1, 'Todo', CAST('\(payload)' AS BLOB))")
    #expect([traits.hasOldPayloads, traits.hasNewPayloads] == found)
  }

  /// A queue that waited for an app's new version holds what its SDK before wrote.
  @Test(arguments: [
    ("ZVERSION", "__version", ["unlike 2016: payloads with the key __version"]),
    ("ZVERSION", "version", []), ("ZMS_VERSION", "__version", []),
    ("ZMS_VERSION", "version", ["unlike 2015: payloads with the key version"]),
  ])
  func payloadsOfAnotherSpellingDiffer(column: String, key: String, expected: [String]) throws {
    for place in [1, 5000] {
      let traits = try traits(
        """
        CREATE TABLE ZTODO(ZID, \(column)); CREATE TABLE ZMS_TABLECONFIG(ZID);
        ALTER TABLE ZMS_TABLEOPERATIONERRORS ADD COLUMN ZOPERATIONID;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO ZMS_TABLEOPERATIONS SELECT 1, 'Todo', CAST('{"type":1}' AS BLOB) FROM n;
        UPDATE ZMS_TABLEOPERATIONS
        SET ZPROPERTIES = CAST('{"type":2,"item":{"\(key)":"A"}}' AS BLOB) WHERE rowid = \(place);
        """)
      let evidence = IOSRecognition(traits).evidence
      #expect(evidence.filter { $0.hasPrefix("unlike") } == expected)
    }
  }

  /// Of a long queue both ends are looked at, by the key of Core Data where there is one.
  @Test(arguments: ["", "WITHOUT ROWID"], [1, 5000])
  func payloadsOfAnotherSpellingAreFoundByTheKey(option: String, place: Int) throws {
    let traits = try traits(
      """
      CREATE TABLE ZTODO(ZID, ZVERSION); DROP TABLE ZMS_TABLEOPERATIONS;
      CREATE TABLE ZMS_TABLEOPERATIONS(
        Z_PK INTEGER PRIMARY KEY, ZTABLEKIND, ZTABLE, ZPROPERTIES) \(option);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO ZMS_TABLEOPERATIONS SELECT i, 1, 'Todo', CAST('{"type":1}' AS BLOB) FROM n;
      UPDATE ZMS_TABLEOPERATIONS
      SET ZPROPERTIES = CAST('{"type":2,"item":{"__version":"A"}}' AS BLOB) WHERE Z_PK = \(place);
      """)
    #expect(traits.hasOldPayloads)
  }

  @Test func tableWithoutARowIDAndKeyIsLookedAtAsAWhole() throws {
    let traits = try traits(
      """
      CREATE TABLE ZTODO(ZID, ZVERSION); DROP TABLE ZMS_TABLEOPERATIONS;
      CREATE TABLE ZMS_TABLEOPERATIONS(
        ZID PRIMARY KEY, ZTABLEKIND, ZTABLE, ZPROPERTIES) WITHOUT ROWID;
      INSERT INTO ZMS_TABLEOPERATIONS
      VALUES (1, 1, 'Todo', CAST('{"type":2,"item":{"__version":"A"}}' AS BLOB));
      """)
    #expect(traits.hasOldPayloads)
  }

  @Test(arguments: [("WindowsAzureMobileServices", true), ("MicrosoftAzureMobile", false)])
  func domainOfErrorsIsNoKeyOfPayloads(domain: String, isOld: Bool) throws {
    let traits = try traits(
      """
      INSERT INTO ZMS_TABLEOPERATIONERRORS
      VALUES (CAST('{"domain":"com.Microsoft.\(domain).ErrorDomain"}' AS BLOB))
      """)
    #expect([traits.hasOldDomain, traits.hasNewDomain] == [isOld, !isOld])
    #expect(!traits.hasOldPayloads && !traits.hasNewPayloads)
    let evidence = IOSRecognition(traits).evidence
    #expect(!evidence.contains { $0.contains("payloads") })
    #expect(evidence.contains { $0.hasSuffix("com.Microsoft.\(domain).ErrorDomain") })
  }

  /// The columns of `Version` and `version` are called alike, and the SDK knows only the latter.
  @Test(arguments: [
    ("version", "Version", "id", "2015"), ("version", "VERSION", "id", "2015"),
    ("version", "version", "id", "2016"), ("updatedAt", "UpdatedAt", "id", "2015"),
    ("createdAt", "createdat", "id", "2015"), ("version", "Version", "Id", "2016"),
  ])
  func attributeOfTheAppsOwnSpellingTellsNothing(
    _ own: String, _ other: String, _ id: String, _ year: String
  ) throws {
    let type = own == "version" ? "VARCHAR" : "TIMESTAMP"
    let store = try todos("Z\(own.uppercased()) \(type), ZMS_\(own.uppercased()) \(type)")
    let kind = own == "version" ? "String" : "Date"
    let reader = try store.reader(
      modelledBy: Self.model([(id, "String"), (other, kind), ("ms_" + own, kind)]))
    #expect(reader.source.generation == year)
  }

  /// A number is none of the SDK's versions, which are texts, whatever it is called.
  @Test(
    arguments: [("INTEGER", "Integer 64", "2015"), ("VARCHAR", "String", "2016")], [false, true])
  func numberThatIsCalledAsTheVersionTellsNothing(
    _ version: (declared: String, type: String, year: String), hasModel: Bool
  ) throws {
    let store = try todos("ZVERSION \(version.declared), ZMS_VERSION VARCHAR")
    let attributes = [("id", "String"), ("version", version.type), ("ms_version", "String")]
    let reader = try hasModel ? store.reader(modelledBy: Self.model(attributes)) : store.reader()
    #expect(reader.source.generation == version.year)
  }

  /// A store of the second or third generation whose one table has these columns beside its ids.
  private func todos(_ columns: String) throws -> SQLStore {
    try SQLStore(
      CoreDataTables.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableConfig', 0, 9),
          (2, 'MS_TableOperationErrors', 0, 9), (3, 'MS_TableOperations', 0, 9), (4, 'Todo', 0, 9);
        CREATE TABLE ZMS_TABLECONFIG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,
          Z_OPT INTEGER, ZOPERATIONID INTEGER, ZTABLEKIND INTEGER, ZPROPERTIES BLOB);
        CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZID INTEGER, ZTABLEKIND INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
        CREATE TABLE ZTODO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID VARCHAR,
          \(columns));
        """)
  }

  /// The entities of such a store, with these attributes of its items.
  private static func model(_ attributes: [(name: String, type: String)]) -> String {
    ["MS_TableConfig", "MS_TableOperationErrors", "MS_TableOperations"].map {
      "<entity name=\"\($0)\"/>"
    }.joined() + "<entity name=\"Todo\">"
      + attributes.map {
        "<attribute name=\"\($0.name)\" optional=\"YES\" attributeType=\"\($0.type)\"/>"
      }.joined() + "</entity>"
  }

  private func traits(_ sql: String) throws -> IOSTraits {
    let connection = try Connection(scratchInMemory: true)
    try connection.execute(
      """
      CREATE TABLE ZMS_TABLEOPERATIONS(ZTABLEKIND, ZTABLE, ZPROPERTIES);
      CREATE TABLE ZMS_TABLEOPERATIONERRORS(ZPROPERTIES); \(sql)
      """)
    let tables = try connection.tables().map { ($0.name, Set($0.columns.map(\.name))) }
    return try IOSTraits(
      reading: connection, columns: Dictionary(tables) { first, _ in first })
  }

  private static func change(_ traits: IOSTraits, _ body: (inout IOSTraits) -> Void) -> IOSTraits {
    var traits = traits
    body(&traits)
    return traits
  }
}
