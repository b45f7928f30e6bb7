import Bytes
import Canonical
import Formats
import Foundation
import Records
import Testing

@testable import Commands

/// A canonical store answers as the table services do.
struct LocalServiceTests {
  private final class Target {
    let fixture: ExportFixture
    let store: LiveStore
    let items: StoredItems
    var catalogue: Catalogue
    var habits = LocalService.Habits()
    var hasExactNames = false
    var renamedTables: [LocalTables.Renamed] = []

    init(hasDeleted: Bool = true) throws {
      fixture = try ExportFixture()
      let path = fixture.path("target.rehome")
      var columns = [
        Column(name: "id", type: .text, role: .id), Column(name: "text", type: .text),
        Column(name: "count", type: .integer), Column(name: "due", type: .timestamp),
        Column(name: "version", type: .text, role: .version),
        Column(name: "updatedAt", type: .timestamp, role: .updatedAt),
      ]
      if hasDeleted { columns.append(Column(name: "deleted", type: .boolean, role: .deleted)) }
      catalogue = Catalogue(tables: [Table(name: "Todo", columns: columns)], nameOrigin: .schema)
      var writer = try CanonicalWriter(destination: path, replacing: false)
      try writer.begin(
        SourceDescription(name: "s", layout: .json, evidence: []), catalogue: catalogue,
        at: .epoch, toolVersion: "0")
      try writer.publish()
      store = try LiveStore(at: path)
      items = StoredItems(in: store)
    }

    func ask(
      _ method: String, _ id: String? = nil, _ body: String? = nil, condition: String? = nil,
      table: String = "Todo", includesDeleted: Bool = false, isVersion3: Bool = false,
      leftOut: [JSONObject.Member] = []
    ) throws -> (status: Int, version: String?, body: String) {
      var tables = LocalTables(catalogue, isVersion3: isVersion3)
      tables.hasExactNames = hasExactNames
      tables.renamed = renamedTables
      var service = LocalService(
        items: items, tables: tables, store: store, habits: habits, systemPrefix: "")
      defer { catalogue = service.tables.catalogue }
      let answer = try service.answer(
        .init(
          method: method, table: table, id: id, condition: condition,
          includesDeleted: includesDeleted, body: body.map { Array($0.utf8) }, leftOut: leftOut),
        now: .epoch)
      return (answer.status, answer.version, String(decoding: answer.body, as: UTF8.self))
    }
  }

  /// The conversion of a device's store has its truth in columns of whole numbers.
  @Test func truthIsTakenAsAWholeNumber() throws {
    let target = try Target()
    let made = try target.ask("POST", nil, #"{"id":"a1","count":true}"#)
    #expect(made.status == 201 && made.body.contains(#""count":1"#), "\(made.body)")
  }

  /// A value as deep as a store may have them, in an item.
  @Test func deepestValueIsTaken() throws {
    let target = try Target()
    target.habits.growsTables = true
    let value = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let made = try target.ask("POST", nil, #"{"id":"a1","notes":\#(value)}"#)
    #expect(made.status == 201, "\(made.body.prefix(200))")
  }

  /// A word is a document as others in their column, and no other one for what it says.
  @Test func wordsAmongDocumentsStayWords() throws {
    let target = try Target()
    target.habits.growsTables = true
    _ = try target.ask("POST", nil, #"{"id":"a1","tags":[1]}"#)
    for (id, word) in [("a2", #""abc""#), ("a3", #""[1]""#), ("a4", "[1]")] {
      let made = try target.ask("POST", nil, #"{"id":"\#(id)","tags":\#(word)}"#)
      #expect(made.status == 201 && made.body.contains(#""tags":\#(word)"#), "\(made.body)")
      #expect(try target.ask("GET", id).body == made.body)
    }
  }

  @Test func insertedItemIsShownWithItsVersion() throws {
    let target = try Target()
    let made = try target.ask(
      "POST", nil, #"{"id":"a1","TEXT":"milk","due":"2024-05-01T10:20:30.5+02:00"}"#)
    #expect(made.status == 201)
    #expect(
      made.body
        == #"{"id":"a1","text":"milk","count":null,"due":"2024-05-01T08:20:30.500Z","#
        + #""version":"\#(made.version ?? "none")","updatedAt":"1970-01-01T00:00:00.000Z","#
        + #""deleted":false}"#)
    #expect(try target.ask("GET", "a1").body == made.body)
  }

  @Test func secondInsertIsAConflict() throws {
    let target = try Target()
    _ = try target.ask("POST", nil, #"{"id":"a1"}"#)
    #expect(try target.ask("POST", nil, #"{"id":"a1"}"#).status == 409)
    let modern = try target.ask("POST", nil, #"{"id":"A1"}"#, isVersion3: true)
    #expect(modern.status == 409 && modern.version != nil)
  }

  /// Letters beyond ASCII change more than their case, and marks may be spelled in two ways.
  @Test(arguments: [
    ("STRASSE", "straße"), ("k", "\u{212A}"), ("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{C9}"),
    ("ss", "ß"),
  ])
  func idsOfOtherLettersAreOtherItems(_ there: String, _ asked: String) throws {
    let target = try Target()
    _ = try target.ask("POST", nil, "{\"id\":\"\(there)\"}")
    #expect(try target.ask("PATCH", asked, #"{"text":"tea"}"#).status == 404)
    #expect(try target.ask("DELETE", asked).status == 404)
    #expect(try target.ask("POST", nil, "{\"id\":\"\(asked)\"}").status == 201)
    #expect(try target.ask("GET", there).body.contains(#""text":null"#))
  }

  @Test func idsInAnotherCaseAreOtherItemsToSomeServices() throws {
    let target = try Target()
    _ = try target.ask("POST", nil, #"{"id":"a1"}"#)
    #expect(try target.ask("GET", "A1").status == 200)
    target.habits.tellsCaseTwinsApart = true
    #expect(try target.ask("GET", "A1").status == 404)
    #expect(try target.ask("POST", nil, #"{"id":"A1"}"#).status == 201)
    #expect(try target.ask("DELETE", "A1").status == 204)
    #expect(try target.ask("GET", "a1").status == 200)
  }

  @Test func patchMergesAndPutReplaces() throws {
    let target = try Target()
    _ = try target.ask("POST", nil, #"{"id":"a1","text":"milk","count":2}"#)
    #expect(
      try target.ask("PATCH", "a1", #"{"count":3}"#).body.contains(#""text":"milk","count":3"#))
    #expect(
      try target.ask("PUT", "a1", #"{"id":"a1","count":4}"#).body.contains(
        #""text":null,"count":4"#))
  }

  /// A service makes the default of its type of what an item lacks, be that null or zero.
  @Test func whatAnItemLeavesOutGetsItsDefault() throws {
    let target = try Target()
    let leftOut = [
      JSONObject.Member(key: "COUNT", value: .number(JSONNumber(0))),
      JSONObject.Member(key: "nowhere", value: .number(JSONNumber(0))),
      JSONObject.Member(key: "deleted", value: .boolean(true)),
      JSONObject.Member(key: "due", value: .number(JSONNumber(0))),
    ]
    let made = try target.ask(
      "POST", nil, #"{"id":"a1","text":"milk"}"#, isVersion3: true, leftOut: leftOut)
    #expect(made.body.contains(#""text":"milk","count":0,"due":null"#), "\(made.body)")
    _ = try target.ask("PATCH", "a1", #"{"count":5,"due":"2024-05-01T10:20:30Z"}"#)
    let changed = try target.ask(
      "PUT", "a1", #"{"id":"a1"}"#, isVersion3: true, leftOut: leftOut)
    #expect(changed.body.contains(#""text":null,"count":0,"due":null"#), "\(changed.body)")
    let sent = try target.ask("PUT", "a1", #"{"count":7}"#, isVersion3: true, leftOut: leftOut)
    #expect(sent.body.contains(#""count":7"#), "\(sent.body)")
  }

  @Test func conditionMustHold() throws {
    let target = try Target()
    let first = try target.ask("POST", nil, #"{"id":"a1","text":"milk"}"#).version
    let second = try target.ask("PATCH", "a1", #"{"text":"tea"}"#, condition: first)
    #expect(second.status == 200 && second.version != first)
    let refused = try target.ask("PATCH", "a1", #"{"text":"rum"}"#, condition: first)
    #expect(refused.status == 412 && refused.version == second.version)
    #expect(refused.body.contains(#""text":"tea""#))
    #expect(try target.ask("DELETE", "a1", condition: first).status == 412)
    #expect(try target.ask("DELETE", "a1", condition: second.version).status == 204)
  }

  @Test func deletedItemIsMarkedWhereThereIsAColumn() throws {
    let target = try Target()
    _ = try target.ask("POST", nil, #"{"id":"a1"}"#)
    #expect(try target.ask("DELETE", "a1").status == 204)
    #expect(try target.ask("GET", "a1").status == 404)
    #expect(try target.ask("GET", "a1", isVersion3: true).status == 410)
    #expect(try target.ask("GET", "a1", includesDeleted: true).body.contains(#""deleted":true"#))
    #expect(try target.ask("POST", nil, #"{"id":"a1"}"#).status == 409)
    #expect(try target.ask("POST", "a1").status == 200)
    #expect(try target.ask("GET", "a1").status == 200)
  }

  @Test func deletedItemGoesWhereThereIsNone() throws {
    let target = try Target(hasDeleted: false)
    _ = try target.ask("POST", nil, #"{"id":"a1"}"#)
    #expect(try target.ask("DELETE", "a1").status == 204)
    #expect(try target.ask("DELETE", "a1").status == 404)
    #expect(try target.ask("POST", nil, #"{"id":"a1"}"#).status == 201)
  }

  @Test(
    arguments: [
      ("{\"id\":\"a1\",\"nose\":1}", 400), ("{\"id\":\"a1\",\"nose\":null}", 201),
      ("{\"id\":\"a1\",\"count\":\"1\"}", 400), ("{\"id\":\"a1\",\"count\":1.0}", 201),
      ("{\"id\":\"a1\",\"due\":\"soon\"}", 400), ("{\"text\":\"x\"}", 400), ("[1]", 400), ("", 400),
    ])
  func whatHasNoPlaceIsRefused(_ body: String, _ status: Int) throws {
    #expect(try Target().ask("POST", nil, body).status == status)
  }

  @Test func tableGrowsAsThoseWithADynamicSchemaDo() throws {
    let target = try Target()
    target.habits.growsTables = true
    _ = try target.ask("POST", nil, #"{"id":"a1","count":2}"#)
    let made = try target.ask(
      "POST", nil, #"{"id":"a2","count":1.5,"nose":"long","flag":true,"list":[1],"none":null}"#)
    #expect(made.status == 201)
    #expect(made.body.contains(#""count":1.5"#) && made.body.contains(#""nose":"long""#))
    #expect(made.body.contains(#""flag":true,"list":[1]}"#))
    #expect(!made.body.contains("none"))
    #expect(try target.ask("GET", "a1").body.contains(#""count":2.0"#))
    // A payload in the form of a row brings the key that it had on its device.
    #expect(try target.ask("POST", nil, #"{"id":"a4","_pk":1}"#).status == 201)
    #expect(try target.ask("POST", nil, #"{"id":"a3","count":"1"}"#).status == 400)
  }

  @Test func deletedItemGoesWhereItIsAskedFor() throws {
    let target = try Target()
    target.habits.removesDeleted = true
    _ = try target.ask("POST", nil, #"{"id":"a1"}"#)
    #expect(try target.ask("DELETE", "a1").status == 204)
    #expect(try target.ask("GET", "a1", includesDeleted: true).status == 404)
  }

  /// Names that differ only in letter case are told apart as soon as there are two of them.
  @Test func twinsAreTwoFields() throws {
    let target = try Target()
    target.catalogue.tables[0].columns.append(
      Column(name: "Text_2", sourceName: "Text", type: .text))
    let table = target.catalogue.tables[0]
    let items = LocalItems(table, systemPrefix: "")
    let both = try #require(object(#"{"Text":"a","text":"b"}"#))
    #expect(try items.fields(both) == [1: text("b"), 7: text("a")])
    var values = [RawValue?](repeating: nil, count: table.columns.count)
    for (place, value) in try items.fields(both) { values[place] = value }
    let shown = try #require(object(String(decoding: items.json(values), as: UTF8.self)))
    #expect(shown["Text"] == .string("a") && shown["text"] == .string("b"))
    // Where there is but one of them, it does not take the value of the other.
    let single = LocalItems(Table(name: "T", columns: [table.columns[1]]), systemPrefix: "")
    #expect(throws: LocalItems.Refusal.self) { try single.fields(both) }
    let alone = try #require(object(#"{"TEXT":"c"}"#))
    #expect(try single.fields(alone) == [0: text("c")])
  }

  /// A version that is the app's own has to have a column, whatever the service speaks.
  @Test func onlyWhatIsTheSDKsNeedsNoColumn() throws {
    let table = Table(name: "T", columns: [Column(name: "text", type: .text)])
    let item = try #require(object(#"{"text":"a","version":"7"}"#))
    let own = LocalItems(table, systemPrefix: "")
    #expect(throws: LocalItems.Refusal.self) { try own.fields(item) }
    #expect(own.needs(of: item).count == 0)
    let ofSDK = LocalItems(table, systemPrefix: "", sdkMembers: ["version"])
    #expect(try ofSDK.fields(item) == [0: text("a")])
  }

  private func object(_ text: String) -> JSONObject? { JSONObject(parsing: Array(text.utf8).span) }

  private func text(_ text: String) -> RawValue? { .text(Array(text.utf8)) }

  @Test func tableWithoutIDsIsToldAsThat() throws {
    let target = try Target()
    target.catalogue.tables[0].columns.removeFirst()
    let answer = try target.ask("GET", "a")
    #expect(answer.status == 404 && answer.body.contains("no column with the ids"))
  }

  @Test func tableIsThereWhereItsItemsAreAskedFor() throws {
    #expect(try Target().ask("GET").body == "[]")
    #expect(try Target().ask("GET", isVersion3: true).body == #"{"items":[]}"#)
    #expect(try Target().ask("GET", table: "None").status == 404)
  }

  /// A target with tables told as `Name/SourceName`.
  private func target(_ tables: String...) throws -> Target {
    let target = try Target()
    target.catalogue.tables = tables.map { told in
      let names = told.split(separator: "/").map(String.init)
      return Table(
        name: names[0], sourceName: names[1],
        columns: [Column(name: "id", type: .text, role: .id)])
    }
    return target
  }

  /// The table of a target that a request is about; nil where there is none.
  private func table(asked name: String, in target: Target) throws -> String? {
    // The service refuses a member that the table does not have, and says what the table is called.
    let answer = try target.ask("POST", nil, #"{"id":"a","other":1}"#, table: name)
    guard answer.status == 400 else { return nil }
    return answer.body.split(separator: " ").dropFirst(2).first.map(String.init)
  }

  /// The app's own name goes before the one that a twin got here, and before every other letter case.
  @Test(arguments: [
    ("game", "game"), ("Game", "Game_2"), ("Game_2", "Game_2"), ("GAME", nil), ("game_2", nil),
  ])
  func twinIsFoundByItsOwnName(_ asked: String, _ found: String?) throws {
    for isExact in [true, false] {
      let target = try target("game/game", "Game_2/Game")
      target.hasExactNames = isExact
      let expected = asked == "game_2" && !isExact ? "Game_2" : found
      #expect(try table(asked: asked, in: target) == expected)
    }
  }

  /// What only the source calls so does not count beside a table of the name.
  @Test func nameGoesBeforeThatOfTheSource() throws {
    let target = try target("Item/Item", "Tasks/item", "Notes/Memo")
    #expect(try table(asked: "ITEM", in: target) == "Item")
    #expect(try table(asked: "MEMO", in: target) == "Notes")
  }

  @Test func otherLetterCaseIsAnotherTableToSomeServices() throws {
    let target = try target("game/game")
    #expect(try table(asked: "Game", in: target) == "game")
    target.hasExactNames = true
    #expect(try table(asked: "Game", in: target) == nil)
    #expect(try table(asked: "game", in: target) == "game")
  }

  /// What the queue calls a table counts only where the target does not know the app's name.
  @Test func tableOfTheQueueIsFoundByBothNames() throws {
    let twins = try target("Game/Game", "game_2/game", "app_rehome_x/app_rehome_x")
    twins.hasExactNames = true
    twins.renamedTables = [
      .init(name: "Game_2", appName: "Game"), .init(name: "app_rehome_x", appName: "rehome_x"),
    ]
    for (asked, found) in [
      ("Game_2", "Game"), ("Game", "Game"), ("game", "game_2"), ("app_rehome_x", "app_rehome_x"),
      ("rehome_x", "app_rehome_x"),
    ] {
      #expect(try table(asked: asked, in: twins) == found, "\(asked)")
    }
    let plain = try target("game/game", "Game_2/Game_2")
    plain.hasExactNames = true
    plain.renamedTables = twins.renamedTables
    #expect(try table(asked: "Game", in: plain) == "Game_2")
  }

  @Test func fieldInAnotherLetterCaseIsAnotherToSomeServices() throws {
    let target = try Target()
    #expect(try target.ask("POST", nil, #"{"id":"a","TEXT":"x"}"#).status == 201)
    target.hasExactNames = true
    #expect(try target.ask("POST", nil, #"{"id":"b","TEXT":"x"}"#).status == 400)
    #expect(try target.ask("POST", nil, #"{"id":"b","text":"x"}"#).status == 201)
  }

  @Test func unknownTableIsMissing() throws {
    #expect(try Target().ask("POST", nil, "{}", table: "None").status == 404)
    #expect(try Target().ask("POST", nil, #"{"id":"a"}"#, table: "todo").status == 201)
  }
}
