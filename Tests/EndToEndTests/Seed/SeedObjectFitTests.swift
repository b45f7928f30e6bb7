import TestSupport
import Testing

/// What the app's model does not know, or leads elsewhere, is told and never takes the place of others.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedObjectFitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.sqlite") }

  private func seed(
    _ inputs: [String], _ template: String, _ options: [String] = []
  ) async -> Outcome {
    await rehome(
      ["seed"] + inputs + ["--into", "core-data", "--template", template, "-fo", output] + options)
  }

  private func template(_ entities: String) throws -> String {
    try ObjectStore.describe("empty.sqlite", in: folder, of: "[\(entities)]")
  }

  private func rows(_ query: String) throws -> String { try Devices.query(output, query) }

  /// Whether the app knows the table or not, nothing of it is sent without its rows.
  @Test(arguments: [
    (false, ["--drop-unknown"]), (false, ["--exclude-table", "Old"]), (false, ["--table", "Todo"]),
    (true, ["--exclude-table", "Old"]), (true, ["--table", "Todo"]),
  ])
  func queueOfATableThatIsLeftOutIsLeftOut(isKnown: Bool, options: [String]) async throws {
    let attributes = "(A('id', 'string'), A('version', 'string'))"
    let todo = "system_entities() + [Entity('Todo', \(attributes))]"
    let both = todo + " + [Entity('Old', \(attributes))]"
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: both,
      """
      store.insert('Todo', {'id': 't', 'version': 'AA='})
      store.insert('Old', {'id': 'o', 'version': 'AA='})
      queue.add(1, 'Todo', 't', 1)
      queue.add(2, 'Old', 'o', 1)
      queue.add(3, 'Old', 'gone', {'type': 2, 'item': {'id': 'gone'}})
      queue.add(4, 'Never', 'n', {'type': 2, 'item': {'id': 'n'}})
      queue.add_error('E', {'code': -1302, 'description': 'x', 'table': 'Old', 'operation': 2,
          'itemId': 'gone', 'statusCode': 500}, 3)
      for table in 'Todo', 'Old':
          queue.add_token('T' + table, table, 'q', '2016-10-01T09:15:30.123Z')
      """)
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: isKnown ? both : todo)
    let outcome = await seed([store], template, options)
    #expect(outcome.code == 2, "\(outcome.error)")
    for told in [
      "operations of tables that were left out, so that they are not carried over: 2",
      "errors of tables that were left out: 1", "tokens of tables that were left out: 1",
    ] {
      #expect(outcome.error.contains(told), "\(outcome.error)")
    }
    #expect(
      try rows("SELECT ZTABLE, ZITEMID FROM ZMS_TABLEOPERATIONS ORDER BY ZID")
        == "Todo|t\nNever|n\n")
    #expect(try rows("SELECT ZTABLE FROM ZMS_TABLECONFIG") == "Todo\n")
    #expect(try rows("SELECT count(*) FROM ZMS_TABLEOPERATIONERRORS") == "0\n")
  }

  /// The row may be of an entity below the one that the operation names.
  @Test(arguments: [false, true], ["--exclude-table", "--drop-unknown"])
  func operationOfARowThatIsLeftOutIsLeftOut(isCanonical: Bool, option: String) async throws {
    let base =
      "system_entities() + [Entity('Base', (A('id', 'string'), A('version', 'string')))"
    let both = base + ", Entity('Sub', (A('x', 'string'),), parent='Base')]"
    var input = try ObjectStore.describe(
      "device.sqlite", in: folder, of: both,
      """
      store.insert('Base', {'id': 'a', 'version': 'AA='})
      store.insert('Sub', {'id': 'b', 'x': 'y', 'version': 'AA='})
      queue.add(3, 'Base', 'b', 1)
      queue.add(4, 'Base', 'a', 1)
      queue.add(5, 'Base', 'nowhere', 1)
      queue.add(6, 'Base', 'b', {'type': 2, 'item': {'id': 'b'}})
      """)
    if isCanonical {
      let kept = folder.path("kept.rehome")
      _ = await rehome("convert", "-q", input, "-o", kept)
      input = kept
    }
    let isDropped = option == "--drop-unknown"
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: isDropped ? base + "]" : both)
    let outcome = await seed([input], template, isDropped ? [option] : [option, "Sub"])
    #expect(outcome.code == 2, "\(outcome.error)")
    let told = "operations whose row is not in the store, so that they are not carried over: 1"
    #expect(outcome.error.contains(told), "\(outcome.error)")
    #expect(
      try rows("SELECT ZID, ZITEMID FROM ZMS_TABLEOPERATIONS ORDER BY ZID")
        == "4|a\n5|nowhere\n6|b\n")
  }

  /// The SDK tells names apart that differ in letter case.
  @Test func tableInAnotherLetterCaseIsNotOneThatWasLeftOut() async throws {
    let entities =
      "system_entities() + [Entity('Todo', (A('id', 'string'), A('version', 'string')))]"
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: entities,
      """
      store.insert('Todo', {'id': 'a', 'version': 'AA='})
      queue.add(1, 'todo', 'g', {'type': 2, 'item': {'id': 'g'}})
      queue.add_token('T', 'todo', 'q', '2016-10-01T09:15:30.123Z')
      """)
    let template = try ObjectStore.describe("empty.sqlite", in: folder, of: entities)
    let outcome = await seed([store], template)
    #expect(outcome.code == 0 && !outcome.error.contains("left out"), "\(outcome.error)")
    #expect(try rows("SELECT ZTABLE FROM ZMS_TABLEOPERATIONS") == "todo\n")
    #expect(try rows("SELECT ZTABLE FROM ZMS_TABLECONFIG") == "todo\n")
    let left = await seed([store], template, ["--exclude-table", "Todo"])
    #expect(left.code == 2, "\(left.error)")
    #expect(left.error.contains("operations of tables that were left out"), "\(left.error)")
  }

  private static let tagged =
    "Entity('Author', (A('tag', 'string'),))"
    + ", Entity('Person', (A('tag', 'string'),))"

  private static func post(_ target: String) -> String {
    tagged + ", Entity('Post', (A('tag', 'string'),), (Relationship('author', '\(target)'),))"
  }

  /// The same keys mean other rows there.
  @Test(arguments: [[], ["--exclude-table", "Author"]])
  func referencesThatLeadElsewhereAreRefused(options: [String]) async throws {
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: "[\(Self.post("Author"))]",
      """
      store.insert('Author', {'tag': 'a'})
      store.insert('Person', {'tag': 'p'})
      store.insert('Post', {'tag': 'x', 'author': Ref('Author', 1)})
      """)
    let template = try template(Self.post("Person"))
    let files = try [
      folder.write("id,tag\na,A\n", to: "Author.csv"),
      folder.write("id,tag\np,P\n", to: "Person.csv"),
      folder.write("tag,author\nx,a\n", to: "Post.csv"),
    ]
    for (inputs, more) in [
      ([store], options),
      (files, options + ["--reference", "Post.author=Author", "--drop-unknown"]),
    ] {
      let outcome = await seed(inputs, template, more)
      #expect(outcome.code == 64, "\(outcome.error)")
      #expect(
        outcome.error.contains(
          "Post.author of the template leads to Person, and Post.author to Author"),
        "\(outcome.error)")
    }
  }

  /// An entity that the app has renamed is the same, and so is one of the same tree.
  @Test func referencesThatLeadToTheSameTreeAreTaken() async throws {
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder,
      of: "[Entity('Author', (A('tag', 'string'),)), "
        + "Entity('Post', (A('tag', 'string'),), (Relationship('author', 'Author'),))]",
      """
      store.insert('Author', {'tag': 'a'})
      store.insert('Author', {'tag': 'b'})
      store.insert('Post', {'tag': 'x', 'author': Ref('Author', 2)})
      """)
    let post = "Entity('Post', (A('tag', 'string'),), (Relationship('author', 'Person'),))"
    let template = try template(
      "Entity('Person', (A('tag', 'string'),)), Entity('Writer', parent='Person'), " + post)
    let canonical = folder.path("own.rehome")
    for name in ["Person", "Writer"] {
      let names = ["--rename", "Author=" + name]
      _ = await rehome(["convert", "-qf", store, "-o", canonical] + names)
      for (input, options) in [(store, names), (canonical, [])] {
        let outcome = await seed([input], template, options)
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(
          try rows(
            """
            SELECT p.ZTAG, a.ZTAG, p.Z1_AUTHOR = a.Z_ENT FROM ZPOST AS p
            JOIN ZPERSON AS a ON a.Z_PK = p.ZAUTHOR
            """) == "x|b|1\n")
      }
    }
  }

  /// What a person calls a column goes before what another one was called, wherever that one stands.
  @Test(arguments: ["label,label2", "label2,label"])
  func newNamesGoBeforeThoseOfTheSource(_ header: String) async throws {
    let template = try template("Entity('Tag', (A('label', 'string'),))")
    let row = header == "label,label2" ? "OLD,NEW" : "NEW,OLD"
    let input = try folder.write("\(header)\n\(row)\n", to: "Tag.csv")
    let names = ["--rename", "Tag.label=old", "--rename", "Tag.label2=label"]
    let outcome = await seed([input], template, names + ["--drop-unknown"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try rows("SELECT ZLABEL FROM ZTAG") == "NEW\n", "\(outcome.error)")
    let refused = await seed([input], template, names)
    #expect(refused.code == 64 && refused.error.contains("Tag.old"), "\(refused.error)")
  }

  /// The app's table of pairs begins with the other side after one entity got another name.
  @Test func pairsWhoseEndsWouldChangePlacesAreRefused() async throws {
    func entities(_ name: String) -> String {
      "Entity('\(name)', (A('tag', 'string'),), "
        + "(Relationship('keepers', 'Keeper', 'pets', True),)), "
        + "Entity('Keeper', (A('tag', 'string'),), "
        + "(Relationship('pets', '\(name)', 'keepers', True),))"
    }
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: "[\(entities("Animal"))]",
      """
      for tag in 'a', 'b': store.insert('Animal', {'tag': tag})
      for tag in 'k', 'l': store.insert('Keeper', {'tag': tag})
      store.link('Animal', 'keepers', 1, 2)
      """)
    let template = try template(entities("Zoo"))
    let names = ["--rename", "Animal=Zoo", "--rename", "Animal_keepers=Keeper_pets"]
    let refused = await seed([store], template, names)
    #expect(refused.code == 64, "\(refused.error)")
    for end in ["owner of the template leads to Keeper", "target of the template leads to Zoo"] {
      #expect(refused.error.contains("Keeper_pets.\(end)"), "\(refused.error)")
    }
    let ends = ["owner=target", "target=owner"].flatMap { ["--rename", "Animal_keepers." + $0] }
    let outcome = await seed([store], template, names + ends)
    #expect(outcome.code == 0, "\(outcome.error)")
    let exported = await rehome(
      "export", "-q", output, "--to", "ndjson", "--table", "Keeper_pets")
    #expect(exported.text.contains(#""owner":2,"target":1"#), "\(exported.text)")
  }

  private static func zoo(_ animals: [String]) -> String {
    "Entity('Animal', (A('tag', 'string'),), (Relationship('keepers', 'Keeper', 'pets', True),)), "
      + animals.map { "Entity('\($0)', parent='Animal'), " }.joined()
      + "Entity('Keeper', (A('tag', 'string'),), (Relationship('pet', 'Animal'), "
      + "Relationship('pets', 'Animal', 'keepers', True)))"
  }

  /// What leads to their rows goes the same way, whether the app knows them or not.
  @Test(arguments: [
    (["Cat", "Dog"], "--exclude-table"), (["Dog"], "--exclude-table"), (["Dog"], "--drop-unknown"),
  ])
  func nothingLeadsToTablesThatTheAppDoesNotKnow(_ animals: [String], _ option: String) async throws
  {
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: "[\(Self.zoo(["Cat", "Dog"]))]",
      """
      store.insert('Cat', {'tag': 'c'})
      store.insert('Dog', {'tag': 'd'})
      for pet in Ref('Cat', 1), Ref('Dog', 2), None: store.insert('Keeper', {'tag': 'k', 'pet': pet})
      for pair in (1, 1), (1, 3), (2, 1), (2, 2): store.link('Animal', 'keepers', *pair)
      """)
    let template = try template(Self.zoo(animals))
    let options = option == "--exclude-table" ? [option, "Cat"] : [option]
    let outcome = await seed([store], template, options + ["--json"])
    #expect(outcome.code == 0, "\(outcome.error)")
    for told in [
      "references of Keeper to rows that were left out, which became NULL: 1",
      "references of Animal_keepers to rows that were left out, which were left out, too: 2",
    ] {
      #expect(outcome.text.contains(told), "\(outcome.text)")
    }
    #expect(!outcome.text.contains("value-of-wrong-type"), "\(outcome.text)")
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    let pairs = try #require(tables.first { $0["name"] as? String == "Animal_keepers" })
    #expect(["read", "written", "filtered"].map { pairs[$0] as? Int } == [4, 2, 2])
    #expect(
      try rows("SELECT Z_PK, ZPET, Z1_PET IS NULL FROM ZKEEPER ORDER BY 1")
        == "1|None|1\n2|2|0\n3|None|1\n")
    #expect(try rows("SELECT count(*) FROM Z_1KEEPERS") == "2\n")
  }

  /// Whatever else is told of a table, its references that are lost are told, too, all in one count.
  @Test func lostReferencesAreToldBesideAllElse() async throws {
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: "[\(Self.zoo(["Cat", "Dog"]))]",
      """
      store.insert('Cat', {'tag': 'c'})
      store.insert('Dog', {'tag': 'd'})
      for pet in Ref('Cat', 1), Ref('Dog', 2), Ref('Dog', 2), None:
          store.insert('Keeper', {'tag': 'k', 'pet': pet})
      """)
    let template = try template(Self.zoo(["Dog"]))
    let outcome = await seed([store], template, ["--drop-unknown", "--exclude-table", "Dog"])
    #expect(outcome.code == 0, "\(outcome.error)")
    let told = outcome.error.split(separator: "\n").filter { $0.contains("references of Keeper") }
    #expect(told.count == 1 && told[0].contains("which became NULL: 3"), "\(outcome.error)")
    #expect(try rows("SELECT count(ZPET) FROM ZKEEPER") == "0\n")
  }

  @Test(arguments: [false, true])
  func lostReferencesOfPlainFilesAreToldBesideAllElse(isLast: Bool) async throws {
    let template = try template(
      "Entity('Author', (A('id', 'string'),), (Relationship('books', 'Book', 'author', True),)), "
        + "Entity('Book', (A('id', 'string'), A('rank', 'integer16')), "
        + "(Relationship('author', 'Author', 'books'),))")
    let files = try [
      folder.write("id\na\n", to: "Author.csv"),
      folder.write("id,rank,author\nx,70000,a\ny,,a\nz,1,\n", to: "Book.csv"),
    ]
    let outcome = await seed(
      isLast ? files : files.reversed(), template,
      ["--reference", "Book.author=Author", "--exclude-table", "Author"])
    #expect(outcome.code == 0, "\(outcome.error)")
    for told in [
      "numbers of Book.rank that the app's type does not hold as they are: 1",
      "references of Book to rows that were left out, which became NULL: 2",
    ] {
      #expect(outcome.error.contains(told), "\(outcome.error)")
    }
  }

  /// That ids are of no rows is another thing than that numbers are.
  @Test func numbersThatLeadNowhereAreToldBesideIDs() async throws {
    let template = try template(
      "Entity('Author', (A('id', 'string'),), (Relationship('books', 'Book', 'author', True), "
        + "Relationship('edited', 'Book', 'editor', True))), Entity('Book', (A('id', 'string'),), "
        + "(Relationship('author', 'Author', 'books'), Relationship('editor', 'Author', 'edited')))"
    )
    let files = try [
      folder.write("_pk,id\n1,a\n", to: "Author.csv"),
      folder.write("id,author,editor\nx,b,1\ny,a,9\n", to: "Book.csv"),
    ]
    let outcome = await seed(files, template, ["--reference", "Book.author=Author"])
    #expect(outcome.code == 2, "\(outcome.error)")
    for told in [
      "1 value could not be taken over",
      "1 row of Book refers by editor to rows that are not there",
    ] {
      #expect(outcome.error.contains(told), "\(outcome.error)")
    }
  }

  /// A place is nothing without the reference that it belongs to.
  @Test func noPlaceStaysBesideAReferenceThatIsGone() async throws {
    let entities = { (ghost: String) in
      "Entity('Author', (A('tag', 'string'),), "
        + "(Relationship('books', 'Book', 'author', True, True),)), \(ghost)"
        + "Entity('Book', (A('tag', 'string'),), (Relationship('author', 'Author', 'books'),))"
    }
    let store = try ObjectStore.describe(
      "device.sqlite", in: folder, of: "[\(entities("Entity('Ghost', parent='Author'), "))]",
      """
      store.insert('Author', {'tag': 'a'})
      store.insert('Ghost', {'tag': 'g'})
      for author in Ref('Author', 1), Ref('Ghost', 2), None:
          store.insert('Book', {'tag': 'b', 'author': author})
      store.database.execute('UPDATE ZBOOK SET Z_FOK_AUTHOR = 2048 WHERE ZAUTHOR IS NOT NULL')
      """)
    let outcome = await seed([store], try template(entities("")), ["--drop-unknown"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      try rows("SELECT ZAUTHOR, Z_FOK_AUTHOR FROM ZBOOK ORDER BY Z_PK")
        == "1|2048\nNone|None\nNone|None\n")
  }

  /// Of a pair that names one row nothing is left.
  @Test func pairsOfOneRowAreRefused() async throws {
    let template = try template(
      "Entity('Club', (A('id', 'string'),), (Relationship('members', 'Keeper', 'clubs', True),)), "
        + "Entity('Keeper', (A('id', 'string'),), (Relationship('clubs', 'Club', 'members', True),))"
    )
    let files = try [
      folder.write("id\nc1\nc2\n", to: "Club.csv"), folder.write("id\nk1\nk2\n", to: "Keeper.csv"),
      folder.write("owner,target\nc1,k1\nc1,k9\nc2,\nc2,k2\n", to: "Club_members.csv"),
    ]
    let outcome = await seed(
      files, template,
      ["--json", "--reference", "Club_members.owner=Club"]
        + ["--reference", "Club_members.target=Keeper"])
    #expect(outcome.code == 2, "\(outcome.error)")
    let tables = try #require(try outcome.json()["tables"] as? [[String: any Sendable]])
    let pairs = try #require(tables.first { $0["name"] as? String == "Club_members" })
    #expect(["read", "written", "rejected"].map { pairs[$0] as? Int } == [4, 2, 2])
    #expect(outcome.text.contains("rows of Club_members that the store refuses"))
    #expect(try rows("SELECT * FROM Z_1MEMBERS ORDER BY 1") == "1|1\n2|2\n")
  }

  /// The names of the tables tell rows of the same keys apart, as in a bundle.
  @Test func plainFilesTellTheirTables() async throws {
    let template = try template(Self.zoo(["Cat", "Dog"]))
    let files = try [
      folder.write("_pk,tag\n1,cat1\n2,cat2\n", to: "Cat.csv"),
      folder.write("_pk,tag\n1,dog1\n2,dog2\n", to: "Dog.csv"),
      folder.write("_pk,tag,pet,pet_entity\n1,K,1,Dog\n2,L,2,Cat\n3,M,1,Cow\n", to: "Keeper.csv"),
      folder.write("owner,owner_entity,target\n1,Dog,1\n2,Cat,2\n", to: "Animal_keepers.csv"),
    ]
    let outcome = await seed(files, template)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(
      try rows(
        """
        SELECT k.ZTAG, a.ZTAG, k.Z1_PET = a.Z_ENT, k.Z1_PET IS NULL FROM ZKEEPER AS k
        LEFT JOIN ZANIMAL AS a ON a.Z_PK = k.ZPET ORDER BY 1
        """) == "K|dog1|1|0\nL|cat2|1|0\nM|None|None|1\n")
    let exported = await rehome(
      "export", "-q", output, "--to", "ndjson", "--table", "Animal_keepers")
    #expect(exported.text.contains(#""owner_entity":"Dog""#), "\(exported.text)")
    #expect(exported.text.contains(#""owner_entity":"Cat""#), "\(exported.text)")
  }

  /// Nothing is of any type.
  @Test(arguments: ["csv", "json"])
  func columnWithoutAValueFitsAnyType(_ format: String) async throws {
    let template = try template(
      "Entity('Item', (A('id', 'string'), A('at', 'date'), A('count', 'integer64')))")
    let text =
      format == "csv"
      ? "id,at,count\na,,\nb,,\n" : #"[{"id":"a","at":null,"count":null},{"id":"b"}]"#
    let input = try folder.write(text, to: "Item." + format)
    let outcome = await seed([input], template)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      try rows("SELECT ZID, ZAT, ZCOUNT FROM ZITEM ORDER BY 1") == "a|None|None\nb|None|None\n")
  }
}
