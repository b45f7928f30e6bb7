import Formats
import Records
import Testing

@testable import Replay

struct DialectTests {
  private static let row = """
    {"ID":"other","text":"milk","version":"V0","__version":"V0","updatedAt":"2016-01-01T00:00:00Z",\
    "createdAt":"x","deleted":false}
    """

  @Test(arguments: [
    (Dialect.v1, "POST tables/TodoItem ?__systemproperties=__version"),
    (.v2, "POST tables/TodoItem ?"), (.v3, "POST tables/todoitem ?"),
    (.toolkit, "POST tables/todoitem ?"),
  ])
  func insertsGoToTheTable(_ dialect: Dialect, _ expected: String) throws {
    let request = try first(dialect, .insert)
    #expect(line(request) == expected)
    #expect(request.condition == nil)
  }

  @Test(arguments: [
    (Dialect.v1, "PATCH tables/TodoItem/a%20%2B%C3%A9 ?__systemproperties=__version"),
    (.v2, "PATCH tables/TodoItem/a%20%2B%C3%A9 ?"),
    (.v3, "PUT tables/todoitem/a%20%2B%C3%A9 ?"),
    (.toolkit, "PUT tables/todoitem/a%20%2B%C3%A9 ?"),
  ])
  func updatesGoToTheItemWithItsVersion(_ dialect: Dialect, _ expected: String) throws {
    let request = try first(dialect, .update)
    #expect(line(request) == expected)
    #expect(request.condition == "\"AB/+=\"")
  }

  /// The first services show the version of an item, as in a refusal, only where they are asked to.
  @Test(arguments: [
    (Dialect.v1, "DELETE tables/TodoItem/a%20%2B%C3%A9 ?__systemproperties=__version"),
    (.v2, "DELETE tables/TodoItem/a%20%2B%C3%A9 ?"),
    (.v3, "DELETE tables/todoitem/a%20%2B%C3%A9 ?"),
    (.toolkit, "DELETE tables/todoitem/a%20%2B%C3%A9 ?"),
  ])
  func deletionsGoToTheItem(_ dialect: Dialect, _ expected: String) throws {
    #expect(line(try first(dialect, .delete)) == expected)
  }

  @Test(arguments: Dialect.ofTableServices)
  func deletionsHaveNoBodyAndACondition(_ dialect: Dialect) throws {
    let request = try first(dialect, .delete)
    #expect(request.method == "DELETE")
    #expect(request.body == nil)
    #expect(request.condition == "\"AB/+=\"")
    #expect(!request.headers.contains { $0.name == "Content-Type" })
  }

  @Test(arguments: [
    (Dialect.v1, nil), (.v2, "2.0.0"), (.v3, "3.0.0"), (.toolkit, "3.0.0"),
  ])
  func onlyLaterServicesAreToldTheirVersion(_ dialect: Dialect, _ expected: String?) throws {
    let version = try first(dialect, .update).headers.first { $0.name == "ZUMO-API-VERSION" }
    #expect(version?.value == expected)
  }

  @Test(arguments: [
    (
      Dialect.v1,
      #"{"id":"a +é","text":"milk","version":"V0","updatedAt":"2016-01-01T00:00:00Z","#
        + #""createdAt":"x","deleted":false}"#
    ),
    (.v2, #"{"id":"a +é","text":"milk"}"#),
    (.v3, #"{"id":"a +é","text":"milk","version":"AB/+=","createdAt":"x"}"#),
    (
      .toolkit,
      #"{"id":"a +é","text":"milk","version":"AB/+=","__version":"V0","#
        + #""updatedAt":"2016-01-01T00:00:00Z","createdAt":"x","deleted":false}"#
    ),
  ])
  func bodiesLeaveOutWhatTheServiceRefuses(_ dialect: Dialect, _ expected: String) throws {
    let body = try #require(try first(dialect, .update).body)
    #expect(String(decoding: body, as: UTF8.self) == expected)
  }

  /// The services and the SDKs for iOS call it otherwise.
  @Test(arguments: [
    ("updatedat", true), ("__updatedat", true), ("ms_updatedat", true), ("createdat", false),
    ("_updatedat", false),
  ])
  func timeOfAChangeIsKnownByItsName(_ name: String, isTime: Bool) {
    #expect(isUpdateTime(name) == isTime)
  }

  /// An app's own member is sent.
  @Test(arguments: [Dialect.v1, .v2, .v3, .toolkit])
  func onlyWhatTheServiceRefusesIsLeftOut(_ dialect: Dialect) {
    #expect(dialect.leavesOut("ID") && !dialect.leavesOut("text"))
  }

  @Test func versionsAreQuotedAndUnquoted() {
    #expect(quoted("a\"b", .v2) == "\"a\\\"b\"")
    #expect(unquoted("\"a\\\"b\"") == "a\"b")
    #expect(unquoted("W/\"x\"") == "x")
    #expect(unquoted("x") == "x")
    #expect(unquoted("\"x") == nil)
    #expect(unquoted("\"") == nil)
    #expect(unquoted("\"\"") == "")
  }

  @Test(arguments: [#"a"b"#, #"a\b"#, #"a\"b"#, #"\\"\"#, #"\"#, #"""#, #"W/"x""#, ""])
  func quotedVersionsComeBack(_ version: String) {
    #expect(unquoted(quoted(version, .v2)) == version)
  }

  @Test func mappedTablesKeepTheirCaseAndPathsTheirSlashes() {
    var tables = TableMap()
    let isTaken = tables.map("A", to: "Other") && tables.map("B", to: "/api/my items/b")
    #expect(isTaken)
    #expect(tables.path(of: "A", .v3) == "tables/Other")
    #expect(tables.path(of: "B", .v2) == "api/my%20items/b")
    #expect(tables.path(of: "C", .v3) == "tables/c")
    for name in ["", "..", "/../x", "a/b", "a?b", "/"] {
      let isTaken = tables.map("D", to: name)
      #expect(!isTaken, "\(name)")
    }
  }

  @Test func serverSeesTheNamesOfTheAppAndNotThoseOfTheStore() {
    var tables = TableMap()
    tables.setOwnName(of: "app_rehome_x", to: "rehome_x")
    #expect(tables.path(of: "app_rehome_x", .v2) == "tables/rehome_x")
    tables.setOwnName(of: "App_Rehome_Y", to: "Rehome_Y")
    #expect(tables.path(of: "App_Rehome_Y", .toolkit) == "tables/rehome_y")
    #expect(tables["app_rehome_x"] == nil, "a person has named none")
    // What would lead to another address counts for nothing.
    for name in ["..", "", "a/b"] {
      tables.setOwnName(of: "x", to: name)
      #expect(tables.path(of: "x", .v2) == "tables/x", "\(name)")
    }
    let isTaken = tables.map("app_rehome_x", to: "given")
    #expect(isTaken && tables.path(of: "app_rehome_x", .v2) == "tables/given")
  }

  /// A service that merges an item with its own needs the defaults too; the others take what is
  /// left out for them.
  @Test(arguments: [Dialect.v1, .v2, .v3, .toolkit], [OperationKind.insert, .update])
  func nothingIsLeftOutWhereItemsAreMerged(_ dialect: Dialect, _ kind: OperationKind) throws {
    let step = try #require(ReplayPlan([operation(1, kind)])[0])
    var item = ReplayItem(json: Array(#"{"id":"a","n":1}"#.utf8))
    item.leftOut = [JSONObject.Member(key: "done", value: .boolean(false))]
    let request = try #require(ReplaySettings(dialect: dialect).firstRequest(of: step, item))
    let isMerged = request.method == "PATCH"
    #expect(isMerged == (kind == .update && (dialect == .v1 || dialect == .v2)))
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == (isMerged ? #"{"id":"a","n":1,"done":false}"# : #"{"id":"a","n":1}"#))
    #expect(request.leftOut.map(\.key) == (isMerged ? [] : ["done"]))
  }

  private func first(_ dialect: Dialect, _ kind: OperationKind) throws -> ReplayRequest {
    let plan = ReplayPlan([operation(1, kind, id: "a +é", version: "AB/+=")])
    let step = try #require(plan[0])
    let item = ReplayItem(json: Array(Self.row.utf8))
    return try #require(ReplaySettings(dialect: dialect).firstRequest(of: step, item))
  }

  /// Clients of Datasync call a table after the type, too, and keep a name as it is.
  @Test func datasyncIsAskedForTheTypeThatIsKnown() {
    var tables = TableMap()
    tables.setType(of: "TodoItems", to: "MyApp.Data.TodoItem")
    #expect(tables.path(of: "TodoItems", .v3) == "tables/todoitem")
    #expect(tables.path(of: "TodoItems", .rows) == "tables/TodoItems")
    #expect(tables.path(of: "my.Table", .v3) == "tables/my.table")
    let isTaken = tables.map("TodoItems", to: "Given")
    #expect(isTaken && tables.path(of: "TodoItems", .v3) == "tables/Given")
  }

  @Test(arguments: [
    ("TodoItems", "MyApp.Data.TodoItem", "tables/todoitem"),
    ("TodoItems", "MyApp.Outer+Todo Item", "tables/todo%20item"),
    ("TodoItems", "TodoItem", "tables/todoitem"), ("TodoItems", "", "tables/todoitems"),
    ("TodoItems", "..", "tables/todoitems"), ("TodoItems", "a/b", "tables/todoitems"),
    ("MyApp.Data.Gone", "MyApp.Data.Gone", "tables/gone"),
    ("Old.Items", nil, "tables/old.items"), ("Old.Items", "a/b", "tables/old.items"),
    ("Mapped", "MyApp.Data.Other", "tables/given"),
  ])
  func toolkitIsAskedForTheType(_ table: String, _ type: String?, _ path: String) {
    var tables = TableMap()
    let isTaken = tables.map("Mapped", to: "given")
    #expect(isTaken)
    if let type { tables.setType(of: table, to: type) }
    #expect(tables.path(of: table, .toolkit) == path)
    #expect(table == "Mapped" || tables.path(of: table, .v2) == "tables/" + table)
  }

  private func line(_ request: ReplayRequest) -> String {
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return "\(request.method) \(request.path) ?\(query)"
  }
}

/// An operation on an item of the table `TodoItem` that has a row.
func operation(
  _ sequence: Int64, _ kind: OperationKind?, id: String? = "a", version: String? = nil
) -> PendingOperation {
  var operation = PendingOperation()
  operation.sequence = sequence
  operation.table = "TodoItem"
  operation.itemID = id
  operation.kind = kind
  operation.rowKey = 1
  operation.baseVersion = version
  return operation
}
