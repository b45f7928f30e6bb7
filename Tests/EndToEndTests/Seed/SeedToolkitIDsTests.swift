import Foundation
import TestSupport
import Testing

/// Items of a Community Toolkit store have texts for ids, and name each other by them.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedToolkitIDsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.db") }

  private func seed(_ inputs: [String], _ options: String...) async -> Outcome {
    await rehome(["seed"] + inputs + ["--into", "toolkit", "-fo", output] + options)
  }

  /// The store of an app with some tables, without anything in it.
  private func template(_ tables: String) async throws -> String {
    let empty = try folder.write("[]", to: "Other.json")
    let path = folder.path("template.db")
    _ = await rehome("seed", "-qf", empty, "--into", "toolkit", "-o", path)
    try Devices.execute(path, tables)
    return path
  }

  /// Posts whose ids, and those of their authors, are whole numbers or words.
  private static let links: [(authors: String, posts: String)] = [
    ("id,n\n2,Anna\n1,Bert\n", "id,authorId\n7,2\n8,1\n9,\n"),
    ("id,n\nb,Anna\na,Bert\n", "id,authorId\np,b\nq,a\nr,\n"),
  ]

  @Test(arguments: [0, 1], [nil, "INTEGER", "TEXT"])
  func referencesNameTheSameItemsOnAllWays(_ place: Int, _ declared: String?) async throws {
    if place == 1, declared == "INTEGER" { return }
    let link = Self.links[place]
    let files = [
      try folder.write(link.posts, to: "Post.csv"),
      try folder.write(link.authors, to: "Author.csv"),
    ]
    let tying = ["--reference", "Post.authorId=Author"]
    let (store, export) = (folder.path("c.rehome"), folder.path("c.json"))
    #expect(await rehome(["seed", "-q"] + files + ["-o", store] + tying).code == 0)
    #expect(await rehome("export", "-q", store, "--to", "json", "-o", export).code == 0)
    var options: [String] = []
    if let declared {
      options = [
        "--template",
        try await template(
          """
          CREATE TABLE Author ("Id" \(declared) NOT NULL PRIMARY KEY, "N" TEXT);
          CREATE TABLE Post ("Id" \(declared) NOT NULL PRIMARY KEY, "AuthorId" \(declared) NULL);
          """),
      ]
    }
    for inputs in [files + tying, [store], [export]] {
      let outcome = await rehome(
        ["seed"] + inputs + ["--into", "toolkit", "-fo", output] + options)
      #expect(outcome.code == 0, "\(outcome.error)")
      let names = try Devices.query(
        output, "SELECT a.N FROM Post p LEFT JOIN Author a ON a.id = p.authorId ORDER BY p.id")
      #expect(names == "Anna\nBert\nNone\n", "\(inputs)")
      let types = try Devices.query(
        output, "SELECT DISTINCT typeof(id), typeof(authorId) FROM Post WHERE authorId NOT NULL")
      let type = declared == "INTEGER" ? "integer" : "text"
      #expect(types == "\(type)|\(type)\n", "\(inputs)")
    }
  }

  /// A key means a row of its own store, and none of another one.
  @Test func referencesLeadToNoRowsOfAnotherStore() async throws {
    for name in ["one", "two"] {
      try folder.makeFolder(name)
      let files = [
        try folder.write("id,n\n\(name)1,Anna\n\(name)2,Bert\n", to: "\(name)/Author.csv"),
        try folder.write("id,authorId\np,\(name)1\nq,\(name)2\n", to: "\(name)/Post.csv"),
      ]
      let store = folder.path("\(name).rehome")
      let tying = ["--reference", "Post.authorId=Author"]
      #expect(await rehome(["seed", "-q"] + files + ["-o", store] + tying).code == 0)
      for table in ["Author", "Post"] {
        let part = folder.path("\(name)-\(table).json")
        _ = await rehome("export", "-q", store, "--to", "json", "--table", table, "-o", part)
      }
    }
    for (name, code, ids) in [
      ("one", 0, "one1\none2\n"), ("two", 2, "None\nNone\n"),
    ] as [(String, Int32, String)] {
      let outcome = await seed([
        folder.path("one-Post.json"), folder.path("\(name)-Author.json"),
      ])
      #expect(outcome.code == code, "\(outcome.error)")
      #expect(outcome.error.contains("[dangling-reference]") == (code == 2), "\(outcome.error)")
      #expect(try Devices.query(output, "SELECT authorId FROM Post ORDER BY id") == ids)
    }
  }

  @Test func appCanAddItemsBesideThoseWithNumbers() async throws {
    let file = try folder.write("id,n\n1,x\n", to: "Cat.csv")
    #expect(await seed([file]).code == 0)
    let rows = try python(
      """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.execute("INSERT INTO Cat VALUES ('0d7c1f0e5b1a4f0e9a513c0b6d5f9e01', 'new')")
      print(store.execute('SELECT * FROM Cat').fetchall())
      """, output)
    #expect(rows == "[('1', 'x'), ('0d7c1f0e5b1a4f0e9a513c0b6d5f9e01', 'new')]\n")
  }

  /// Where the id is the number of the row, the engine would make one up, and refuse its true owner.
  @Test(arguments: ["", "AUTOINCREMENT"])
  func rowWithoutAnIDGetsNone(_ ending: String) async throws {
    let file = try folder.write("id,n\n1,x\n,z\n2,y\n", to: "Cat.csv")
    let template = try await template(
      "CREATE TABLE Cat (\"Id\" INTEGER NOT NULL PRIMARY KEY \(ending), \"N\" TEXT)")
    for options in [["--template", template], []] {
      let outcome = await rehome(["seed", file, "--into", "toolkit", "-fo", output] + options)
      #expect(outcome.code == 2, "\(outcome.error)")
      #expect(outcome.error.contains("NOT NULL constraint failed: Cat."), "\(outcome.error)")
      #expect(try Devices.query(output, "SELECT id, n FROM Cat ORDER BY id") == "1|x\n2|y\n")
    }
  }

  /// The key of a row in the source's store names another row everywhere else.
  @Test func changesThatWaitHaveNoReferences() async throws {
    let sample = Sample(name: "ios-2016")
    #expect([0, 2].contains(await seed([sample.store()]).code))
    let items = try Devices.query(
      output, "SELECT Item FROM DatasyncOperationsQueue WHERE EntityType = 'Visit'")
    let lines = items.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      let item = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(item != nil && item?["task"] == nil, "\(line)")
    }
  }

  /// A store of the tool's own columns keeps what no property of the app can hold, and says so.
  @Test func numbersBeyondTheDecimalOfNetAreTold() async throws {
    let numbers = [
      ("79228162514264337593543950335", false), ("79228162514264337593543950336", true),
      ("-0.0000000000000000000000000001", false), ("0.00000000000000000000000000001", true),
      ("1234567890123456789012345678901234567890.5", true), ("12.50", false), ("1e5", false),
    ]
    for (number, isTold) in numbers {
      let file = try folder.write(#"[{"id":"a","price":"\#(number)"}]"#, to: "D.json")
      let outcome = await seed([file], "--type", "D.price=decimal")
      let told = outcome.error.contains("D.price that the app's type does not hold as they are: 1")
      #expect(told == isTold, "\(number): \(outcome.error)")
    }
    #expect(try Devices.query(output, "SELECT price FROM D") == "100000.0\n")
  }

  @Test func columnsPlayThePartsThatTheyAreCalledBy() async throws {
    let file = try folder.write(
      "id,guid,n,v,gone\n1,a,x,q,0\n1,b,y,r,1\n,c,z,s,0\n", to: "Cat.csv")
    let outcome = await seed(
      [file], "--rename", "Cat.id=legacyId", "--rename", "Cat.guid=id", "--rename", "Cat.v=version",
      "--rename", "Cat.gone=deleted", "--type", "Cat.gone=boolean")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      try Devices.query(output, "SELECT id, legacyId, Version, Deleted FROM Cat ORDER BY id")
        == "a|1|q|0\nb|1|r|1\nc|None|s|0\n")
    let columns = try Devices.query(
      output, #"SELECT name, "notnull", pk FROM pragma_table_info('Cat') ORDER BY cid"#)
    #expect(
      columns == "legacyId|0|0\nid|1|1\nn|0|0\nVersion|0|0\nDeleted|1|0\nUpdatedAt|0|0\n")
  }

  @Test func namesAsNetSpellsThemAreThoseOfItems() async throws {
    let file = try folder.write("Id,Name\na,x\na,y\n,z\n", to: "Cat.csv")
    let outcome = await seed([file])
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(try Devices.query(output, "SELECT * FROM Cat") == "a|x\n")
  }

  /// The service knows its items by the ids of the file, whatever these look like.
  @Test(arguments: [
    ["yes", "no"], ["2020-01-01", "2020-01-02"], ["1.5", "2"], ["2020-01-01T00:00:00.000Z"],
  ])
  func idsAreThoseOfTheFile(ids: [String]) async throws {
    let files = [
      try folder.write("Id\n" + ids.joined(separator: "\n") + "\n", to: "Author.csv"),
      try folder.write("Id,authorId\np,\(ids[0])\nq,\n", to: "Post.csv"),
    ]
    for options in [[], ["--reference", "Post.authorId=Author"]] {
      let outcome = await rehome(
        ["seed", "-q"] + files + ["--into", "toolkit", "-fo", output] + options)
      #expect(outcome.code == 0, "\(outcome.error)")
      let stored = try Devices.query(output, "SELECT Id FROM Author ORDER BY rowid")
      #expect(stored == ids.map { $0 + "\n" }.joined())
      guard !options.isEmpty else { continue }
      let tied = try Devices.query(output, "SELECT authorId FROM Post WHERE Id = 'p'")
      #expect(tied == ids[0] + "\n")
    }
  }
}
