import TestSupport
import Testing

/// References lead to the same rows, whatever they and the tables are called.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct RenamedReferencesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var person = "Person"
    var employee = "Employee"
    /// Whether the app has an attribute of the name that goes with the reference.
    var hasTwin = false
    var options: [String] = []
    var tables = ["Person", "Employee"]

    var testDescription: String { "\(person) \(employee) \(hasTwin) \(options)" }
  }

  static let cases = [
    Case(),
    Case(options: ["--rename", "Person=Human"], tables: ["Human", "Employee"]),
    Case(options: ["--rename", "Employee=Worker"], tables: ["Person", "Worker"]),
    Case(options: ["--rename", "Book.author=writer"]),
    Case(hasTwin: true),
    Case(hasTwin: true, options: ["--rename", "Book.author=writer"]),
    Case(person: "rehome_p", tables: ["app_rehome_p", "Employee"]),
    Case(employee: "perSON", tables: ["Person", "perSON_2"]),
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store in which two books have authors of different entities, and one author a boss.
  private func makeStore(_ number: Int, _ names: Case) throws -> String {
    let (table, first) = ("Z" + names.person.uppercased(), number * 10)
    return try ObjectStore.make(
      "\(number).sqlite", in: folder,
      of: [("Book", nil), (names.person, nil), (names.employee, names.person)],
      """
      CREATE TABLE \(table) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZBOSS INTEGER, ZNAME VARCHAR);
      INSERT INTO \(table) VALUES (\(first), 2, 1, NULL, 'p\(number)'),
        (\(first + 1), 3, 1, \(first + 1), 'e\(number)');
      CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        \(names.hasTwin ? "ZAUTHOR_ENTITY INTEGER," : "")
        ZAUTHOR INTEGER, Z2_AUTHOR INTEGER, ZTITLE VARCHAR);
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR, Z2_AUTHOR, ZTITLE) VALUES
        (1, 1, 1, \(first), 2, 'of p\(number)'), (2, 1, 1, \(first + 1), 3, 'of e\(number)');
      """)
  }

  private func writeModel(_ names: Case) throws -> String {
    let twin = #"<attribute name="author_entity" optional="YES" attributeType="Integer 64"/>"#
    return try ObjectStore.writeModel(
      """
      <entity name="Book">
        \(names.hasTwin ? twin : "")
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="author" optional="YES" maxCount="1"
          destinationEntity="\(names.person)" inverseName="books"
          inverseEntity="\(names.person)"/>
      </entity>
      <entity name="\(names.person)">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book"
          inverseName="author" inverseEntity="Book"/>
      </entity>
      <entity name="\(names.employee)" parentEntity="\(names.person)">
        <relationship name="boss" optional="YES" maxCount="1"
          destinationEntity="\(names.employee)"/>
      </entity>
      """, in: folder)
  }

  /// Where the references of a canonical store lead, as Python follows them.
  private func links(_ store: String) throws -> String {
    try python(
      """
      import sqlite3, sys
      sql = sqlite3.connect(sys.argv[1]).execute
      def columns(role, condition):
          return sql('SELECT "table", name, target FROM rehome_column WHERE role = ? AND ' + condition,
                     (role,)).fetchall()
      def name(table, key):
          return sql(f'SELECT name FROM "{table}" WHERE _pk = ?', (key,)).fetchone()[0]
      (reference,), (entity,) = columns('reference', 'target IS NULL'), columns('referenceEntity', '1')
      for title, key, table in sql(
              f'SELECT title, "{reference[1]}", "{entity[1]}" FROM Book ORDER BY title'):
          print(title, table, name(table, key))
      for owner, column, target in columns('reference', 'target IS NOT NULL'):
          for own, key in sql(f'SELECT name, "{column}" FROM "{owner}" ORDER BY name'):
              print(own, target, name(target, key))
      """, store)
  }

  private func expected(_ names: Case, _ stores: [Int]) -> String {
    let (person, employee) = (names.tables[0], names.tables[1])
    let lines =
      stores.map { "of e\($0) \(employee) e\($0)" } + stores.map { "of p\($0) \(person) p\($0)" }
      + stores.map { "e\($0) \(employee) e\($0)" }
    return lines.map { $0 + "\n" }.joined()
  }

  @Test(arguments: cases)
  func mergedReferencesLeadToTheirRows(_ names: Case) async throws {
    let stores = try [1, 2].map { try makeStore($0, names) }
    let options = ["--model", try writeModel(names)] + names.options
    let merged = folder.path("merged.rehome")
    let outcome = await rehome(["convert", "-q", "-o", merged] + stores + options)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try links(merged) == expected(names, [1, 2]))

    var exports: [String] = []
    for (number, store) in zip([1, 2], stores) {
      let single = folder.path("\(number).rehome")
      _ = await rehome(["convert", "-q", "-o", single, store] + options)
      #expect(try links(single) == expected(names, [number]))
      exports.append(folder.path("\(number).json"))
      _ = await rehome("export", "-q", single, "--to", "json", "-o", exports[number - 1])
    }
    for sources in [["1.rehome", "2.rehome"].map(folder.path), exports] {
      let again = folder.path("again.rehome")
      let outcome = await rehome(["convert", "-qf", "-o", again] + sources)
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try links(again) == expected(names, [1, 2]))
      #expect(await rehome("verify", "-q", merged, again).code == 0)
    }
    let audit = await rehome("audit", "--json", merged)
    #expect(!audit.text.contains("dangling-reference"))
  }

  /// A number that leads to no row may be that of a row of another store.
  @Test func numberThatLeadsNowhereIsToldAsItIsInTheStore() async throws {
    let stores = try [1, 2].map { try makeStore($0, Case()) }
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute("UPDATE ZPERSON SET ZBOSS = 21 WHERE ZNAME = 'e1'")
      """, stores[0])
    let model = try writeModel(Case())
    let words = "to rows that are not there; the numbers are kept"
    for (sources, sign) in [([stores[0]], 1), (stores, -1)] {
      let output = folder.path("out.rehome")
      _ = await rehome(["convert", "-qf", "-o", output, "--model", model] + sources)
      let told = await rehome("inspect", output).text
      #expect(told.contains(words), "\(told)")
      #expect(told.contains(words + " with a minus") == (sign < 0), "\(told)")
      let number = try python(
        """
        import sqlite3, sys
        sql = sqlite3.connect(sys.argv[1]).execute
        table, column = sql('SELECT "table", name FROM rehome_column WHERE role = ? AND target = ?',
                            ('reference', 'Employee')).fetchone()
        print(*sql(f'SELECT "{column}" FROM "{table}" WHERE name = ?', ('e1',)).fetchone())
        """, output)
      #expect(number == "\(sign * 21)\n")
    }
  }

  /// Stores that an earlier version converted name the entity, which is no table here.
  @Test func referencesByTheNamesOfTheSourceAreFollowed() async throws {
    let names = Self.cases[1]
    let model = try writeModel(names)
    var stores: [String] = []
    for number in [1, 2] {
      stores.append(folder.path("\(number).rehome"))
      _ = await rehome(
        ["convert", "-q", "-o", stores[number - 1], try makeStore(number, names), "--model", model]
          + names.options)
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as store:
            store.execute("UPDATE Book SET author_entity = 'Person' WHERE author_entity = 'Human'")
        """, stores[number - 1])
    }
    let merged = folder.path("merged.rehome")
    #expect(await rehome(["convert", "-q", "-o", merged] + stores).code == 0)
    #expect(try links(merged) == expected(names, [1, 2]))
  }

  /// The app's own store takes what tables are called here for the entities that they are.
  @Test(arguments: cases)
  func referencesComeBackIntoAStoreOfTheApp(_ names: Case) async throws {
    let store = try makeStore(1, names)
    let options = ["--model", try writeModel(names)] + names.options
    let (export, empty) = (folder.path("export.json"), folder.path("empty.sqlite"))
    _ = await rehome(["export", "-q", "--to", "json", "-o", export, store] + options)
    _ = try Python.run(
      file: Project.path("Tests/Oracles/empty_core_data.py"), arguments: [store, empty])
    let (app, again) = (folder.path("app.sqlite"), folder.path("again.rehome"))
    let outcome = await rehome(
      ["seed", export, "--into", "core-data", "--template", empty, "-o", app]
        + options.prefix(2))
    #expect(outcome.code == 0, "\(outcome.error)")
    _ = await rehome(["convert", "-q", "-o", again, app] + options)
    #expect(try links(again) == expected(names, [1]))
  }

  @Test func referencesOfXMLStoresLeadToTheirRows() async throws {
    let stores = try [1, 2].map { number in
      try folder.write(
        """
        <?xml version="1.0"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <database><databaseInfo><version>134481920</version><UUID>U</UUID>
        <nextObjectID>900</nextObjectID><metadata><plist version="1.0"><dict>
        <key>NSStoreModelVersionHashes</key><dict><key>Book</key><data>AAAA</data>
        <key>rehome_p</key><data>AAAA</data></dict></dict></plist></metadata></databaseInfo>
        <object type="BOOK" id="z\(number)01"><attribute name="title" type="string">b</attribute>
        <relationship name="author" type="0/1" destination="REHOME_P" idrefs="z\(number)02"/>
        </object><object type="REHOME_P" id="z\(number)02">
        <attribute name="name" type="string">p\(number)</attribute></object></database>
        """, to: "\(number).xml")
    }
    let merged = folder.path("merged.rehome")
    #expect(await rehome(["convert", "-q", "-o", merged] + stores).code == 0)
    let rows = try Devices.query(
      merged,
      """
      SELECT p.name, c.target FROM Book b JOIN app_rehome_p p ON p._pk = b.author
        JOIN rehome_column c ON c.name = 'author' ORDER BY 1
      """)
    #expect(rows == "p1|app_rehome_p\np2|app_rehome_p\n")
  }
}
