import Testing

@testable import Records

/// What a Core Data store shows when something in it contradicts itself.
struct CoreDataTroubleTests {
  private static let plain =
    CoreDataTables.bookkeeping + """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Animal', 0, 5), (2, 'Cat', 1, 5);
      CREATE TABLE ZANIMAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO ZANIMAL VALUES
        (1, 1, 1, 'a'), (2, 2, 1, 'b'), (3, 9, 1, 'c'), (4, NULL, 1, 'd'), (5, 2, 1, 'e');
      """

  private static let animals = """
    <entity name="Animal"><attribute name="name" optional="YES" attributeType="String"/></entity>
    <entity name="Cat" parentEntity="Animal"/>
    """

  @Test func garbageInMetadataIsTold() throws {
    let store = try SQLStore(Self.plain + "UPDATE Z_METADATA SET Z_PLIST = x'0102';")
    #expect(try store.reader().findings.contains { $0.code == "metadata-unreadable" })
    let clean = try SQLStore(Self.plain).reader()
    #expect(!clean.findings.contains { $0.code == "metadata-unreadable" })
  }

  @Test func rowsOfNoEntityAreLentOnceAsLost() throws {
    let reader = try SQLStore(Self.plain).reader()
    var lost: [RejectedValue] = []
    for index in reader.catalogue.tables.indices {
      try reader.forEachLostRow(besideTable: index) { lost.append($0) }
    }
    #expect(lost.map(\.row) == [3, 4])
    #expect(lost.map(\.raw) == [.integer(9), nil])
    #expect(Set(lost.map(\.column)) == ["Z_ENT"])
  }

  /// Whether rows are looked for follows from a count of all; where that is not certain, they are.
  @Test(
    arguments: [
      ("DELETE FROM ZANIMAL WHERE Z_PK IN (3, 4)", []),
      ("UPDATE ZANIMAL SET Z_ENT = 2.0 WHERE Z_PK = 3", [4]),
      ("UPDATE ZANIMAL SET Z_ENT = 2.5 WHERE Z_PK IN (1, 3, 4)", [1, 3, 4]),
      ("UPDATE ZANIMAL SET Z_ENT = x'32' WHERE Z_PK <> 2", [1, 3, 4, 5]),
      // An entity that the store knows, whose rows are in a table of its own.
      (
        """
        INSERT INTO Z_PRIMARYKEY VALUES (3, 'Stone', 0, 1);
        CREATE TABLE ZSTONE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        UPDATE ZANIMAL SET Z_ENT = 3 WHERE Z_PK IN (3, 4)
        """, [3, 4]
      ),
      // Numbers that are texts.
      (
        """
        ALTER TABLE ZANIMAL DROP COLUMN Z_ENT; ALTER TABLE ZANIMAL ADD COLUMN Z_ENT TEXT;
        UPDATE ZANIMAL SET Z_ENT = CASE Z_PK WHEN 3 THEN '9' WHEN 4 THEN ' 1' ELSE '1' END
        """, [3, 4]
      ),
    ] as [(String, [Int64])]) func rowsOfNoEntityAreLookedFor(change: String, expected: [Int64])
    throws
  {
    let reader = try SQLStore(Self.plain + change + ";").reader()
    var lost: [Int64?] = []
    for index in reader.catalogue.tables.indices {
      try reader.forEachLostRow(besideTable: index) { lost.append($0.row) }
    }
    #expect(lost == expected)
  }

  @Test(
    arguments: [
      ("ALTER TABLE ZANIMAL ADD COLUMN X VARCHAR", "", .note),
      ("ALTER TABLE ZANIMAL ADD COLUMN X VARCHAR", "UPDATE ZANIMAL SET X = 'a'", .error),
      ("CREATE TABLE Other (a)", "", .note),
      ("CREATE TABLE Other (a)", "INSERT INTO Other VALUES (NULL)", .error),
    ] as [(String, String, Severity)])
  func whatBelongsToNothingMattersWhereItHoldsSomething(
    table: String, values: String, severity: Severity
  ) throws {
    let store = try SQLStore(Self.plain + "\(table); \(values);")
    for reader in [
      try store.reader(),
      try store.reader(modelledBy: Self.animals),
    ] {
      let found = reader.findings.filter { $0.message.contains("belongs to no ") }
      #expect(found.map(\.severity) == [severity])
    }
  }

  /// Of a column that cannot be computed the property has no values; no other column is taken for it.
  @Test(arguments: ["X", "ZAGE"], ["", "ALTER TABLE ZANIMAL ADD COLUMN ZAGE1 INTEGER DEFAULT 5;"])
  func computedColumnMayFail(_ name: String, more: String) throws {
    let store = try SQLStore(
      Self.plain + """
        ALTER TABLE ZANIMAL ADD COLUMN \(name) INTEGER AS (abs(-9223372036854775807 - Z_OPT));
        \(more)
        """)
    let age = "<attribute name=\"age\" optional=\"YES\" attributeType=\"Integer 64\"/>"
    let animals =
      name == "X"
      ? Self.animals
      : "<entity name=\"Animal\">\(age)<attribute name=\"name\" optional=\"YES\" "
        + "attributeType=\"String\"/></entity><entity name=\"Cat\" parentEntity=\"Animal\"/>"
    let reader = try store.reader(modelledBy: animals)
    let found = reader.findings.filter { $0.code == "computed-column-left-out" }
    #expect(found.map(\.severity) == [.note])
    #expect(!reader.findings.contains { $0.message.contains("ZANIMAL.\(name) ") })
    let read = try #require(try reader.read("Cat"))
    #expect(read.values("name") == ["b", "e"])
    #expect(read.table.columns.map(\.name) == ["name"])
  }

  @Test func lookAtSomeColumnsRejectsWhatALookAtAllRejects() throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER, r REAL, b BLOB, x TEXT, d DATETIME);
      INSERT INTO t VALUES ('a', 1, 1.5, x'00', 'text', '2016-10-03T06:30:00Z'),
        ('b', 'no', 'no', 'no', CAST(x'ff' AS TEXT), 'no'), ('c', NULL, NULL, NULL, NULL, NULL),
        (NULL, 1e300, 1, 2, x'ff', 5);
      """)
    let reader = try store.reader()
    let whole = try #require(try reader.read("t"))
    var rejects: [ReadTable.Reject] = []
    var ids: [Int64] = []
    try reader.forEachBatch(inTable: 0, wanting: [0]) { (batch) throws(StoreError) in
      ids += batch.keys
      rejects += batch.rejects.map {
        ReadTable.Reject(
          key: batch.keys[$0.row], column: whole.table.columns[$0.column].name, code: $0.code,
          raw: $0.raw)
      }
    }
    #expect(ids == whole.keys)
    #expect(!rejects.isEmpty)
    #expect(rejects == whole.rejects)
  }
}
