import TestSupport
import Testing

/// Numbers of which a store without a model does not tell which rows they name, if any.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct UnknownTargetsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store whose one book has an author, a rank, and a place in a row of books; the author is the
  /// first of this many people.
  private func makeStore(_ number: Int, people: Int) throws -> String {
    try ObjectStore.make(
      "\(number).sqlite", in: folder, of: [("Author", nil), ("Book", nil)],
      """
      CREATE TABLE ZAUTHOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(people))
        INSERT INTO ZAUTHOR SELECT i, 1, 1, \(number) || '-' || i FROM n;
      CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER,
        ZRANK INTEGER, ZSHELF INTEGER, Z_FOK_SHELF INTEGER);
      INSERT INTO ZBOOK VALUES (1, 2, 1, 1, 7, 3, 1024);
      CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
      CREATE INDEX ZBOOK_ZRANK_INDEX ON ZBOOK (ZRANK);
      CREATE INDEX ZBOOK_ZSHELF_INDEX ON ZBOOK (ZSHELF);
      """)
  }

  @Test func numbersStayAndKnownKeysFollowTheirRows() async throws {
    let stores = [try makeStore(1, people: 4), try makeStore(2, people: 2)]
    let (merged, again) = (folder.path("m.rehome"), folder.path("again.rehome"))
    let outcome = await rehome(["convert", "-o", merged] + stores)
    #expect(outcome.code == 0, "\(outcome.error)")
    for column in ["RANK", "SHELF"] {
      #expect(outcome.error.contains("Book.\(column) "), "\(outcome.error)")
    }
    #expect(!outcome.error.contains("Book.AUTHOR "))
    let alone = folder.path("1.rehome")
    _ = await rehome("convert", "-q", stores[0], "-o", alone)
    _ = await rehome("convert", "-q", alone, merged, "-o", again)
    for store in [merged, again] {
      let books = try Devices.query(
        store,
        """
        SELECT a.NAME, b.RANK, b.SHELF, b.SHELF_position FROM Book AS b
          LEFT JOIN Author AS a ON a._pk = b.AUTHOR ORDER BY b._pk
        """)
      #expect(Set(books.split(separator: "\n")) == ["1-1|7|3|1024", "2-1|7|3|1024"])
    }
  }
}
