import Testing

@testable import Records

/// The columns beside keys, with entities and places, of stores without a model: they go with the key
/// that they are of, and nothing that is in them is lost without a word.
struct BesideKeysTests {
  private static let bookkeeping =
    CoreDataTables.bookkeeping + """
      CREATE TABLE ZOWN (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZT VARCHAR);
      """

  private func lost(_ reader: any StoreReader) -> [String] {
    reader.findings.filter { $0.code == "model-differs-from-store" && $0.severity == .error }
      .map(\.message)
  }

  /// `Aa` has a number `owner`, and `Bb` a reference of that name whose key is called otherwise
  /// therefore.
  private func collision(owner: String, index: String) throws -> any StoreReader {
    try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Base', 0, 3), (2, 'Aa', 1, 0), (3, 'Bb', 1, 0),
          (4, 'Own', 0, 2), (5, 'OwnSub', 4, 0);
        CREATE TABLE ZBASE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZOWNER INTEGER, ZOWNER1 INTEGER, Z4_OWNER INTEGER, Z_FOK_OWNER INTEGER);
        INSERT INTO ZBASE VALUES (1, 2, 1, 7, NULL, NULL, NULL), (2, 3, 1, \(owner), 1, 5, 2048),
          (3, 3, 1, \(owner), 2, 4, 1024);
        INSERT INTO ZOWN VALUES (1, 5, 1, 'x'), (2, 4, 1, 'y');
        \(index)
        """
    ).reader()
  }

  private static let index = "CREATE INDEX ZBASE_ZOWNER1_INDEX ON ZBASE (ZOWNER1);"

  /// A number that all rows of the table have by default says nothing of the key.
  @Test(arguments: ["NULL", "0"])
  func columnsGoWithTheKeyThatHasAnIndex(owner: String) throws {
    let reader = try collision(owner: owner, index: Self.index)
    let table = try #require(reader.catalogue.index(ofTable: "Bb"))
    let columns = reader.catalogue.tables[table].columns
    #expect(columns.map(\.name).contains("OWNER1_position"), "\(columns.map(\.name))")
    #expect(columns.first { $0.name == "OWNER1" }?.type == .reference)
    let rows = try ReadTable(table, of: reader).rows
    #expect(rows.map { $0.suffix(3) } == [["1", "OwnSub", "2048"], ["2", "Own", "1024"]])
    #expect(lost(reader).isEmpty)
    #expect(try !reader.examineRows().contains { $0.code == "dangling-reference" })
  }

  @Test func whatGoesWithNoKeyOfItsRowsIsTold() throws {
    let reader = try collision(owner: "NULL", index: "")
    let words = lost(reader).joined(separator: "\n")
    for column in ["Z4_OWNER", "Z_FOK_OWNER"] {
      #expect(
        words.contains("ZBASE.\(column) belongs to no property, and its 2 values"), "\(words)")
    }
    let alone = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Kid', 0, 1), (2, 'Own', 0, 1);
        CREATE TABLE ZKID (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZKIDS9 INTEGER, Z2_KIDS INTEGER, Z_FOK_2_KIDS INTEGER);
        INSERT INTO ZKID VALUES (1, 1, 1, 4, 1, 1024);
        INSERT INTO ZOWN VALUES (1, 2, 1, 'o');
        """)
    let kids = lost(try alone.reader())
    #expect(kids.count == 1 && kids.first?.contains("ZKID.Z_FOK_2_KIDS") == true, "\(kids)")
  }
}
