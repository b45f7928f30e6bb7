import TestSupport
import Testing

/// Numbers in relationships are keys of rows only where the data have keys.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedNumberedRowsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.sqlite") }

  private func template() throws -> String {
    try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: """
        [Entity('Author', (A('id', 'integer64'), A('name', 'string')),
           (Relationship('posts', 'Post', 'author', True), Relationship('fans', 'Post', 'likes', True))),
         Entity('Post', (A('id', 'integer64'), A('title', 'string')),
           (Relationship('author', 'Author', 'posts'), Relationship('likes', 'Author', 'fans', True)))]
        """)
  }

  private func seed(
    _ inputs: [String], _ template: String, _ options: [String] = []
  ) async -> Outcome {
    await rehome(
      ["seed"] + inputs + ["--into", "core-data", "--template", template, "-fo", output] + options)
  }

  private func author() throws -> String {
    try Devices.query(
      output,
      "SELECT p.ZTITLE, a.ZNAME FROM ZPOST AS p JOIN ZAUTHOR AS a ON a.Z_PK = p.ZAUTHOR")
  }

  /// Two authors, whose numbers as ids and as rows are the other way round, and a post.
  private func files(_ format: String, hasKeys: Bool) throws -> [String] {
    switch format {
    case "csv":
      try [
        folder.write(
          hasKeys ? "_pk,id,name\n1,2,Bea\n2,1,Ada\n" : "id,name\n2,Bea\n1,Ada\n", to: "Author.csv"),
        folder.write("id,title,author\n7,t,2\n", to: "Post.csv"),
      ]
    default:
      try [
        folder.write(
          hasKeys
            ? #"[{"_pk":1,"id":2,"name":"Bea"},{"_pk":2,"id":1,"name":"Ada"}]"#
            : #"[{"id":2,"name":"Bea"},{"id":1,"name":"Ada"}]"#, to: "Author.json"),
        folder.write(#"[{"id":7,"title":"t","author":2}]"#, to: "Post.json"),
      ]
    }
  }

  @Test(arguments: ["csv", "json"])
  func numbersOfRowsWithoutKeysAreRefused(_ format: String) async throws {
    let files = try files(format, hasKeys: false)
    let template = try template()
    let outcome = await seed(files, template)
    #expect(outcome.code == 64, "\(outcome.error)")
    for told in ["Post.author has numbers", "the rows of Author", "T.C=TABLE by their ids", "._pk"]
    {
      #expect(outcome.error.contains(told), "\(outcome.error)")
    }
    for (target, name) in [("Author", "Bea"), ("Author._pk", "Ada")] {
      let outcome = await seed(files, template, ["--reference", "Post.author=" + target])
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(try author() == "t|\(name)\n")
    }
  }

  @Test(arguments: ["csv", "json"])
  func numbersOfRowsWithKeysAreKeys(_ format: String) async throws {
    let outcome = await seed(try files(format, hasKeys: true), try template())
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try author() == "t|Ada\n")
  }

  @Test func pairsOfRowsWithoutKeysAreRefused() async throws {
    let pairs = try folder.write("owner,target\n2,1\n", to: "Author_fans.csv")
    let outcome = await seed(
      try files("csv", hasKeys: false).dropLast() + [pairs], try template())
    #expect(outcome.code == 64, "\(outcome.error)")
    #expect(outcome.error.contains("Author_fans.owner has numbers"), "\(outcome.error)")
  }

  /// Nothing leads to a wrong row where there are no rows.
  @Test func numbersOfRowsThatAreNotThereAreTold() async throws {
    let post = try files("csv", hasKeys: false)[1]
    let outcome = await seed([post], try template())
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("references of Post to rows"), "\(outcome.error)")
    #expect(try author().isEmpty)
  }

  /// A table of the same tree without keys says nothing of those of another.
  @Test func numbersOfRowsWithKeysAreKeysBesideOthersOfTheirTree() async throws {
    let template = try ObjectStore.describe(
      "tree.sqlite", in: folder,
      of: """
        [Entity('Person', (A('id', 'integer64'),)),
         Entity('Author', (A('name', 'string'),), (Relationship('posts', 'Post', 'author', True),),
           parent='Person'),
         Entity('Reader', (A('nick', 'string'),), (), parent='Person'),
         Entity('Post', (A('title', 'string'),), (Relationship('author', 'Author', 'posts'),))]
        """)
    let reader = try folder.write("id,nick\n5,r\n", to: "Reader.csv")
    let outcome = await seed(
      try files("csv", hasKeys: true) + [reader], template, ["--drop-unknown"])
    #expect(outcome.code == 0, "\(outcome.error)")
    let names = try Devices.query(
      output,
      "SELECT p.ZTITLE, a.ZNAME FROM ZPOST AS p JOIN ZPERSON AS a ON a.Z_PK = p.ZAUTHOR")
    #expect(names == "t|Ada\n")
  }
}
