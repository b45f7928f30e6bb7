import Foundation
import TestSupport
import Testing

/// Pages of one table whose columns are not called alike.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedUnitedPagesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var store: String { folder.path("out.rehome") }

  private func rows(_ query: String = "SELECT * FROM T ORDER BY _pk") throws -> String {
    let script = """
      import sqlite3, sys
      found = sqlite3.connect(sys.argv[1]).execute(sys.argv[2])
      print(','.join(column[0] for column in found.description))
      for row in found: print(','.join('' if cell is None else str(cell) for cell in row))
      """
    return try python(script, store, query)
  }

  private func file(_ name: String, _ csv: String, as form: String) throws -> String {
    let script = """
      import csv, gzip, json, sys
      path, form = sys.argv[1:3]
      header, *rows = csv.reader(sys.argv[3].split())
      rows = [dict(zip(header, row)) for row in rows]
      if form == 'csv.gz': gzip.open(path, 'wt').write(sys.argv[3])
      if form == 'csv': open(path, 'w').write(sys.argv[3])
      if form == 'json': open(path, 'w').write(json.dumps(rows))
      if form == 'ndjson': open(path, 'w').write('\\n'.join(map(json.dumps, rows)))
      if form == 'xml':
        cells = lambda row: ''.join(f'<{name}>{text}</{name}>' for name, text in row.items())
        open(path, 'w').write('<d>' + ''.join(f'<row>{cells(row)}</row>' for row in rows) + '</d>')
      """
    let path = folder.path("\(name).\(form)")
    _ = try python(script, path, form, csv)
    return path
  }

  private func seed(
    _ first: String, _ second: String, as form: String = "csv", _ options: [String]
  ) async throws -> Outcome {
    let pages = [
      try file("p1", first, as: form), try file("p2", second, as: form),
    ]
    return await rehome(
      ["seed", "-fo", store] + pages + ["--rename", "p1=T", "--rename", "p2=T"] + options)
  }

  private static let forms = ["csv", "csv.gz", "json", "ndjson", "xml"]

  @Test(arguments: forms, [[], ["-j", "1"]])
  func letterCaseMakesNoColumnOfItsOwn(form: String, options: [String]) async throws {
    let post = try folder.write("k,ref\n1,3\n", to: "Post.csv")
    let outcome = try await seed(
      "ID,a\n1,x\n2,y\n", "id,A\n2,y\n3,z\n", as: form,
      options + [post, "--reference", "Post.ref=T"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(!outcome.error.contains("name-changed"), "\(outcome.error)")
    #expect(try rows() == "_pk,ID,a\n1,1,x\n2,2,y\n4,3,z\n")
    #expect(try rows("SELECT ref FROM Post") == "ref\n4\n")
  }

  @Test(
    arguments: forms,
    [
      ["p1.key=id", "p1.b=a"], ["T.key=id", "T.b=a"], ["p2.id=key", "T.a=b"],
      ["p1.b=a", "T.key=id"],
    ])
  func columnsThatAreCalledAlikeInTheEndAreOne(form: String, names: [String]) async throws {
    let outcome = try await seed(
      "key,b\n1,x\n", "id,a\n2,x\n", as: form, names.flatMap { ["--rename", $0] })
    #expect(outcome.code == 0, "\(outcome.error)")
    let header = names.contains("T.a=b") ? "_pk,key,b" : "_pk,id,a"
    #expect(try rows() == "\(header)\n1,1,x\n2,2,x\n")
  }

  @Test(arguments: [
    // A page that has both keeps both, and others go to that which is spelled the same.
    (["ID,id\n1,2\n", "id,ID\n3,4\n"], [], "_pk,ID,id_2\n1,1,2\n2,4,3\n"),
    (["id\n1\n", "ID,id\n3,4\n"], [], "_pk,id,ID_2\n1,1,\n2,4,3\n"),
    // What has neither a name nor a value is none of the columns of several pages.
    (["id,,a\n1,,x\n", "id,a\n2,y\n"], [], "_pk,id,a\n1,1,x\n2,2,y\n"),
    (["id,a\n1,x\n", "id,,a\n2,,y\n"], [], "_pk,id,a\n1,1,x\n2,2,y\n"),
    (["id,,a\n1,,x\n", "id,\n2,y\n"], [], "_pk,id,a,column2\n1,1,x,\n2,2,,y\n"),
    (
      ["id,,a\n1,,x\n", "id,a\n2,y\n"], ["--rename", "p1.column2=k"],
      "_pk,id,k,a\n1,1,,x\n2,2,,y\n"
    ),
    (
      ["id,,a\n1,,x\n", "id,a\n2,y\n"], ["--type", "T.column2=text"],
      "_pk,id,column2,a\n1,1,,x\n2,2,,y\n"
    ),
    (
      ["id,a\n2,y\n", "id,,a\n1,,x\n"], ["--type", "p2.column2=real"],
      "_pk,id,a,column2\n1,2,y,\n2,1,x,\n"
    ),
    (
      ["id,,a\n1,,x\n", "id,a\n2,y\n"], ["--reference", "T.column2=T"],
      "_pk,id,column2,a\n1,1,,x\n2,2,,y\n"
    ),
    (
      ["id,a\n2,y\n", "id,,a\n1,,x\n"], ["--rename", "p2.column2=k"],
      "_pk,id,a,k\n1,2,y,\n2,1,x,\n"
    ),
    (["id,,a\n1,,x\n", "id,a\n2,y\n"], ["--drop", "T.column2"], "_pk,id,a\n1,1,x\n2,2,y\n"),
    // A table has some column, whichever page shows it.
    ([",\n", ",\n"], [], "_pk,column1\n"),
    ([",\n", "id,a\n1,x\n"], [], "_pk,id,a\n1,1,x\n"),
    (["id,a\n1,x\n", ",\n"], [], "_pk,id,a\n1,1,x\n"),
    ([",\n", ",\n1,2\n"], [], "_pk,column1,column2\n1,1,2\n"),
    // Letters beyond ASCII are others in another case.
    (["é\nx\n", "É\ny\n"], [], "_pk,é,É\n1,x,\n2,,y\n"),
    // What a page is told does not touch the other.
    (["ID,b\n1,x\n", "id,b\n2,y\n"], ["--rename", "p1.ID=k"], "_pk,k,b,id\n1,1,x,\n2,,y,2\n"),
    (["ID,b\n1,x\n", "id,b\n2,y\n"], ["--drop", "p1.ID"], "_pk,b,id\n1,x,\n2,y,2\n"),
    (["ID,b\n1,x\n", "id,b\n2,y\n"], ["--drop", "T.b"], "_pk,ID\n1,1\n2,2\n"),
    // By the name of the table that is meant which is one column in the end.
    (["ID,b\n1,x\n", "id,B\n2,y\n"], ["--drop", "T.b"], "_pk,ID\n1,1\n2,2\n"),
    (["ID,b\n1,x\n", "id,B\n2,y\n"], ["--rename", "T.ID=k"], "_pk,k,b\n1,1,x\n2,2,y\n"),
    // What one page has twice is one by no case of letters, whichever page comes first.
    (["Name\nx\n", "NAME,name\ny,z\n"], [], "_pk,Name,NAME_2,name_3\n1,x,,\n2,,y,z\n"),
    (["NAME,name\ny,z\n", "Name\nx\n"], [], "_pk,NAME,name_2,Name_3\n1,y,z,\n2,,,x\n"),
    (["a,b\n1,x\n", "b\ny\n"], ["--drop", "T.b", "--rename", "T.a=b"], "_pk,b\n1,1\n2,\n"),
    // Any name that the column has in a page is meant.
    (
      ["key\n01\n", "id\n02\n"], ["--rename", "p1.key=id", "--type", "p1.key=text"],
      "_pk,id\n1,01\n2,02\n"
    ),
    (
      ["n,d\n1,1\n", "N,D\n2,2\n"], ["--type", "p2.N=text", "--type", "T.D=real"],
      "_pk,n,d\n1,1,1.0\n2,2,2.0\n"
    ),
  ])
  func eachColumnGoesWhereItIsMeant(
    pages: [String], options: [String], expected: String
  ) async throws {
    let outcome = try await seed(pages[0], pages[1], options)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try rows() == expected)
  }

  /// Parts of one long file, of which the first alone has the header.
  @Test(
    arguments: [
      (["id,name\na,Milk\n", "b,Rum\nc,Gin\n"], [], true),
      (["id,name\na,Milk\n", "id,note\nb,Rum\n"], [], false),
      (["id,name\na,Milk\n", "key,what\nb,Rum\n"], ["--header"], false),
      (
        ["id,name\na,Milk\n", "key,what\nb,Rum\n"], ["--rename", "p2.key=id"], false
      ),
      (["id,name\na,Milk\n", ",\n"], [], false),
    ] as [([String], [String], Bool)])
  func pageWithoutAColumnOfTheOthersIsTold(
    pages: [String], options: [String], isTold: Bool
  ) async throws {
    let outcome = try await seed(pages[0], pages[1], options)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.error.contains("/p2.csv is in another file of T") == isTold,
      "\(outcome.error)")
  }

  @Test func allPagesWithoutAColumnOfTheOthersAreTold() async throws {
    let texts = ["id,name\na,Milk\n", "b,Rum\nc,Gin\n", "d,Tea\ne,Ale\n"]
    let pages = try texts.enumerated().map { try file("p\($0)", $1, as: "csv") }
    let outcome = await rehome(
      ["seed", "-fo", store] + pages + pages.indices.flatMap { ["--rename", "p\($0)=T"] })
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      outcome.error.contains("/p1.csv is in another file of T, and so it is with 1 more:"),
      "\(outcome.error)")
  }

  /// A name that the header does not give is told, whatever options say of its column.
  @Test(
    arguments: [
      ("id,,a\n1,v,x\n", ["--rename", "T.column2=k"], "k"),
      ("id,,a\n1,v,x\n", ["--type", "T.column2=text"], "column2"),
      ("id,,a\n1,v,x\n", [], "column2"),
      ("id,,a\n1,,x\n", ["--rename", "p1.column2=k"], "k"),
      ("id,,a\n1,,x\n", ["--reference", "T.column2=T"], "column2"),
      ("id,,a\n1,,x\n", [], nil),
      ("id,,a\n1,v,x\n", ["--drop", "T.column2"], nil),
      // Another page has a column with that name.
      ("id,,b\n1,v,x\n", ["--rename", "p1.column2=a"], nil),
    ] as [(String, [String], String?)], [false, true])
  func namesThatAreMadeUpAreTold(
    page: (text: String, options: [String], name: String?), isLast: Bool
  ) async throws {
    let paths = [
      try file("p1", page.text, as: "csv"), try file("p2", "id,a\n2,y\n", as: "csv"),
    ]
    let outcome = await rehome(
      ["seed", "-fo", store] + (isLast ? paths.reversed() : paths)
        + ["--rename", "p1=T", "--rename", "p2=T"] + page.options)
    #expect(outcome.code == 0, "\(outcome.error)")
    let told = outcome.error.components(separatedBy: "has no name in the header, and is called ")
    let expected = page.name.map { ["\($0) [column-unnamed]"] } ?? []
    #expect(told.dropFirst().map { $0.prefix { $0 != "\n" } } == expected.map { $0[...] })
  }

  /// As in a table of one file.
  @Test(arguments: [["p1"], ["p1", "p2"]], ["--type=T.column3=text", "--rename=T.column3=k"])
  func columnAtTheEndOfAFileWithoutNameAndValueIsNone(
    pages: [String], option: String
  ) async throws {
    let paths = try pages.map { try file($0, "id,a,\n1,x,\n", as: "csv") }
    let outcome = await rehome(
      ["seed", "-fo", store, option] + paths + pages.map { "--rename=\($0)=T" })
    #expect(outcome.code == 64, "\(outcome.error)")
  }

  @Test(arguments: [
    ["--rename", "p1.a=b"], ["--rename", "p1.x=y"], ["--rename", "T.a="], ["--drop", "p1.c"],
    ["--rename", "p1.a=c", "--rename", "T.a=d"],
  ])
  func nameThatAPageHasItselfOrHasNotIsRefused(options: [String]) async throws {
    let outcome = try await seed("a,b\n1,2\n", "c\n3\n", options)
    #expect(outcome.code == 64, "\(outcome.error)")
  }

  @Test func referenceMayBeNamedAsAnyPageHasIt() async throws {
    let author = try folder.write("id\n7\n8\n", to: "Author.csv")
    let outcome = try await seed(
      "id,By\n1,8\n", "id,writer\n2,7\n",
      [author, "--rename", "p2.writer=By", "--reference", "p2.writer=Author"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try rows("SELECT id, By FROM T ORDER BY id") == "id,By\n1,2\n2,1\n")
  }

  /// A file of rejects has one name for each column, and is taken back as it is.
  @Test func rejectedRowsOfAnyPageComeBack() async throws {
    let rejects = folder.path("rejects.csv")
    let options = ["--rename", "p2.key=id", "--type", "T.n=integer"]
    let pages = ("ID,n\n1,x\n2,2\n", "key,N\n3,3\n4,y\n")
    let outcome = try await seed(pages.0, pages.1, options + ["--rejects", rejects])
    #expect(outcome.code == 2, "\(outcome.error)")
    let text = try String(contentsOfFile: rejects, encoding: .utf8)
    let corrected = try folder.write(
      text.replacing(",x", with: ",10").replacing(",y", with: ",40"), to: "corrected.csv")
    let again = try await seed(pages.0, pages.1, options + ["--corrected", corrected])
    #expect(again.code == 0, "\(again.error)")
    #expect(try rows("SELECT n FROM T ORDER BY _pk") == "n\n10\n2\n3\n40\n")
  }
}
