import Testing

@testable import Records

/// Columns of Core Data stores of which neither a model nor their declaration tells what they are.
struct ColumnsWithoutTypeTests {
  private static let bookkeeping =
    CoreDataTables.bookkeeping + """
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Foo', 0, 9), (2, 'Bar', 0, 9), (3, 'Sub', 2, 0);
      """

  private func codes(_ reader: any StoreReader) -> [String] {
    reader.findings.filter { $0.column != nil }.map {
      "\($0.code) \($0.table ?? "").\($0.column ?? "")"
    }
  }

  @Test(
    arguments: [
      ("TEXT", "'a'", .text, "a"), ("BIGINT", "5", .integer, "5"), ("INT", "5", .integer, "5"),
      ("REAL", "1.5", .real, "1.5"), ("DOUBLE", "2.5", .real, "2.5"),
      ("DATETIME", "'2020-01-01'", .text, "2020-01-01"), ("NUMERIC", "5", .integer, "5"),
      ("NUM", "5.5", .real, "5.5"), ("", "'a'", .text, "a"), ("", "x'01'", .binary, "base64:AQ=="),
      ("TEXT", "x'01'", .binary, "base64:AQ=="),
    ] as [(String, String, LogicalType, String)])
  func columnIsReadAsItsValuesAre(
    declared: String, value: String, type: LogicalType, text: String
  ) throws {
    let table = """
      CREATE TABLE ZFOO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZV \(declared));
      INSERT INTO ZFOO VALUES (1, 1, 1, \(value)), (2, 1, 1, NULL);
      """
    let foo =
      "<entity name=\"Foo\"><attribute name=\"v\" optional=\"YES\" attributeType=\"Future\"/>"
    let store = try SQLStore(Self.bookkeeping + table)
    for (reader, name) in [
      (try store.reader(), "V"),
      (try store.reader(modelledBy: foo + "</entity><entity name=\"Bar\"/>"), "v"),
    ] {
      let read = try #require(try reader.read("Foo"))
      #expect(read.table.columns.map(\.type) == [type])
      #expect(read.values(name) == [text, nil])
      #expect(read.rejects.isEmpty)
      #expect(codes(reader) == ["unknown-column-type Foo.\(name)"])
    }
    for names in [[], ["Foo=X"], ["Foo.V=W"]] {
      let told = Corrections(types: ["Foo.V=\(type.rawValue)"], names: names)
      #expect(codes(try store.reader(told)) == [])
    }
  }

  /// Siblings keep their values in the same column.
  @Test func columnOfASharedTableIsReadAsTheRowsOfItsEntityAre() throws {
    let reader = try SQLStore(
      Self.bookkeeping + """
        CREATE TABLE ZBAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZV);
        INSERT INTO ZBAR VALUES (1, 2, 1, 'a'), (2, 2, 1, 'b'), (3, 3, 1, 7);
        """
    ).reader()
    #expect(try reader.read("Bar")?.values("V") == ["a", "b"])
    #expect(try reader.read("Sub")?.values("V") == ["7"])
  }

  /// `Bar` has the keys 1 and 2, which is of a `Sub`; without it nothing lies beside a key of `Bar`.
  private func foo(_ columns: String, _ rows: String, isAlone: Bool) throws -> SQLStore {
    try SQLStore(
      Self.bookkeeping + """
        \(isAlone ? "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 3;" : "")
        CREATE TABLE ZBAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        INSERT INTO ZBAR VALUES (1, 2, 1), (2, \(isAlone ? 2 : 3), 1);
        CREATE TABLE ZFOO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          \(columns.split(separator: " ").map { "\($0) INTEGER" }.joined(separator: ", ")));
        \(columns.split(separator: " ").filter { !$0.hasPrefix("Z_") }
          .map { "CREATE INDEX ZFOO_\($0)_INDEX ON ZFOO (\($0));" }.joined())
        INSERT INTO ZFOO SELECT column1, 1, 1, \(columns.contains(" ") ? "column2, column3" : "column2")
          FROM (VALUES \(rows));
        """)
  }

  @Test(
    arguments: [
      // Each value is the key of a row of the entity that the column is called as, or nearly each.
      ("ZBAR", "(1, 1), (2, 2), (3, NULL)", true, "Bar", ["reference-without-target Foo.BAR"]),
      ("ZSUB", "(1, 2)", false, "Sub", ["reference-without-target Foo.SUB"]),
      (
        "ZBAR", (1...10).map { "(\($0), \($0 == 7 ? 9 : 1))" }.joined(separator: ", "), true, "Bar",
        ["reference-without-target Foo.BAR"]
      ),
      // A row of another entity, none, a text.
      ("ZSUB", "(1, 2), (2, 1)", false, nil, ["reference-without-target Foo.SUB"]),
      ("ZBAR", "(1, 1), (2, 9)", true, nil, ["reference-without-target Foo.BAR"]),
      ("ZBAR", "(1, 1), (2, 'x')", true, nil, ["reference-without-target Foo.BAR"]),
      // An entity above another has the number of the row's entity beside its keys.
      ("ZBAR", "(1, 1)", false, nil, ["reference-without-target Foo.BAR"]),
      ("ZRANK", "(1, 1)", true, nil, ["reference-without-target Foo.RANK"]),
      ("ZRANK", "(1, NULL)", true, nil, []),
    ] as [(String, String, Bool, String?, [String])])
  func indexedNumberIsAKeyWhereItIsCalledAsAnEntityAndLeadsToItsRows(
    column: String, rows: String, isAlone: Bool, target: String?, told: [String]
  ) throws {
    let reader = try foo(column, rows, isAlone: isAlone).reader()
    let columns = try #require(try reader.read("Foo")).table.columns
    #expect(columns.map(\.target) == [target])
    #expect(columns.map(\.role) == [.reference])
    #expect(codes(reader) == told)
    let severities = reader.findings.filter { $0.column != nil }.map(\.severity)
    #expect(severities == told.map { _ in target == nil ? .warning : .note })
  }

  /// Keys of a table that cannot hold objects are none, and the other tables can be read.
  @Test func tableWithoutEntitiesIsNoTarget() throws {
    let reader = try SQLStore(
      Self.bookkeeping + """
        CREATE TABLE ZBAR (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER);
        CREATE TABLE ZFOO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSUB INTEGER);
        CREATE INDEX ZFOO_ZSUB_INDEX ON ZFOO (ZSUB);
        INSERT INTO ZFOO VALUES (1, 1, 1, 7);
        """
    ).reader()
    #expect(try reader.read("Foo")?.values("SUB") == ["7"])
  }

  @Test(arguments: ["ZRANK", "ZBAR"], [[], ["Foo=X"], ["Foo.RANK=R", "Foo.BAR=R"]])
  func personTellsThatItIsANumber(column: String, names: [String]) throws {
    let store = try foo(column, "(1, 1)", isAlone: true)
    let name = "Foo.\(column.dropFirst())"
    let told = Corrections(
      types: [name + "=integer"],
      names: names.filter { !$0.contains(".") || $0.hasPrefix(name + "=") })
    let reader = try store.reader(told)
    #expect(codes(reader) == [])
    let foo = reader.catalogue.tables.first { $0.sourceName == "Foo" }
    #expect(foo?.columns.map(\.role) == [.value])
  }

  /// A column beside it that cannot be computed keeps nobody from looking at the numbers themselves.
  @Test(arguments: [
    "", "ALTER TABLE ZBAR ADD COLUMN ZY BIGINT AS (abs(-9223372036854775807 - Z_OPT));",
  ])
  func numberOfASharedTableIsToldWhateverIsBesideIt(_ change: String) throws {
    let reader = try SQLStore(
      Self.bookkeeping + """
        CREATE TABLE ZBAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRANK INTEGER);
        CREATE INDEX ZBAR_ZRANK_INDEX ON ZBAR (ZRANK);
        INSERT INTO ZBAR VALUES (1, 2, 1, 7), (2, 3, 1, 8);
        \(change)
        """
    ).reader()
    #expect(codes(reader).contains("reference-without-target Bar.RANK"))
  }

  @Test func columnOfSeveralEntitiesIsToldOnce() throws {
    let reader = try SQLStore(
      Self.bookkeeping + """
        CREATE TABLE ZBAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRANK INTEGER,
          ZNONE INTEGER, ZFOO INTEGER);
        CREATE INDEX ZBAR_ZRANK_INDEX ON ZBAR (ZRANK);
        CREATE INDEX ZBAR_ZNONE_INDEX ON ZBAR (ZNONE);
        CREATE INDEX ZBAR_ZFOO_INDEX ON ZBAR (ZFOO);
        INSERT INTO ZBAR VALUES (1, 2, 1, 7, NULL, 1), (2, 3, 1, 8, NULL, 1);
        CREATE TABLE ZFOO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        INSERT INTO ZFOO VALUES (1, 1, 1);
        """
    ).reader()
    #expect(
      codes(reader) == ["RANK", "FOO"].map { "reference-without-target Bar.\($0)" })
  }

  /// An answer holds for all entities of a table that have the column, but for those with another.
  @Test(
    arguments: [
      (["Bar.RANK=integer"], [.integer, .integer]), (["Sub.RANK=integer"], [.integer, .integer]),
      (["Sub.RANK=boolean", "Bar.RANK=integer"], [.integer, .boolean]),
      // What is read as something else is something else.
      (["Bar.V=decimal"], [.reference, .reference]),
    ] as [([String], [LogicalType])])
  func answerHoldsForAllEntitiesOfAColumn(_ answers: [String], types: [LogicalType]) throws {
    let reader = try SQLStore(
      Self.bookkeeping + """
        CREATE TABLE ZBAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRANK INTEGER, ZV);
        CREATE INDEX ZBAR_ZRANK_INDEX ON ZBAR (ZRANK);
        INSERT INTO ZBAR VALUES (1, 2, 1, 7, 5), (2, 3, 1, 1, 'a');
        """
    ).reader(Corrections(types: answers))
    let ranks = reader.catalogue.tables.flatMap(\.columns).filter { $0.name == "RANK" }
    #expect(ranks.map(\.type) == types)
    #expect(
      codes(reader).contains { $0.hasPrefix("reference") } == types.contains(.reference))
    #expect(try reader.read("Sub")?.values("V") == ["a"])
  }

  /// A column that another tool has added with an expression that fails in some rows.
  @Test(
    arguments: [
      ("NUMERIC", "ZY", false), ("INTEGER", "ZY", true), ("INTEGER", "ZBAR", true),
      ("NUMERIC", "ZBAR", false), ("VARCHAR", "ZY", false),
    ] as [(String, String, Bool)], ["", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0;"])
  func columnThatCannotBeComputedIsLeftOut(
    _ column: (type: String, name: String, isIndexed: Bool), change: String
  ) throws {
    let index = "CREATE INDEX ZFOO_\(column.name)_INDEX ON ZFOO (Z_OPT);"
    let reader = try SQLStore(
      Self.bookkeeping + """
        \(change)
        CREATE TABLE ZBAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        CREATE TABLE ZFOO (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR);
        INSERT INTO ZFOO VALUES (1, 1, 1, 'a');
        ALTER TABLE ZFOO ADD COLUMN \(column.name) \(column.type)
          AS (abs(-9223372036854775807 - Z_OPT));
        \(column.isIndexed ? index : "")
        """
    ).reader()
    #expect(codes(reader) == [])
    #expect(reader.findings.count { $0.code == "computed-column-left-out" } == 1)
    #expect(try reader.read("Foo")?.rows == [["a"]])
  }

  @Test func keyOfUnknownRowsThatHasAPlaceIsTold() throws {
    let reader = try foo("ZRANK Z_FOK_RANK", "(1, 1, 1024)", isAlone: true).reader()
    let columns = try #require(try reader.read("Foo")).table.columns
    #expect(columns.map(\.role) == [.reference, .position])
    #expect(codes(reader) == ["reference-without-target Foo.RANK"])
  }
}
