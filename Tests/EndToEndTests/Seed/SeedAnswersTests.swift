import Foundation
import TestSupport
import Testing

/// JSON as services answer becomes the rows that Python finds in it, or is refused with a way out.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedAnswersTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let rows = #"[{"id":"a","n":1,"t":null},{"id":"b","n":2},{"id":"c","t":"x"}]"#

  private func write(_ text: String, to name: String = "Todo.json") throws -> String {
    try folder.write(text, to: name)
  }

  private func seed(_ text: String, _ options: String...) async throws -> Outcome {
    let file = try write(text)
    return await rehome(["seed", file, "-f", "--json", "-o", store] + options)
  }

  private var store: String { folder.path("out.rehome") }

  /// The rows of a table as JSON, without those members that are null.
  private func rows(of table: String = "Todo") throws -> String {
    let script = """
      import json, sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      base.row_factory = sqlite3.Row
      rows = [dict(row) for row in base.execute(f'SELECT * FROM "{sys.argv[2]}" ORDER BY _pk')]
      print(json.dumps([{k: v for k, v in row.items() if v is not None and k != '_pk'}
                        for row in rows], sort_keys=True))
      """
    return try python(script, store, table)
  }

  /// However many members stand before the rows or hold them, none is passed over unsaid.
  @Test func rowsBehindThousandsOfMembersAreFound() async throws {
    let counts = (0..<5000).map { #""m\#($0)":1"# }.joined(separator: ",")
    let behind = try await seed(#"{\#(counts),"value":[{"id":"a"}]}"#)
    #expect(behind.code == 0, "\(behind.error)")
    #expect(try rows() == #"[{"id": "a"}]\#n"#)
    let tables = (0..<5000).map { #""T\#($0)":[{"id":"a"}]"# }.joined(separator: ",")
    let seen = await rehome("inspect", try write("{\(tables)}"), "--json")
    #expect(seen.code == 0, "\(seen.error)")
    let stores = try #require(try seen.json()["stores"] as? [[String: Any]])
    #expect((stores.first?["tables"] as? [Any])?.count == 5000)
  }

  /// The table service at first wrote its own members with underscores, beside those of the app.
  @Test(arguments: [
    (#""__version":"AA==""#, [], ["version version"]),
    (#""__version":"AA==","version":"mine""#, [], ["__version version", "version value"]),
    (#""__Version":"AA==","__deleted":false"#, [], ["version version", "deleted deleted"]),
    (#""__version":7"#, [], ["__version value"]),
    (#""__version":"AA==""#, ["--rename", "Todo.__version=v"], ["v value"]),
    (#""__version":"AA==""#, ["--drop", "Todo.__version"], []),
    (
      #""__updatedAt":"2014-01-01T00:00:00.000Z","__createdAt":null"#,
      ["--type", "Todo.__createdAt=timestamp"],
      ["updatedAt updatedAt", "createdAt createdAt"]
    ),
  ])
  func membersOfTheFirstServiceHaveTheirParts(
    _ members: String, _ options: [String], _ expected: [String]
  ) async throws {
    let file = try write(#"[{"id":"a",\#(members)}]"#)
    let outcome = await rehome(["seed", file, "-o", store] + options)
    #expect(outcome.code == 0, "\(outcome.error)")
    let script = """
      import sqlite3, sys
      for name, role in sqlite3.connect(sys.argv[1]).execute(
          "SELECT name, role FROM rehome_column WHERE role != 'id' ORDER BY position"):
          print(name, role)
      """
    let found = try python(script, store).split(separator: "\n").map(String.init)
    #expect(found == expected)
  }

  /// The rows that Python takes from a document by an expression in `d`, its documents.
  private func expected(_ text: String, _ expression: String) throws -> String {
    let script = """
      import json, sys
      text, d, decoder = open(sys.argv[1], encoding='utf-8-sig').read().strip(), [], json.JSONDecoder()
      while text:
          value, end = decoder.raw_decode(text)
          d, text = d + [value], text[end:].lstrip()
      print(json.dumps([{k: v for k, v in row.items() if v is not None}
                        for row in eval(sys.argv[2])], sort_keys=True))
      """
    return try python(script, try write(text, to: "expected.json"), expression)
  }

  private func findings(_ outcome: Outcome) throws -> [String] {
    let findings = try outcome.json()["findings"] as? [[String: Any]] ?? []
    return findings.compactMap { $0["code"] as? String }
  }

  /// A document, and what gives its rows in Python.
  static let wrapped: [(text: String, expression: String)] = [
    (#"{"value":ROWS}"#, "d[0]['value']"),
    (#"{"results":ROWS,"count":3}"#, "d[0]['results']"),
    ("{\n \"items\" : ROWS,\n \"total\": 3, \"took\":5}", "d[0]['items']"),
    (#"{"d":{"results":ROWS,"__count":"3"}}"#, "d[0]['d']['results']"),
    (#"{"d":ROWS}"#, "d[0]['d']"),
    (#"{"data":ROWS,"company":"ACME"}"#, "d[0]['data']"),
    (#"{"value":[{"id":1,"n":2}]}"#, "d[0]['value']"),
    (#"{"value":[],"count":0}"#, "d[0]['value']"),
    ("\u{FEFF}{\"value\":ROWS}", "d[0]['value']"),
    ("\u{FEFF}ROWS", "d[0]"),
    ("\u{FEFF}{\"id\":1}\n{\"id\":2}\n", "d"),
    ("{\"value\":ROWS}\n{\"value\":ROWS}\n", "d[0]['value']"),
    ("{\n\"value\":ROWS}{\"value\":[]}", "d[0]['value']"),
    ("[{\"value\":ROWS},{\"value\":[{\"id\":\"z\"}]}]", "d[0][0]['value'] + d[0][1]['value']"),
    ("ROWS\n[{\"id\":\"z\"}]", "d[0] + d[1]"),
    ("[ROWS,[{\"id\":\"z\"}]]", "d[0][0] + d[0][1]"),
    ("{\n\"id\":1}\n{\n\"id\":2}", "d"),
    (#"{"id":"1","items":[]}"#, "[{'id': '1', 'items': '[]'}]"),
    ("{\"error\":\"x\",\"at\":1}\n{\"error\":\"y\",\"at\":2}\n", "d"),
    (#"{"d":{"results":ROWS}}{"d":{"results":[]}}"#, "d[0]['d']['results']"),
    (#"{"d":{"results":[]}}"#, "[]"),
    (#"{"code":200,"message":"success","data":[]}"#, "[]"),
    (#"[{"status":"success","data":[],"count":0}]"#, "[]"),
    (
      #"{"code":200,"message":"success","data":ROWS}{"code":200,"message":"ok","data":[]}"#,
      "d[0]['data']"
    ),
    (
      #"[{"status":"ok","total":4,"page":2,"data":[{"id":"z"}]},{"status":"ok","total":4,"#
        + #""page":1,"data":ROWS}]"#, "d[0][0]['data'] + d[0][1]['data']"
    ),
  ]

  /// Rows that look like pages, but for what differs from one to the next or is nothing of an
  /// answer.
  static let ordersOfItems = [
    #"[{"number":"A-1","status":"open","total":1,"items":[{"sku":1}]},{"number":"A-2","#
      + #""status":"open","total":1,"items":[{"sku":2}]}]"#,
    #"[{"number":1,"status":"open","total":1,"items":[{"sku":1}]},{"number":2,"#
      + #""status":"paid","total":1,"items":[{"sku":2}]}]"#,
    #"{"number":1,"total":30,"items":[{"sku":1}]}"# + "\n" + #"{"number":2,"total":50,"items":[]}"#,
    #"{"first":"Ann","last":"Bob","phones":[],"mails":[]}"# + "\n"
      + #"{"first":"C","last":"D","phones":[],"mails":[]}"#,
    #"{"tags":[],"total":4}"# + "\n" + #"{"tags":[],"total":4}"#,
    #"[{"limit":100,"records":[]},{"limit":100,"records":[]}]"#,
    #"[{"page":3,"entries":[{"x":1}]},{"page":7,"entries":[{"x":1}]}]"#,
    #"[{"first":"Ann","last":"Bob","objects":[{"x":1}]}]"#,
    #"[{"path":"/a","size":3,"pages":1,"entries":[{"x":1}]},{"path":"/b","size":4,"pages":1,"#
      + #""entries":[{"x":2}]}]"#,
    #"[{"version":1,"time":3,"pages":1,"records":[{"x":1}]},{"version":2,"time":4,"pages":1,"#
      + #""records":[{"x":1}]}]"#,
    #"[{"from":"a","to":"b","total":1,"elements":[{"x":1}]}]"#,
  ]

  /// A mistake is told where it stands, whatever the rows before it take of lines.
  @Test(arguments: [
    ("{\n  \"a\": 1\n},\n{\n  \"a\": 2\n}\n", "line 3, column 2"),
    ("{\"a\":1}\n{\"a\":}\n", "line 2, column 6"),
  ])
  func mistakeBehindTheFirstRowIsToldWhereItIs(_ text: String, _ place: String) async throws {
    let outcome = try await seed(text)
    #expect(outcome.code == 65 && outcome.error.contains(place), "\(outcome.error)")
  }

  @Test(arguments: ordersOfItems.indices)
  func rowsThatLookLikePagesLoseNothing(_ place: Int) async throws {
    let text = Self.ordersOfItems[place]
    let outcome = try await seed(text)
    #expect(outcome.code == 0, "\(text): \(outcome.error)")
    let lists = "json.dumps(v, separators=(',', ':')) if isinstance(v, list) else v"
    #expect(
      try rows()
        == expected(
          text, "[{k: \(lists) for k, v in r.items()} for r in (d[0] if len(d) == 1 else d)]"),
      "\(text)")
  }

  /// What a person may miss of a page is told where it is not that of all pages.
  @Test func membersThatDifferFromPageToPageAreTold() async throws {
    let page = { (number: Int) in
      #"{"kind":"\#(number)","time":\#(number),"next":"u","data":[{"a":\#(number)}]}"#
    }
    let outcome = try await seed(page(1) + page(2))
    // Each page has a time of its own.
    #expect(outcome.text.contains("left aside: kind\""), "\(outcome.text)")
    let same = try await seed(page(1) + page(1))
    #expect(try !findings(same).contains("members-left-aside"))
  }

  @Test(arguments: wrapped.indices)
  func rowsAreThoseThatPythonFinds(_ place: Int) async throws {
    let (form, expression) = Self.wrapped[place]
    let text = form.replacingOccurrences(of: "ROWS", with: Self.rows)
    let outcome = try await seed(text)
    #expect(outcome.code == 0, "\(text): \(outcome.error)")
    #expect(try rows() == expected(text, expression), "\(text)")
  }

  /// A document that is no answer with rows, and what its refusal says.
  static let refused: [(text: String, message: String, hint: String)] = [
    (#"{"error":{"code":"Unauthorized"}}"#, "tells of an error", "--rows '$'"),
    (#"{"message":"no","code":401}"#, "tells of an error", "ask the service again"),
    (#"{"code":401}"#, "tells of an error", "--rows '$'"),
    (
      #"{"type":"https://x.y/z","title":"Not Found","status":404}"#, "tells of an error",
      "--rows '$'"
    ),
    (#"{"data":null,"errors":[{"message":"x"}]}"#, "tells of an error", "--rows '$'"),
    ("{\"value\":ROWS}\n{\"error\":{}}", "page 2", "ask the service again"),
    (#"[{"message":"x","errorCode":"INVALID"}]"#, "tells of an error", "ask the service again"),
    (#"[{"message":"Too many","statusCode":429}]"#, "tells of an error", "--rows '$'"),
    (#"{"status":"fail","data":{"title":"required"}}"#, "tells of an error", "--rows '$'"),
    (#"{"ok":0,"errmsg":"x","code":13,"codeName":"Y"}"#, "tells of an error", "--rows '$'"),
    (#"{"code":0,"msg":"ok","data":{"list":ROWS,"total":3}}"#, "holds no rows", "'$.data.list'"),
    (#"{"message":"Success","data":{"items":ROWS}}"#, "holds no rows", "--rows '$.data.items'"),
    (#"{"code":0,"msg":"ok","data":null}"#, "holds no rows", "--rows PATH"),
    (#"{"message":"denied","data":{"field":"x"}}"#, "tells of an error", "--rows '$'"),
    (#"{"message":"denied","data":[]}"#, "tells of an error", "--rows '$'"),
    (#"{"data":{"items":ROWS}}"#, "holds no rows", "--rows '$.data.items'"),
    (#"{"_embedded":{"orders":ROWS}}"#, "holds no rows", "--rows '$._embedded.orders'"),
    (
      #"{"data":{"x y":{"a.b":ROWS}}}"#, "holds no rows", #"--rows '$.data["x y"]["a.b"]'"#
    ),
    (#"{}"#, "holds no rows", "--rows PATH"),
    (#"{"count":0}"#, "holds no rows", "--rows PATH"),
    (#"{"value":[1,2]}"#, "holds no rows", "--rows"),
    (#"{"value":null}"#, "holds no rows", "--rows"),
    (#"{"customer":"x","lines":ROWS}"#, "one row, or hold rows in lines", "--rows '$.lines'"),
    (
      #"{"resourceType":"Bundle","id":"b","type":"searchset","entry":ROWS}"#,
      "one row, or hold rows in entry", "--rows '$.entry'"
    ),
    (#"{"value":[{"id":1},2]}"#, "a row must be an object", "at byte 19"),
    (#"{"value":[{"id":1}],"value":[]}"#, "a member comes twice", "at byte 20"),
    (#"{"value":[{"id":1,"id":2}]}"#, "a member comes twice", "at byte 18"),
    (#"{"value":[{"id":1}]} x"#, "something follows", "at byte 21"),
    (#"{"value":[{"id":1}]"#, "ends early", "at byte 19"),
    ("[[[{\"id\":1}]]]", "a row must be an object", "at byte 2"),
    ("[1,2]", "a row must be an object", "at byte 1"),
  ]

  @Test(arguments: refused.indices)
  func whatHoldsNoRowsIsRefusedWithAWayOut(_ place: Int) async throws {
    let (form, message, hint) = Self.refused[place]
    let text = form.replacingOccurrences(of: "ROWS", with: Self.rows)
    let outcome = try await seed(text)
    #expect(outcome.code == 65, "\(text)")
    #expect(outcome.error.contains(message), "\(text): \(outcome.error)")
    #expect(outcome.error.contains(hint), "\(text): \(outcome.error)")
    #expect(!folder.names.contains("out.rehome"))
  }

  /// Rows of an app have a message or a code as well, and a list has more than one failure.
  @Test(arguments: [
    #"[{"message":"x","code":1}]"#, #"[{"id":"a","message":"x","errorCode":"E"}]"#,
    #"[{"message":"x","errorCode":"E"},{"message":"y","errorCode":"F"}]"#,
    #"[{"message":"x","errorCode":"E","price":1}]"#, #"[{"status":"fail","data":"x"}]"#,
    #"[{"message":"done","errorCode":0}]"#, #"[{"message":"done","errorCode":null}]"#,
    #"[{"timestamp":"t","message":"x","status":500,"path":"/a"}]"#,
    #"[{"message":"too hot","errorCode":17,"timestamp":"t"}]"#,
  ])
  func rowsThatLookLikeFailuresAreRows(_ text: String) async throws {
    let outcome = try await seed(text)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try rows() == expected(text, "d[0]"))
  }

  /// Where nothing says that there is no next page, it may be the place of that.
  @Test(arguments: [
    (#"{"items":ROWS,"cursor":"abc"}"#, true), (#"{"items":ROWS,"cursor":""}"#, false),
    (#"{"items":ROWS,"cursor":null}"#, false),
    (#"{"items":ROWS,"cursor":"abc","hasMore":false}"#, false),
    (#"{"items":ROWS,"cursor":"abc","next":null}"#, false),
    (#"{"items":[{"id":1}],"cursor":"abc","total":1}"#, false),
  ])
  func cursorBesideRowsIsTold(_ form: String, _ isTold: Bool) async throws {
    let outcome = try await seed(form.replacing("ROWS", with: Self.rows))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try findings(outcome).contains("members-left-aside") == isTold)
  }

  /// What is told can be pasted into a shell, whatever the members are called.
  @Test(arguments: ["x y", "a.b", "it's", "say \\\"x\\\"", "a'b\\\"]c", "$HOME", "[*]"])
  func pathThatIsToldIsTakenBack(_ name: String) async throws {
    let text = "{\"data\":{\"\(name)\":\(Self.rows)},\"total\":3}"
    let refused = try await seed(text)
    #expect(refused.code == 65)
    let script = """
      import shlex, sys
      words = shlex.split(open(sys.argv[1]).read())
      print(words[words.index('--rows') + 1].rstrip(';'))
      """
    let hint = try #require(refused.error.split(separator: "try: ").last)
    let told = try folder.write(String(hint), to: "told")
    let path = try python(script, told)
    let outcome = try await seed(text, "--rows", String(path.dropLast()))
    #expect(outcome.code == 0, "\(path)\(outcome.error)")
    #expect(try rows() == expected(Self.rows, "d[0]"))
  }

  @Test func textInUTF16IsRefused() async throws {
    let file = try folder.write([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], to: "Todo.json")
    let outcome = await rehome("seed", file, "-o", store)
    #expect(outcome.code == 65)
    #expect(outcome.error.contains("UTF-16") && outcome.error.contains("iconv"))
  }

  @Test func placesOfRowsCanBeTold() async throws {
    let text = #"{"data":{"items":ROWS,"other.one":[{"a":1}]},"lines":[{"b":2}]}"#
      .replacingOccurrences(of: "ROWS", with: Self.rows)
    #expect(try await seed(text, "--rows", "$.data.items").code == 0)
    #expect(try rows() == expected(text, "d[0]['data']['items']"))
    #expect(try await seed(text, "--rows", "Todo=$['data'].items[*]").code == 0)
    #expect(try rows() == expected(text, "d[0]['data']['items']"))
    let several = try await seed(
      text, "--rows", "$.data.items", "--rows", "$.lines", "--rows", "$.data['other.one']")
    #expect(several.code == 0)
    #expect(try rows(of: "items") == expected(text, "d[0]['data']['items']"))
    #expect(try rows(of: "lines") == "[{\"b\": 2}]\n")
    #expect(try rows(of: "other.one") == "[{\"a\": 1}]\n")
    #expect(try await seed(text, "--rows", "$").code == 0)
    let missing = try await seed(text, "--rows", "$.data.x")
    #expect(missing.code == 64 && missing.error.contains("--rows '$.data.items'"))
    for wrong in ["data", "$..x", "$.a[0]", "$.", "$['a"] {
      #expect(try await seed(text, "--rows", wrong).code == 64, "\(wrong)")
    }
    #expect(try await seed(text, "--rows", "$.data", "--rows", "$.data.items").code == 64)
  }

  /// What stands where a page or the way to its rows should is told; a page without rows is not.
  @Test(arguments: [
    (#"[{"data":{"items":[{"id":"a"}]}},"lost",5]"#, 2),
    (#"{"data":{"items":[{"id":"a"}]}}"# + "\n" + #"{"data":"lost text"}"#, 1),
    (#"{"data":[{"items":{"id":"a"}},"lost text",0]}"#, 2),
    (#"{"data":{"items":[{"id":"a"}]}}{"data":[true,[7]]}"#, 2),
    (#"[{"data":{"items":[{"id":"a"}]}},[{"id":"b"},{"id":"c"}]]"#, 2),
    (#"[[{"id":"b"},[{"id":"c"}]],{"data":{"items":[{"id":"a"}]}}]"#, 2),
    (#"{"data":{"items":[{"id":"a"}]}}[{"id":"b"}]"#, 1),
    (#"{"data":[{"items":[{"id":"a"}]},[{"id":"b"}]]}"#, 1),
    (#"[[{"data":{"items":[{"id":"a"}]}}],[{"message":"none"}]]"#, 0),
    (#"[{"data":{"items":[{"id":"a"}]}},[],[{}],null,"",[{"data":null}]]"#, 0),
    (#"{"data":{"items":[{"id":"a"}]}}{"data":null}{"data":{"items":null}}{"data":{}}{}"#, 0),
    (#"{"data":{"items":[{"id":"a"}]}}{"message":"none"}{"data":""}{"data":[{"x":1}]}"#, 0),
  ])
  func valuesAmongPagesAreTold(_ text: String, _ count: Int) async throws {
    let outcome = try await seed(text, "--rows", "$.data.items")
    #expect(outcome.code == 0, "\(text)\(outcome.error)")
    #expect(try findings(outcome).contains("values-among-pages") == (count > 0), "\(text)")
    #expect(
      count == 0 || outcome.text.contains("should stand were left aside: \(count)\""), "\(text)")
    #expect(try rows() == #"[{"id": "a"}]\#n"#)
  }

  /// So it is where nobody has said where the rows are.
  @Test(arguments: [
    #"[{"value":[{"id":"a"}]},"lost",5]"#, #"[{"value":[{"id":"a"}]},[{"id":"b"},{"id":"c"}]]"#,
  ])
  func valuesBehindAPageAreTold(_ text: String) async throws {
    #expect(try findings(await seed(text)).first == "values-among-pages", "\(text)")
    #expect(try rows() == #"[{"id": "a"}]\#n"#)
  }

  @Test func placeOfOneFileIsTakenByAnyOfItsNames() async throws {
    let text = #"{"data":{"items":[{"a":1}]},"k":5}"#
    let file = try write(text)
    for name in ["Todo", "Todo.json", file] {
      #expect(try await seed(text, "--rows", "\(name)=$.data.items").code == 0, "\(name)")
      #expect(try rows() == "[{\"a\": 1}]\n", "\(name)")
    }
    let misspelled = try await seed(text, "--rows", "$.data.items", "--rows", "Tod.json=$.data")
    #expect(misspelled.code == 64)
    #expect(
      misspelled.error.contains("--rows Tod.json=$.data: no input is a plain file of JSON of"))
    let plain = try write(#"[{"a":1}]"#, to: "Plain.json")
    let other = await rehome("export", plain, "--rows", "Todo=$", "--to", "json")
    #expect(other.code == 64 && other.text.isEmpty, "\(other.error)")
    let same = await rehome("verify", file, file, "--rows", "Todo.json=$.data.items")
    #expect(same.code == 0, "\(same.error)")
  }

  @Test func placeOfRowsNeedsAJSONFile() async throws {
    let file = try write("a,b\n1,2\n", to: "T.csv")
    let outcome = await rehome("seed", "-f", file, "--rows", "$.a", "-o", store)
    #expect(outcome.code == 64 && outcome.error.contains("no input is a plain file of JSON"))
    for command in ["inspect", "hash", "audit", "find"] {
      let outcome = await rehome(command, file, "--rows", "$.a")
      #expect(outcome.code == 64 && outcome.error.contains("no input is a plain file of JSON"))
    }
    // The rows of an export lie where it says.
    let export = store + ".json"
    let sample = Sample(name: "ios-2016").store()
    #expect(await rehome("export", "-q", sample, "--to", "json", "-o", export).code == 0)
    let other = await rehome("seed", "-f", export, "--rows", "$.a", "-o", store)
    #expect(other.code == 64 && other.error.contains("no input is a plain file of JSON"))
  }

  /// Lists of several entities are called alike in many an answer, and are tables of their own.
  @Test(arguments: [
    (
      #"{"data":{"p":{"items":A},"c":{"items":B}}}"#, ["data.p.items", "data.c.items"], ["p", "c"]
    ),
    (
      #"{"p":{"edges":[{"node":ONE}]},"c":{"edges":[{"node":TWO}]}}"#,
      ["p.edges[*].node", "c.edges[*].node"], ["p", "c"]
    ),
    (#"{"data":{"p":{"items":A},"items":B}}"#, ["data.p.items", "data.items"], ["p", "data"]),
    (#"{"a":{"b":A},"b":{"a":B}}"#, ["a.b", "b.a"], ["b", "a"]),
    // Of no earlier name it is clear that it is another one.
    (
      #"{"items":{"a":{"items":A}},"a":{"items":B}}"#, ["items.a.items", "a.items"],
      ["items.a.items", "a.items"]
    ),
    (
      #"{"a":{"b":{"Items":A,"items":B}}}"#, ["a.b.Items", "a.b.items"],
      ["a.b.Items", "a.b.items_2"]
    ),
  ])
  func listsOfOneNameAreTablesOfTheirOwn(
    _ answer: String, _ paths: [String], _ names: [String]
  ) async throws {
    let (one, two) = (#"{"id":"1","title":"same"}"#, #"{"id":"1","title":"other"}"#)
    let text = answer.replacing("ONE", with: one).replacing("TWO", with: two)
      .replacing(":A", with: ":[\(one)]").replacing(":B", with: ":[\(two)]")
    let outcome = try await seed(text, "--rows", "$.\(paths[0])", "--rows", "$.\(paths[1])")
    #expect(outcome.code == 0, "\(outcome.error)")
    let tables = try outcome.json()["tables"] as? [[String: Any]]
    #expect(tables?.map { $0["name"] as? String } == names, "\(outcome.text)")
    #expect(tables?.map { $0["written"] as? Int } == [1, 1], "\(outcome.text)")
  }

  /// A row that is on two pages makes up for none that is missing.
  @Test func rowsThatCameTwiceDoNotCount() async throws {
    let pages = [
      #"{"count":4,"results":[{"id":1},{"id":2}]}"#, #"{"count":4,"results":[{"id":2},{"id":4}]}"#,
    ]
    let outcome = try await seed(pages.joined(separator: "\n"))
    #expect(try findings(outcome).sorted() == ["count-differs", "row-on-several-pages"])
  }

  @Test func membersThatAreArraysAreTables() async throws {
    let outcome = try await seed(#"{"Todo":[{"a":1}],"Place":[{"b":2}],"Empty":[]}"#)
    #expect(outcome.code == 0)
    #expect(try rows() == "[{\"a\": 1}]\n")
    #expect(try rows(of: "Place") == "[{\"b\": 2}]\n")
    #expect(try rows(of: "Empty") == "[]\n")
  }

  /// A table may be called as what answers say of themselves; beside what holds the rows of an answer
  /// it is none, and told.
  @Test(arguments: [
    "Links", "links", "_links", "Pages", "Info", "Meta", "Count", "Total", "Next", "Cursor", "Took",
    "Success", "Messages", "Warnings", "First", "Limit",
  ])
  func tablesHaveTheNamesOfAnswers(_ name: String) async throws {
    let table = #""\#(name)":[{"id":1,"t":"a"},{"id":2,"t":"b"}]"#
    let outcome = try await seed(#"{\#(table),"Orders":[{"id":3}]}"#)
    #expect(
      try rows(of: name) == #"[{"id": 1, "t": "a"}, {"id": 2, "t": "b"}]"# + "\n",
      "\(outcome.error)")
    #expect(try rows(of: "Orders") == "[{\"id\": 3}]\n")
    #expect(try findings(outcome).isEmpty)
    let answer = try await seed(#"{\#(table),"value":[{"id":3}]}"#)
    #expect(try rows() == "[{\"id\": 3}]\n")
    let told = try findings(answer)
    #expect(told == ["members-left-aside"] || name == "Next" && told == ["more-pages"], "\(told)")
  }

  /// Links, and words about the answer, are no tables; what is none of these is told.
  @Test(
    arguments: [
      (#""links":[{"rel":"self","href":"/a"},{"rel":"prev","href":"/b"}]"#, []),
      (
        #""links":[{"label":"x"},{"rel":"next","href":"/b"}]"#,
        ["more-pages", "members-left-aside"]
      ),
      (#""links":[{"from":1,"to":2}]"#, ["members-left-aside"]),
      (#""links":[{"id":1,"rel":"self","href":"/a"}]"#, []),
      (#""pagination":[{"page":1,"total":2}]"#, []),
      (#""meta":[{"generated":"x"}]"#, ["members-left-aside"]),
      (#""took":[{"name":"x"}]"#, ["members-left-aside"]),
    ] as [(String, [String])])
  func linksAndWordsOfAnswersAreNoTables(_ member: String, _ codes: [String]) async throws {
    let outcome = try await seed(#"{"users":[{"id":1}],\#(member)}"#)
    let tables = try #require(try outcome.json()["tables"] as? [[String: Any]], "\(outcome.error)")
    #expect(tables.compactMap { $0["name"] as? String } == ["users"])
    #expect(try Set(findings(outcome)) == Set(codes))
  }

  @Test func whatTheAnswerSaysIsTold() async throws {
    let more = try await seed(#"{"value":[{"id":1}],"@odata.nextLink":"u"}"#)
    #expect(try findings(more) == ["more-pages"])
    let last = try await seed(
      "{\"value\":[{\"id\":1}],\"next\":\"u\"}\n{\"value\":[{\"id\":2}],\"next\":null}")
    #expect(try findings(last) == [])
    let lie = try await seed(#"{"results":[{"id":1}],"count":5}"#)
    #expect(try findings(lie) == ["count-differs"])
    let aside = try await seed(#"{"results":[{"id":1}],"company":"x"}"#)
    #expect(try findings(aside) == ["members-left-aside"])
    for nowhere in [#""hasMore":"false""#, #""next":{"href":""}"#, #""links":{"next":{}}"#] {
      #expect(try findings(await seed(#"{"value":[{"id":1}],\#(nowhere)}"#)) == [], "\(nowhere)")
    }
    let inside = try await seed(#"{"info":{"count":826,"next":"u"},"results":[{"id":1}]}"#)
    #expect(try findings(inside) == ["more-pages"])
  }

  @Test(arguments: [
    (#"{"value":ROWS,"error":{"code":"500"}}"#, true), (#"{"errors":[{"m":1}],"data":ROWS}"#, true),
    (#"{"value":ROWS,"meta":{"error":"x"}}"#, true),
    ("{\"value\":ROWS}{\"value\":ROWS,\"error\":1}", true),
    (#"{"success":false,"data":ROWS,"message":"denied"}"#, true),
    (#"{"success":"false","data":ROWS}"#, true), (#"{"success":0,"data":ROWS}"#, true),
    (#"{"status":"500","data":ROWS}"#, true), (#"{"success":"true","data":ROWS}"#, false),
    (#"{"status":500,"data":ROWS}"#, true), (#"{"status":200,"data":ROWS}"#, false),
    (#"{"status":"error","message":"x","items":ROWS}"#, true),
    (#"{"status":"Failed","items":ROWS}"#, true), (#"{"status":"no error","items":ROWS}"#, false),
    (#"{"success":true,"data":ROWS}"#, false),
    (#"{"errors":[],"data":ROWS}"#, false), (#"{"value":ROWS,"error":{}}"#, false),
    (#"{"value":ROWS,"error":null,"errors":false}"#, false),
  ])
  func failureBesideRowsIsTold(form: String, isTold: Bool) async throws {
    let outcome = try await seed(form.replacingOccurrences(of: "ROWS", with: Self.rows))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try findings(outcome).contains("failure-beside-rows") == isTold)
  }

  /// What denies success is no empty page, whatever a code or a status says.
  @Test(arguments: [#""success":false"#, #""success":"false""#, #""ok":0"#])
  func deniedSuccessIsAFailure(denial: String) async throws {
    for sign in [#""code":0"#, #""status":200"#, #""message":"OK""#] {
      let outcome = try await seed("{\(denial),\(sign),\"data\":[]}")
      #expect(outcome.code == 65 && outcome.error.contains("tells of an error"), "\(sign)")
    }
  }

  @Test func membersOfAnswersOfOtherNamesAreTables() async throws {
    let outcome = try await seed(#"{"view":[{"id":1}],"item":[{"id":2}]}"#)
    #expect(outcome.code == 0, "\(outcome.error)")
    let tables = try #require(try outcome.json()["tables"] as? [[String: Any]])
    #expect(tables.compactMap { $0["name"] as? String } == ["view", "item"])
  }

  @Test func numberOfFailureMakesNoFailureOfRows() async throws {
    let outcome = try await seed(
      "{\"title\":\"a\",\"status\":404}\n{\"title\":\"b\",\"status\":200}\n")
    #expect(outcome.code == 0, "\(outcome.error)")
    let open = try await seed(#"{"title":"a","status":200}"#)
    #expect(!open.error.contains("tells of an error"))
  }

  @Test func linesThatWrapNothingAreRows() async throws {
    let lines = (1...3).map { #"{"order":\#($0),"items":[{"sku":"a"}]}"# }
    let outcome = try await seed(lines.joined(separator: "\n"))
    #expect(outcome.code == 0)
    #expect(try rows().contains(#""order": 3"#))
  }

  @Test func rejectsOfSeveralTablesComeBack() async throws {
    let text = #"{"Todo":[{"n":"1"},{"n":"x"}],"Place":[{"z":"y"},{"z":"2"}]}"#
    let bad = folder.path("bad.json")
    let types = ["--type", "Todo.n=integer", "--type", "Place.z=integer"]
    let file = try write(text)
    let first = await rehome(["seed", file, "-o", store, "--rejects", bad] + types)
    #expect(first.code == 2)
    let rejected = try String(contentsOfFile: bad, encoding: .utf8)
    let corrected = rejected.replacingOccurrences(of: "\"x\"", with: "7")
      .replacingOccurrences(of: "\"y\"", with: "8")
    try corrected.write(toFile: bad, atomically: true, encoding: .utf8)
    let second = await rehome(["seed", file, "-fo", store, "--corrected", bad] + types)
    #expect(second.code == 0, "\(second.error)\(rejected)")
    #expect(try rows() == "[{\"n\": 1}, {\"n\": 7}]\n")
    #expect(try rows(of: "Place") == "[{\"z\": 8}, {\"z\": 2}]\n")
  }

  /// A map of rows, or an object in which something lies under a name that nobody knows, is no row.
  @Test(arguments: [
    #"{"-Ka":{"id":"a","n":1},"-Kb":{"id":"b","n":2}}"#, #"{"users":{"u1":{"n":1}}}"#,
    #"{"viewer":{"items":[{"id":"a"}]}}"#, #"{"GetItemsResult":{"items":[{"id":"a"}]}}"#,
  ])
  func objectsOfObjectsAreNoRow(_ text: String) async throws {
    let outcome = try await seed(text)
    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.contains("the document holds no rows"), "\(outcome.error)")
    #expect(outcome.error.contains("--rows '$'"), "\(outcome.error)")
    let asRow = try await seed(text, "--rows", "$")
    #expect(asRow.code == 0, "\(asRow.error)")
    #expect(try rows().contains("{"))
    // A line is a row whatever it is, be it the only one.
    let lines = try await seed(text + "\n" + text + "\n")
    #expect(lines.code == 0, "\(lines.error)")
    let told = try await seed(text + "\n", "--from", "ndjson")
    #expect(told.code == 0, "\(told.error)")
    let named = await rehome(
      "seed", try write(text + "\n", to: "Todo.jsonl"), "-f", "-o", store)
    #expect(named.code == 0, "\(named.error)")
  }

  @Test(arguments: [
    (#"total="9" next="http://h/?page=2""#, ["more-pages"]), (#"count="9""#, ["count-differs"]),
    (#"count="2" hasMore="false""#, []), (#"hasMore="0""#, []),
    (#"hasMore="true""#, ["more-pages"]),
    (#"page="1" pages="5" perpage="2""#, ["more-pages"]), (#"lastPage="true""#, []),
    (#"success="false""#, ["failure-beside-rows"]), (#"status="open""#, ["members-left-aside"]),
    (#"generated="2016-10-01""#, ["members-left-aside"]),
    (#"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b""#, []),
    (#"xml:lang="de""#, []),
  ])
  func rootOfXMLTellsWhatAnAnswerDoes(attributes: String, codes: [String]) async throws {
    let file = try write(
      "<Todo \(attributes)><row><id>a</id></row><row><id>b</id></row></Todo>", to: "Todo.xml")
    let outcome = await rehome("seed", file, "-f", "--json", "-o", store)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try findings(outcome) == codes)
    #expect(try rows() == #"[{"id": "a"}, {"id": "b"}]\#n"#)
  }

  /// Null in place of a row, and elements without one, are passed over where others hold one each.
  @Test(arguments: [
    (#"[{"node":{"id":"a"}},{"node":null},{"cursor":"c3"}]"#, 2),
    (#"[{"node":null},null,{"node":{"id":"a"}},{}]"#, 3),
    (#"[{"node":{"id":"a"}},{"node":[]},{}]"#, 0), (#"[{"node":{"id":"a"}}]"#, 0),
    (#"[{"node":[{"id":"a"}]},{"node":null},{},null]"#, 0),
  ])
  func elementsWithoutTheirRowAreTold(_ edges: String, _ count: Int) async throws {
    let outcome = try await seed(
      #"{"data":{"items":{"edges":\#(edges)}}}"#, "--rows", "$.data.items.edges[*].node")
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try rows() == #"[{"id": "a"}]\#n"#)
    #expect(try findings(outcome).contains("values-among-pages") == (count > 0), "\(edges)")
    #expect(count == 0 || outcome.text.contains("hold one each, were left aside: \(count)\""))
  }

  /// Tables of arrays, as pandas and Google write them, are no row; documents that are have such arrays,
  /// too.
  @Test(arguments: [
    (#"{"columns":["id","n"],"index":[0,1],"data":[[1,"a"],[2,"b"]]}"#, true),
    (
      #"{"columns":["id","n"],"data":[[1,"a"]],"index":[0],"index_names":[null],"column_names":[null]}"#,
      true
    ),
    (#"{"range":"A1:B2","majorDimension":"ROWS","values":[["id","n"],["1","a"]]}"#, true),
    (#"{"ok":true,"columns":["id","n"],"rows":[[1,"a"]],"next":"2"}"#, true),
    (#"{"name":"T","columns":[{"name":"id"}],"rows":[[1]]}"#, true),
    (#"{"fields":["id"],"values":[[1]]}"#, true),
    (#"{"tables":[{"name":"P","columns":[{"name":"id"}],"rows":[["a"],["b"]]}]}"#, true),
    (#"{"Tables":[{"TableName":"T","Columns":[{"ColumnName":"a"}],"Rows":[[1]]}]}"#, true),
    (#"{"meta":[{"name":"a","type":"UInt8"}],"data":[[1],[2]],"rows":2}"#, true),
    (#"{"tables":[{"name":"P","columns":[{"name":"id"}],"rows":[{"id":1}]}]}"#, false),
    (#"{"shapes":[{"columns":[1,2],"path":[[1,2],[3,4]]}]}"#, false),
    (#"{"levels":[{"id":1,"columns":["a"],"rows":[[0,1],[1,1]]}]}"#, false),
    (#"{"levels":[{"columns":3,"rows":[[0,1],[1,1]]}]}"#, false),
    (#"{"widgets":[{"columns":["a"],"rows":{"x":[1]}}]}"#, false),
    (#"{"reports":[{"columns":["a"],"rows":[[1]]}],"users":[{"n":1}]}"#, false),
    (#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, false),
    (#"{"columns":["id","n"],"data":[1,2]}"#, false), (#"{"values":[[1,2]],"n":"x"}"#, false),
    (#"{"columns":["a"],"data":[[1]],"title":"t"}"#, false),
    (#"{"id":1,"columns":["a"],"data":[[1]]}"#, false),
  ])
  func tablesOfArraysAreNoRow(_ text: String, _ isRefused: Bool) async throws {
    let outcome = try await seed(text)
    #expect(outcome.code == (isRefused ? 65 : 0), "\(outcome.error)")
    #expect(outcome.error.contains("lists its rows as arrays") == isRefused, "\(outcome.error)")
    #expect(try await seed(text, "--rows", "$").code == 0)
    #expect(try await seed(text + "\n" + text + "\n").code == 0)
  }

  /// An export whose members another program has put in order says what it is.
  @Test func exportInAnotherOrderIsTold() async throws {
    _ = try await seed(#"[{"id":"a"}]"#)
    let (export, sorted) = (folder.path("export.json"), folder.path("sorted.json"))
    _ = await rehome("export", "-q", store, "--to", "json", "-o", export)
    _ = try python(
      """
      import json, sys
      json.dump(json.load(open(sys.argv[1])), open(sys.argv[2], "w"), sort_keys=True)
      """,
      export, sorted)
    let outcome = await rehome("seed", sorted, "-f", "-o", store)
    #expect(outcome.code == 65, "\(outcome.error)")
    #expect(outcome.error.contains("in another order"), "\(outcome.error)")
    #expect(!outcome.error.contains("--rows"), "\(outcome.error)")
  }

  /// What the format itself calls no text is no base64.
  @Test(arguments: ["true", "12345678", "[]"])
  func valuesOfJSONThatAreNoTextsAreNoBytes(_ value: String) async throws {
    let outcome = try await seed(
      #"[{"id":"a","b":\#(value)},{"id":"b","b":"AQID"}]"#, "--type", "Todo.b=binary")
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(
      try Devices.query(store, "SELECT id, hex(b) FROM Todo ORDER BY id") == "a|\nb|010203\n")
  }
}
