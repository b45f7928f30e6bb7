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

  /// How a device's store tells of the people whose keys its posts have.
  enum Device {
    case modelled
    /// Without a model only the name tells, if the keys lead to people.
    case plain
    case plainWithDanglingKey
  }

  /// A store whose first post is by its first person, and whose second one is by the second or by
  /// nobody.
  private func makeDevice(_ number: Int, _ device: Device, by reference: String) throws -> String {
    try ObjectStore.describe(
      "device\(number).sqlite", in: folder,
      of: "[Entity('Author', (A('tag', 'string'),)), "
        + "Entity('Post', (A('tag', 'string'),), (Relationship('\(reference)', 'Author'),))]",
      """
      for key in range(1, \(6 - number)): store.insert('Author', {'tag': f'\(number)-{key}'})
      for key in 1, 2:
          store.insert('Post', {'tag': f'\(number)-{key}', '\(reference)': Ref('Author', key)})
      if \(device == .plainWithDanglingKey ? "True" : "False"):
          store.database.execute('UPDATE ZPOST SET Z\(reference.uppercased()) = 9 WHERE Z_PK = 2')
      """, hasModel: device == .modelled)
  }

  /// Each post with its person, and whether its key is one that no row has.
  private func posts(of store: String, by reference: String) throws -> Set<Substring> {
    let others = try Devices.query(
      store,
      """
      SELECT count(*) FROM pragma_table_info('Post') WHERE name GLOB '*_2' OR name GLOB '*_entity'
      """)
    #expect(others.split(separator: "\n") == ["0"])
    let posts = try Devices.query(
      store,
      """
      SELECT p.tag, ifnull(a.tag, ''), p.\(reference) < 0 FROM Post AS p
        LEFT JOIN Author AS a ON a._pk = p.\(reference)
      """)
    return Set(posts.split(separator: "\n"))
  }

  @Test(
    arguments: [
      ("writer", .plain), ("writer", .plainWithDanglingKey), ("author", .plain),
      ("author", .plainWithDanglingKey),
    ] as [(String, Device)], [Device.modelled, .plain])
  func keysFollowTheRowsThatAnotherStoreKnows(_ other: (name: String, Device), known: Device)
    async throws
  {
    // Without a model, nothing tells that writers are authors.
    guard known == .modelled || other.name == "author" else { return }
    let stores = [
      try makeDevice(1, known, by: other.name), try makeDevice(2, other.1, by: other.name),
    ]
    let last: Substring = other.1 == .plain ? "2-2|2-2|0" : "2-2||1"
    let merged = folder.path("m.rehome")
    for inputs in [stores, stores.reversed()] {
      let outcome = await rehome(["convert", "-f", "-o", merged] + inputs)
      #expect(outcome.code == 0, "\(outcome.error)")
      let expected: Set<Substring> = ["1-1|1-1|0", "1-2|1-2|0", "2-1|2-1|0", last]
      #expect(try posts(of: merged, by: other.name) == expected)
      for again in stores {
        let store = folder.path("again.rehome")
        _ = await rehome("convert", "-qf", merged, again, "-o", store)
        #expect(try posts(of: store, by: other.name) == expected)
      }
    }
  }

  /// What was united before anybody knew the rows leads to none, rather than to those of another
  /// device.
  @Test func numbersOfAnEarlierMergeLeadToNoRow() async throws {
    let (merged, all) = (folder.path("m.rehome"), folder.path("all.rehome"))
    let stores = [try makeDevice(1, .plain, by: "writer"), try makeDevice(2, .plain, by: "writer")]
    _ = await rehome(["convert", "-q", "-o", merged] + stores)
    let known = try makeDevice(3, .modelled, by: "writer")
    for inputs in [[merged, known], [known, merged]] {
      _ = await rehome(["convert", "-qf", "-o", all] + inputs)
      #expect(
        try posts(of: all, by: "writer") == [
          "1-1||1", "1-2||1", "2-1||1", "2-2||1", "3-1|3-1|0", "3-2|3-2|0",
        ])
    }
  }
}
