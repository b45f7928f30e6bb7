import Foundation
import Testing

@testable import Records

/// Rows of virtual tables come from the true tables beside them; each is told of.
struct VirtualTableTests {
  private func columns(_ reader: any StoreReader, _ table: String) throws -> [String] {
    try #require(try reader.read(table)).table.columns.map(\.name)
  }

  @Test(arguments: [
    "fts3(title, body)", "fts4(title TEXT, \"body\", prefix='2,4', matchinfo=fts3)",
    "fts4(title, body, notindexed=title, tokenize=porter)", "fts5(title, [body] UNINDEXED)",
    "fts5(title, body, prefix='2 3', detail=none, columnsize=0, tokenize = 'porter ascii')",
    "FTS5(\"title\",'body', detail = column)",
  ])
  func rowsOfFullTextAreThoseOfItsContent(_ module: String) throws {
    let reader = try SQLStore(
      """
      CREATE TABLE posts_content_of_the_app (a); CREATE VIRTUAL TABLE docs USING \(module);
      INSERT INTO docs (rowid, title, body) VALUES (7, 'one', 'a b c'), (9, 'two', NULL);
      """
    ).reader()
    #expect(reader.tableNames == ["posts_content_of_the_app", "docs"])
    let docs = try #require(try reader.read("docs"))
    #expect(docs.keys == [7, 9])
    #expect(docs.rows == [["one", "a b c"], ["two", nil]])
    #expect(try columns(reader, "docs") == ["title", "body"])
    #expect(reader.findings.map(\.code) == ["virtual-table-left-out"])
    #expect(reader.findings.map(\.severity) == [.note])
  }

  @Test func languageAndNamesOfOddColumnsAreKept() throws {
    let reader = try SQLStore(
      """
      CREATE VIRTUAL TABLE "my docs" USING fts4([a "b"], languageid="lid");
      INSERT INTO "my docs" ([a "b"], lid) VALUES ('x', 3);
      CREATE VIRTUAL TABLE bare USING fts3(); INSERT INTO bare VALUES ('y');
      """
    ).reader()
    #expect(reader.tableNames == ["my docs", "bare"])
    #expect(try columns(reader, "my docs") == ["a \"b\"", "lid"])
    #expect(try #require(try reader.read("my docs")).rows == [["x", "3"]])
    #expect(try columns(reader, "bare") == ["content"])
  }

  @Test(arguments: [
    ("fts4(a, content=\"\")", Severity.warning), ("fts5(a, content='')", .warning),
    ("fts4(a, content=\"other\")", .note), ("fts5(a, content=OTHER, content_rowid=k)", .note),
    ("fts5(a, content=view)", .note), ("fts5(a, content=gone)", .warning),
  ])
  func fullTextWithoutTextsOfItsOwnIsTold(_ module: String, _ severity: Severity) throws {
    let reader = try SQLStore(
      """
      CREATE TABLE other (k INTEGER PRIMARY KEY, a); CREATE VIEW view AS SELECT a FROM other;
      CREATE VIRTUAL TABLE docs USING \(module)
      """
    ).reader()
    #expect(reader.tableNames == ["other"])
    #expect(reader.findings.map(\.severity) == [severity])
    #expect(reader.findings.map(\.table) == ["docs"])
  }

  @Test(arguments: [("other", "the table other"), ("VIEW", "the view VIEW")])
  func fullTextNamesWhatHasItsTexts(_ content: String, _ words: String) throws {
    let reader = try SQLStore(
      """
      CREATE TABLE other (k INTEGER PRIMARY KEY, a); CREATE VIEW view AS SELECT a FROM other;
      CREATE VIRTUAL TABLE docs USING fts4(a, content="\(content)")
      """
    ).reader()
    #expect(reader.findings.map(\.message).allSatisfy { $0.contains("those of \(words);") })
  }

  @Test func boxesAreTakenFromTheNodes() throws {
    var boxes: [String] = []
    var keys: [Int64] = []
    for number in 1...300 {
      keys.append(Int64(number * 7 - 1000))
      boxes.append(
        "(\(number * 7 - 1000), \(number), \(number).5, -\(number), \(number * 2), 'n\(number)')")
    }
    let reader = try SQLStore(
      """
      CREATE VIRTUAL TABLE places USING rtree(id, minX, maxX, minY, maxY, +name TEXT);
      INSERT INTO places VALUES \(boxes.joined(separator: ","));
      CREATE VIRTUAL TABLE whole USING rtree_i32(id, low, high);
      INSERT INTO whole VALUES (-3, -2147483648, 2147483647);
      """
    ).reader()
    let places = try #require(try reader.read("places"))
    #expect(places.keys == keys)
    #expect(try columns(reader, "places") == ["id", "minX", "maxX", "minY", "maxY", "name"])
    #expect(places.rows[299] == ["1100", "300.0", "300.5", "-300.0", "600.0", "n300"])
    #expect(places.rejects.isEmpty)
    let whole = try #require(try reader.read("whole"))
    #expect(whole.rows == [["-3", "-2147483648", "2147483647"]])
    #expect(reader.findings.map(\.severity) == [.note, .note])
  }

  @Test func rowThatItsNodeDoesNotListIsRejected() throws {
    let reader = try SQLStore(
      """
      CREATE VIRTUAL TABLE places USING rtree(id, low, high);
      INSERT INTO places VALUES (1, 2, 3), (4, 5, 6);
      UPDATE places_rowid SET nodeno = 99 WHERE rowid = 4;
      """
    ).reader()
    let places = try #require(try reader.read("places"))
    #expect(places.rows == [["1", "2.0", "3.0"], ["4", nil, nil]])
    #expect(places.rejects.count == 2)
  }

  @Test func moduleOfTheAppIsToldAndItsTablesAreRead() throws {
    let reader = try SQLStore(
      """
      CREATE TABLE words_data (a); INSERT INTO words_data VALUES ('x');
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES
        ('table', 'words', 'words', 0, 'CREATE VIRTUAL TABLE words USING spellfix1');
      """
    ).reader()
    #expect(reader.tableNames == ["words_data"])
    #expect(reader.findings.map(\.severity) == [.warning])
    #expect(reader.findings.first?.message.contains("spellfix1") == true)
  }

  /// The engine takes a table for the insides of another by its name alone.
  @Test(arguments: [
    ("notes_content", "fts5(body, content='notes_content', content_rowid='id')"),
    ("notes_content", "fts4(body, content=\"notes_content\")"),
    ("Notes_Content", "fts5(body, content='')"), ("notes_stat", "fts3(body)"),
    ("notes_docsize", "fts3(body)"), ("notes_docsize", "fts5(body, columnsize=0)"),
    ("notes_content", "fts5(body, content=notes_content)"),
  ])
  func tableOfTheAppIsReadWhateverItsName(_ name: String, _ module: String) throws {
    for columns in ["id INTEGER PRIMARY KEY, body TEXT", "id INTEGER PRIMARY KEY, c0 TEXT"] {
      let reader = try SQLStore(
        """
        CREATE TABLE \(name) (\(columns)); INSERT INTO \(name) VALUES (3, 'precious');
        CREATE VIRTUAL TABLE notes USING \(module);
        """
      ).reader()
      #expect(reader.tableNames.first == name)
      #expect(try reader.read(name)?.rows == [["3", "precious"]])
    }
  }

  /// Writes a virtual table into the schema whose options the engine of the tests need not know.
  private func written(_ module: String) -> String {
    """
    PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema
    VALUES ('table', 'notes', 'notes', 0,
      'CREATE VIRTUAL TABLE notes USING \(module.replacing("'", with: "\""))');
    """
  }

  /// Modules make other insides by their options, and an app's table may look the same as those.
  @Test(arguments: [
    ("stat", "fts3(body)"), ("docsize", "fts3(body)"), ("docsize", "fts4(body, matchinfo='FTS3')"),
    ("docsize", "fts5(body, columnsize=0)"), ("docsize", "fts5(body, columns=0)"),
    ("content", "fts4(body, content='')"), ("content", "fts5(body, con='')"),
    ("content", "fts5(body, content='')"),
    ("content", "fts5(body, uuid, content='', contentless_unindexed=1)"),
  ])
  func tableOfTheAppIsReadThoughItLooksLikeInsides(_ ending: String, _ module: String) throws {
    let insides = [
      "stat": "id INTEGER PRIMARY KEY, value BLOB", "content": "id INTEGER PRIMARY KEY, c0",
      "docsize": module.hasPrefix("fts5")
        ? "id INTEGER PRIMARY KEY, sz BLOB" : "docid INTEGER PRIMARY KEY, size BLOB",
    ]
    let reader = try SQLStore(
      """
      CREATE TABLE notes_\(ending) (\(insides[ending]!));
      INSERT INTO notes_\(ending) VALUES (3, 'precious');
      \(written(module))
      """
    ).reader()
    #expect(reader.tableNames.first == "notes_\(ending)")
    #expect(try reader.read("notes_\(ending)")?.keys == [3])
  }

  @Test(arguments: [
    "fts3(body)", "fts4(body)", "fts4(body, content='')", "fts5(body)", "fts5(body, content='')",
    "fts5(body, columnsize=0)", "rtree(id, low, high)",
  ])
  func insidesThatAModuleMakesAreNoTables(_ module: String) throws {
    let reader = try SQLStore("CREATE VIRTUAL TABLE notes USING \(module)").reader()
    #expect(!reader.tableNames.contains { $0.hasPrefix("notes_") })
  }

  /// FTS3 makes this one only for an app that tells it to tidy up by itself.
  @Test func statisticsOfFTS3AreItsInsides() throws {
    let reader = try SQLStore(
      """
      CREATE VIRTUAL TABLE notes USING fts3(body); INSERT INTO notes VALUES ('a');
      INSERT INTO notes (notes) VALUES ('automerge=8');
      """
    ).reader()
    #expect(reader.tableNames == ["notes"])
  }

  /// To FTS3 what looks like an option is a column.
  @Test func columnOfFTS3MayBeCalledAsAnOptionIs() throws {
    let reader = try SQLStore(
      """
      CREATE TABLE docs (title); CREATE VIRTUAL TABLE f USING fts3(title, content="docs");
      INSERT INTO f VALUES ('kept', 'here');
      """
    ).reader()
    #expect(try reader.read("f")?.rows == [["kept", "here"]])
  }

  /// Newer engines than ours keep columns that are not indexed beside an index without texts.
  @Test func columnsWithoutIndexAreTakenFromBesideAnIndexWithoutTexts() throws {
    let reader = try SQLStore(
      """
      CREATE TABLE x (id INTEGER PRIMARY KEY, c1, c2); INSERT INTO x VALUES (7, 'id-1', 5);
      \(written(
        "fts5(body, uuid UNINDEXED, n UNINDEXED, content='', contentless_unindexed=1)"))
      UPDATE sqlite_schema SET name = 'notes_content', tbl_name = 'notes_content',
        sql = replace(sql, 'TABLE x', 'TABLE notes_content') WHERE name = 'x';
      """
    ).reader()
    #expect(reader.tableNames == ["notes"])
    #expect(try columns(reader, "notes") == ["uuid", "n"])
    let notes = try #require(try reader.read("notes"))
    #expect(notes.keys == [7])
    #expect(notes.rows == [["id-1", "5"]])
    #expect(reader.findings.map(\.severity) == [.warning])
    #expect(reader.findings.first?.message.contains("taken from notes_content") == true)
  }

  @Test(arguments: ["fts3", "fts4"])
  func digitsThatBeginANameAreKept(_ module: String) throws {
    let reader = try SQLStore(
      """
      CREATE VIRTUAL TABLE t USING \(module)("2nd", body, "1", "c0");
      INSERT INTO t VALUES ('a', 'b', 'c', 'd');
      """
    ).reader()
    #expect(try columns(reader, "t") == ["2nd", "body", "1", "c0"])
    #expect(try reader.read("t")?.rows == [["a", "b", "c", "d"]])
  }

  /// What stands in a file need not be what the module made.
  @Test func columnsThatTheModuleDidNotMakeKeepTheirNames() throws {
    let reader = try SQLStore(
      """
      CREATE VIRTUAL TABLE t USING fts5(x); DROP TABLE t_content;
      CREATE TABLE t_content (id INTEGER PRIMARY KEY, "c-1", "c9", "l-2");
      INSERT INTO t_content VALUES (1, 'a', 'b', 'c');
      """
    ).reader()
    let name = try #require(reader.tableNames.first)
    #expect(try columns(reader, name).suffix(3) == ["c-1", "c9", "l-2"])
    #expect(try reader.read(name)?.rows.first?.suffix(3) == ["a", "b", "c"])
  }

  @Test func tableThatOnlyShowsAnIndexIsNoLoss() throws {
    let reader = try SQLStore(
      """
      CREATE VIRTUAL TABLE a USING fts4(x); CREATE VIRTUAL TABLE b USING fts4aux(a);
      CREATE VIRTUAL TABLE c USING fts5(x); CREATE VIRTUAL TABLE d USING fts5vocab(c, row);
      """
    ).reader()
    #expect(reader.tableNames == ["a", "c"])
    #expect(reader.findings.map(\.severity) == [.note, .note, .note, .note])
  }
}
