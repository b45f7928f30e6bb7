import Foundation
import TestSupport
import Testing

/// App stores that are made from plain files whose rows name each other by their ids.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedLinkedTests {
  private let folder: TemporaryFolder
  private let template: String

  init() throws {
    folder = try TemporaryFolder()
    template = folder.path("empty.sqlite")
    _ = try Python.run(
      file: Project.path("Tests/Oracles/empty_core_data.py"),
      arguments: [Sample(name: "ios-2016").store(), template])
  }

  private var output: String { folder.path("app.sqlite") }

  /// A visit names its item before the item is read, and visits come on two pages.
  private func inputs(_ extra: String = "") throws -> [String] {
    [
      try folder.write(
        #"{"value":[{"id":"v1","itemId":"t2"\#(extra)},{"id":"v2","itemId":"t1"}],"next":"u"}"#,
        to: "visits1.json"),
      try folder.write(
        #"[{"id":"t1","text":"one","complete":true},{"id":"t2","text":"two","complete":false}]"#,
        to: "TodoItem.json"),
      try folder.write(
        #"{"value":[{"id":"v3","itemId":null},{"id":"v4","itemId":"t2"}]}"#,
        to: "visits2.json"),
    ]
  }

  private let columns = [
    "--rename", "visits1=Visit", "--rename", "visits2=Visit", "--reference",
    "Visit.itemId=TodoItem", "--rename", "Visit.itemId=task",
  ]

  private func seed(_ files: [String], _ options: [String]) async -> Outcome {
    await rehome(
      ["seed"] + files + ["--into", "core-data", "--template", template, "-fo", output] + columns
        + options)
  }

  @Test func objectsHaveTheirRelationships() async throws {
    for files in [try inputs(), try inputs().reversed()] {
      let outcome = await seed(files, [])
      #expect(outcome.code == 0, "\(outcome.error)")
      let links = try python(
        """
        import sqlite3, sys
        print(*sqlite3.connect(sys.argv[1]).execute('SELECT v.ZID, t.ZTEXT FROM ZVISIT AS v '
            'LEFT JOIN ZTODOITEM AS t ON t.Z_PK = v.ZTASK ORDER BY 1').fetchall())
        """, output)
      #expect(links == "('v1', 'two') ('v2', 'one') ('v3', None) ('v4', 'two')\n")
      let read = await rehome("inspect", "--json", output)
      #expect(read.code == 0 && !read.text.contains("dangling-reference"))
    }
  }

  /// What waits on an item, and how far its table was pulled, need the table of another input.
  @Test(arguments: ["toolkit", "core-data"])
  func queueMeetsTheTablesOfAllInputsInAnyOrder(_ kind: String) async throws {
    let sample = Sample(name: "ios-2016")
    let (items, visits) = (folder.path("items.json"), folder.path("Visit.csv"))
    for (table, format, path) in [("TodoItem", "json", items), ("Visit", "csv", visits)] {
      _ = await rehome(
        "export", "-q", sample.store(), "--to", format, "--table", table, "-o", path)
    }
    let types = [
      "device=uuid", "fee=decimal", "link=uri", "photo=binary", "tags=binary", "rating=real",
      "temperature=real",
    ].flatMap { ["--type", "Visit." + $0] }
    let tables =
      kind == "toolkit"
      ? ["DatasyncOperationsQueue", "DatasyncDeltaTokens"]
      : ["ZMS_TABLEOPERATIONS", "ZMS_TABLECONFIG"]
    var counts: [String] = []
    for inputs in [[items, visits], [visits, items]] {
      let outcome = await rehome(
        ["seed"] + inputs + types + ["--reference", "Visit.task=TodoItem._pk"]
          + ["--into", kind, "-fo", output] + (kind == "toolkit" ? [] : ["--template", template]))
      #expect([0, 2].contains(outcome.code), "\(outcome.error)")
      counts.append(
        try Devices.query(
          output,
          "SELECT (SELECT count(*) FROM \(tables[0])), (SELECT count(*) FROM \(tables[1]))"))
    }
    #expect(counts[0] == counts[1] && counts[0].hasSuffix("|2\n"), "\(counts)")
  }

  @Test func allThatDoesNotFitIsToldAtOnce() async throws {
    let gone = try folder.write(#"[{"id":"g"}]"#, to: "Gone.json")
    let files = try inputs(#","what":1,"rank":"high""#) + [gone]
    let outcome = await seed(files, [])
    #expect(outcome.code == 64)
    for place in ["3 things do not fit", "Visit.what", "Visit.rank", "Gone", "--drop-unknown"] {
      #expect(outcome.error.contains(place), "\(outcome.error)")
    }
    let preview = await seed(files, ["--dry-run", "--json"])
    #expect(preview.code == 64)
    let misfits = try #require(try preview.json()["misfits"] as? [[String: Any]])
    #expect(misfits.compactMap { $0["table"] as? String } == ["Visit", "Visit", "Gone"])
    let fitting = await seed(try inputs(), ["--dry-run"])
    #expect(fitting.code == 0 && fitting.text.contains("task"), "\(fitting.error)")
    #expect(!folder.names.contains("app.sqlite"))
  }

  @Test func whatTheAppDoesNotKnowIsLeftOutAndTold() async throws {
    let file = try folder.write(#"[{"id":"g"},{"id":"h"}]"#, to: "Gone.json")
    let outcome = await seed(try inputs(#","what":1"#) + [file], ["--drop-unknown", "--json"])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.text.contains("rows of Gone, which the app does not know: 2"))
    #expect(outcome.text.contains("values of Visit.what, for which the app has no property: 1"))
    let tables = try #require(try outcome.json()["tables"] as? [[String: Any]])
    let gone = try #require(tables.first { $0["name"] as? String == "Gone" })
    #expect(gone["filtered"] as? Int == 2 && gone["written"] as? Int == 0)
    let canonical = await rehome(
      ["seed"] + (try inputs()) + ["--drop-unknown", "-fo", output] + columns)
    #expect(canonical.code == 64)
  }

  @Test func itemsOfTheToolkitStayTiedByTheirIDs() async throws {
    let files = try inputs()
    let text = try String(contentsOfFile: files[2], encoding: .utf8)
    try text.replacingOccurrences(of: "null", with: "\"t9\"")
      .write(toFile: files[2], atomically: true, encoding: .utf8)
    let outcome = await rehome(
      ["seed"] + files + ["--into", "toolkit", "--fail-on", "never", "-fo", output] + columns)
    #expect(outcome.code == 2, "\(outcome.error)")
    let rows = try python(
      """
      import sqlite3, sys
      print(*sqlite3.connect(sys.argv[1]).execute('SELECT id, task FROM Visit').fetchall())
      """, output)
    #expect(rows == "('v1', 't2') ('v2', 't1') ('v3', None) ('v4', 't2')\n")
  }

  /// A column that a file calls as keys are called is what a person means by that name.
  @Test(arguments: [
    "_pk,name\n2,Ann\n1,Zoe\n", "name,_pk\nAnn,2\nZoe,1\n", "_pk,name\n1,Zoe\n2,Ann\n",
  ])
  func columnOfAFileThatIsCalledAsTheKeyIsMeant(_ owners: String) async throws {
    let files = try [
      folder.write(owners, to: "Owner.csv"), folder.write("id,owner\nx,1\ny,2\n", to: "Item.csv"),
    ]
    let seeded = await rehome(
      ["seed", "-qf"] + files + ["--reference", "Item.owner=Owner._pk", "-o", output])
    #expect(seeded.code == 0, "\(seeded.error)")
    let names = "SELECT id, name FROM Item JOIN Owner ON Owner._pk = Item.owner ORDER BY id"
    #expect(try Devices.query(output, names) == "x|Zoe\ny|Ann\n")
    // In a store of ours that is the key.
    let store = folder.path("owners.rehome")
    _ = await rehome("seed", "-qf", files[0], "-o", store)
    let again = await rehome(
      "seed", "-qf", store, files[1], "--reference", "Item.owner=Owner._pk", "-o", output)
    #expect(again.code == 0, "\(again.error)")
    let keys = "SELECT group_concat(owner) FROM Item"
    #expect(try Devices.query(output, keys) == "1,2\n")
  }
}
