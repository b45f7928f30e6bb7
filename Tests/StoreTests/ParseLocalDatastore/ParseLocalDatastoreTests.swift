import Formats
import TestSupport
import Testing

@testable import Records
@testable import SyncSDKs

struct ParseLocalDatastoreTests {
  @Test func tableOfTheAppsOwnIsTold() throws {
    let own = """
      CREATE TABLE mine (x); INSERT INTO mine VALUES (1); CREATE TABLE empty (x);
      INSERT INTO android_metadata VALUES ('en');
      """
    let reader = try SQLStore(WorkedExamples.parse + own).reader()
    let told = reader.findings.filter { $0.code == "table-left-out" }
    #expect(told.map(\.table) == ["mine"])
  }

  @Test func changesAreAppliedAndTheSetIsThePayload() throws {
    let reader = try SQLStore(WorkedExamples.parse).reader()
    #expect(reader.catalogue.tables.map(\.name) == ["Game"])
    let read = try #require(try reader.read("Game"))
    #expect(read.table.types["score"] == .integer)
    #expect(read.values("score") == ["15"])
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.kind) == [.update])
    #expect(queue.operations.map(\.itemID) == ["u1u1u1u1u1"])
    #expect(queue.operations.map(\.originalID) == ["e-1"])
    #expect(queue.operations.map(\.rowKey) == [1])
    #expect(
      queue.operations.map(\.raw) == [
        .text(
          Array(
            #"{"score":{"__op":"Increment","amount":5},"__uuid":"s-1","__isSaveEventually":true}"#
              .utf8))
      ])
    #expect(queue.findings.map(\.code) == ["secret-withheld"])
  }

  /// A command in the queue may hold what lets others in, as one in a file may.
  @Test(arguments: [
    #"{"httpPath":"users/u1","httpMethod":"PUT","parameters":{"password":"S-1","authData":"#
      + #"{"fb":"S-2"},"sessionToken":"S-3","email":"kept"},"sessionToken":"S-4"}"#,
    #"{"httpPath":"login?username=kept&password=S-1","httpMethod":"GET"}"#,
    #"{"httpPath":"installations","parameters":{"installationId":"S-1","a":"kept"}}"#,
    #"{"httpPath":"classes/_User/u1","parameters":{"authData":{"fb":"S-1"},"a":"kept"}}"#,
  ])
  func commandKeepsNoSecret(_ command: String) throws {
    let sql = WorkedExamples.parse.replacing(
      #""type":1,"#, with: #""type":3,"command":\#(command),"#)
    let queue = try SQLStore(sql).reader().readQueue()
    let operation = try #require(queue.operations.first { $0.originalCode == "3" })
    let kept = String(
      decoding: (operation.raw?.bytes ?? []) + (operation.item ?? []), as: UTF8.self)
    #expect(!kept.isEmpty && !kept.contains("S-"), "\(kept)")
    #expect(kept.contains("kept") || command.contains("login?"), "\(kept)")
    #expect(queue.findings.contains { $0.code == "secret-withheld" })
  }

  @Test(arguments: [
    (#"{"__op":"Delete"}"#, nil), ("7", "7"), (#"{"__op":"Increment","amount":0.5}"#, "10.5"),
    (#"{"__op":"Increment","amount":9223372036854775807}"#, "9.223372036854776e+18"),
  ])
  func changeHasItsEffect(change: String, value: String?) throws {
    let sql = WorkedExamples.parse.replacing(
      #"{"__op":"Increment","amount":5}"#, with: change)
    let read = try #require(try SQLStore(sql).reader().read("Game"))
    if value == nil { #expect(read.table.types["score"] == nil) }
    if let value { #expect(read.values("score") == [value]) }
  }

  @Test(arguments: [
    (
      #"{"__op":"AddUnique","objects":[2.0,"a","a",{"y":1.0,"x":[null]},true]}"#,
      #"[1,2,{"x":[null],"y":1},"a",true]"#
    ),
    (#"{"__op":"Add","objects":[2,2]}"#, #"[1,2,{"x":[null],"y":1},2,2]"#),
    (#"{"__op":"Remove","objects":[1.0,{"y":1,"x":[null]}]}"#, "[2]"),
  ])
  func elementsAreToldApartByWhatTheyAre(change: String, value: String) throws {
    let sql = WorkedExamples.parse.replacing(
      #"{"__op":"Increment","amount":5}"#,
      with: #"[1,2,{"x":[null],"y":1}],"__uuid":"s-0"},{"score":"# + change)
    let read = try #require(try SQLStore(sql).reader().read("Game"))
    #expect(read.values("score") == [value])
  }

  @Test(arguments: ["AddUnique", "Remove"])
  func manyElementsAreNotComparedOneByOne(change: String) throws {
    let clock = ThreadClock()
    let objects = (0..<100_000).map(String.init).joined(separator: ",")
    let sql = WorkedExamples.parse.replacing(
      #"{"__op":"Increment","amount":5}"#,
      with: #"[-1,\#(objects)],"__uuid":"s-0"},"#
        + #"{"score":{"__op":"\#(change)","objects":[\#(objects)]}"#)
    let read = try #require(try SQLStore(sql).reader().read("Game"))
    #expect(read.values("score").first??.hasPrefix("[-1") == true)
    #expect(clock.seconds < 60)
  }

  @Test func wholeNumberBeyondAllTypesKeepsItsDigits() throws {
    let sql =
      WorkedExamples.parse
      + #"INSERT INTO ParseObjects VALUES ('u9', 'Big', 'o9', '{"n":18446744073709551617}', 0);"#
    let read = try #require(try SQLStore(sql).reader().read("Big"))
    #expect(read.table.types["n"] == .json)
    #expect(read.values("n") == ["18446744073709551617"])
  }

  @Test func whatIsNoNameAndNoMarkIsRejected() throws {
    let sql =
      WorkedExamples.parse
      + "INSERT INTO ParseObjects VALUES (x'01', 'Odd', 'o9', '{}', 'abc'), ('v', x'02', 'o8', '{}', 0);"
    let reader = try SQLStore(sql).reader()
    let read = try #require(try reader.read("Odd"))
    #expect(read.rejects.map(\.column) == ["_uuid", "deleted"])
    #expect(read.rejects.map(\.raw) == [.binary([1]), .text(Array("abc".utf8))])
    let told = reader.findings.first { $0.code == "value-of-wrong-type" }
    #expect(told?.itemID == "o8")
  }

  /// Commands on several objects in turn, more than are kept at once, each with sets of its own.
  @Test func everyCommandFindsItsSet() throws {
    let (objects, rounds) = (20, 3)
    var sql = WorkedExamples.parse
    func set(_ object: Int, _ round: Int) -> String {
      #"{"n":\#(100 * round + object),"__uuid":"t\#(object)-\#(round)","__isSaveEventually":true}"#
    }
    for object in 0..<objects {
      let sets = (0..<rounds).map { set(object, $0) }.joined(separator: ",")
      sql +=
        "INSERT INTO ParseObjects VALUES ('m\(object)', 'Many', 'o\(object)', "
        + #"'{"__operations":[\#(sets)]}', 0);"#
    }
    for command in 0..<objects * rounds {
      let (object, round) = (command % objects, command / objects)
      let minute = command < 10 ? "0\(command)" : "\(command)"
      sql +=
        "INSERT INTO ParseObjects VALUES ('c\(command)', '_EventuallyPin', NULL, "
        + #"'{"type":1,"uuid":"e\#(command)","operationSetUUID":"t\#(object)-\#(round)","#
        + #""time":{"__type":"Date","iso":"2017-01-01T00:\#(minute):00.000Z"},"#
        + #""object":{"__type":"Pointer","className":"Many","objectId":"o\#(object)"}}', 0);"#
    }
    let queue = try SQLStore(sql).reader().readQueue()
    let operations = queue.operations.filter { $0.table == "Many" }
    let expected = (0..<objects * rounds).map { set($0 % objects, $0 / objects) }
    #expect(operations.map(\.raw) == expected.map { .text(Array($0.utf8)) })
  }

  /// A document that is cut, or has a byte that is no text, may hold changes, of which nobody knows.
  @Test(arguments: ["'{\"n\":7,\"__operations\":[{\"n\":8'", "x'7B226E223A22FF227D'", "''"])
  func documentsThatCannotBeReadMayHoldChanges(_ document: String) throws {
    let sound = try SQLStore(WorkedExamples.parse).reader()
    #expect(!sound.findings.contains { $0.code == "queue-not-read" })
    for id in ["NULL", "'o9'"] {
      let reader = try SQLStore(
        WorkedExamples.parse
          + "INSERT INTO ParseObjects VALUES ('u9', 'Odd', \(id), \(document), 0);"
      ).reader()
      #expect(try reader.readQueue().operations.allSatisfy { $0.table != "Odd" })
      let told = reader.findings.filter { $0.code == "queue-not-read" }
      #expect(told.map(\.table) == ["Odd"] && told.map(\.severity) == [.error])
    }
  }

  /// Changes that are no list are an operation that nobody can decode.
  @Test(arguments: [#"{"x":{"name":"y"}}"#, #""text""#, "5"])
  func setsThatAreNoListAreKept(sets: String) throws {
    let sql =
      WorkedExamples.parse
      + #"INSERT INTO ParseObjects VALUES ('u9', 'Odd', 'o9', '{"__operations":\#(sets)}', 0);"#
    let queue = try SQLStore(sql).reader().readQueue()
    let operation = try #require(queue.operations.last)
    #expect(operation.kind == nil && operation.itemID == "o9")
    #expect(operation.raw == .text(Array(sets.utf8)))
    let secret = sql.replacing("'Odd'", with: "'_User'")
    #expect(try SQLStore(secret).reader().readQueue().operations.last?.raw == nil)
  }

  /// What two changes of one field come to.
  @Test(arguments: [
    ("1", #"{"__op":"Increment","amount":2}"#, "3"), (#""x""#, "null", "null"),
    (
      #"{"__op":"Increment","amount":1}"#, #"{"__op":"Increment","amount":2}"#,
      #"{"__op":"Increment","amount":3}"#
    ),
    (
      #"{"__op":"Add","objects":[1]}"#, #"{"__op":"Add","objects":[2]}"#,
      #"{"__op":"Add","objects":[1,2]}"#
    ),
    ("[1]", #"{"__op":"Remove","objects":[1]}"#, "[]"),
    (#"{"__op":"Delete"}"#, #"{"__op":"Increment","amount":2}"#, "2"),
    ("1", #"{"__op":"Delete"}"#, #"{"__op":"Delete"}"#),
    (
      #"{"__op":"Remove","objects":[1,2]}"#, #"{"__op":"Remove","objects":[2,3]}"#,
      #"{"__op":"Remove","objects":[1,2,3]}"#
    ),
    (
      #"{"__op":"AddRelation","objects":[1]}"#, #"{"__op":"RemoveRelation","objects":[2]}"#,
      #"{"__op":"Batch","ops":[{"__op":"AddRelation","objects":[1]},"#
        + #"{"__op":"RemoveRelation","objects":[2]}]}"#
    ),
    (
      #"{"__op":"Batch","ops":[{"__op":"AddRelation","objects":[1]}]}"#,
      #"{"__op":"AddRelation","objects":[2]}"#,
      #"{"__op":"Batch","ops":[{"__op":"AddRelation","objects":[1]},"#
        + #"{"__op":"AddRelation","objects":[2]}]}"#
    ),
  ])
  func changesOfAFieldAreJoined(first: String, second: String, both: String) {
    let sets = [#"{"a":true,"n":\#(first)}"#, #"{"n":\#(second)}"#].map { Array($0.utf8) }
    #expect(text(joinedChanges(sets)) == #"{"a":true,"n":\#(both)}"#)
  }

  @Test func saveWithoutItsSetIsTold() throws {
    let sql = WorkedExamples.parse.replacing(
      #""operationSetUUID":"s-1""#, with: #""operationSetUUID":"s-9""#)
    let queue = try SQLStore(sql).reader().readQueue()
    #expect(queue.operations.map(\.kind) == [.update, .update])
    #expect(queue.operations.map(\.raw?.isEmpty) == [nil, false])
    #expect(
      queue.findings.map(\.code) == [
        "operation-set-missing", "operation-never-pushed", "secret-withheld",
      ])
  }

  /// Looking for each command in each pin would be hundreds of millions of statements.
  @Test func manyPinsAndCommandsTakeNoLongerThanTheyAre() throws {
    let clock = ThreadClock()
    let count = 30_000
    let reader = try SQLStore(
      WorkedExamples.parse + """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO ParseObjects SELECT 'pin' || i, '_Pin', NULL,
          '{"className":"_Pin","__operations":[{"_name":"_eventuallyPin"}]}', 0 FROM n
        UNION ALL SELECT 'command' || i, '_EventuallyPin', NULL,
          '{"className":"_EventuallyPin","__operations":[{"uuid":"e' || i || '","type":4}]}', 0 FROM n;
        INSERT INTO Dependencies SELECT uuid, 'command' || (rowid % \(count)) FROM ParseObjects
        WHERE uuid LIKE 'pin%' AND rowid % 3 > 0;
        """
    ).reader()
    let queue = try reader.readQueue()
    #expect(queue.operations.count == count + 1)
    let lost = queue.findings.filter { $0.code == "operation-never-pushed" }
    #expect(lost.reduce(0) { $0 + $1.count } == count / 3)
    #expect(clock.seconds < 60)
  }

  /// A list must not be copied for each element that is added to it.
  @Test func longListsGrowElementByElement() throws {
    let clock = ThreadClock()
    let count = 60_000
    let sets = (0..<count).map { Array(#"{"n":{"__op":"Add","objects":[\#($0)]}}"#.utf8) }
    let joined = try #require(joinedChanges(sets))
    let numbers = (0..<count).map(String.init).joined(separator: ",")
    #expect(text(joined) == #"{"n":{"__op":"Add","objects":[\#(numbers)]}}"#)
    var value: JSONValue?
    for number in 0..<count {
      ParseChange.add([.number(JSONNumber(number))], unique: false).apply(to: &value)
    }
    #expect(value?.json == Array("[\(numbers)]".utf8))
    #expect(clock.seconds < 20)
  }

  private func object(_ json: String) -> JSONObject? {
    let bytes = Array(json.utf8)
    return JSONObject(parsing: bytes.span)
  }

  private func change(_ json: String) -> ParseChange? {
    object(json).flatMap { ParseChange(.object($0)) }
  }

  /// Neither may a list be gone through for each change of it.
  @Test(arguments: [
    ("AddUnique", #""AddUnique","objects":[ALL]"#, "[ALL]"),
    ("Remove", #""Remove","objects":[ALL]"#, "[]"),
    (
      "AddRelation", #""Batch","ops":[RELATIONS]"#,
      #"{"__type":"Relation","className":null,"objects":[ALL]}"#
    ),
  ])
  func manyChangesOfOneListTakeTimeByThemselves(word: String, joined: String, value: String) throws
  {
    let clock = ThreadClock()
    let count = 8_000
    let change = { (number: Int) in #"{"__op":"\#(word)","objects":[\#(number)]}"# }
    let sets = (0..<count).map { Array(#"{"n":\#(change($0))}"#.utf8) }
    let all = (0..<count).map(String.init).joined(separator: ",")
    let filled = { (form: String) in
      form.replacing("ALL", with: all)
        .replacing("RELATIONS", with: (0..<count).map(change).joined(separator: ","))
    }
    #expect(text(joinedChanges(sets)) == #"{"n":{"__op":\#(filled(joined))}}"#)
    let before = word == "Remove" ? #"{"n":[\#(all)]}"# : "{}"
    var fields = ChangingFields(object(before) ?? JSONObject())
    for number in 0..<count {
      fields.apply(try #require(self.change(change(number))), to: "n")
    }
    #expect(text(fields.finished().json) == #"{"n":\#(filled(value))}"#)
    #expect(clock.seconds < 20)
  }

  /// A change that does not fit a list has no index made anew.
  @Test func changesThatDoNotFitAListTakeNoTime() throws {
    let clock = ThreadClock()
    let count = 8_000
    let all = (0..<count * 2).map(String.init).joined(separator: ",")
    var fields = ChangingFields(object(#"{"n":[\#(all)]}"#) ?? JSONObject())
    let increment = try #require(change(#"{"__op":"Increment","amount":1}"#))
    for number in 0..<count {
      fields.apply(increment, to: "n")
      fields.apply(try #require(change(#"{"__op":"AddUnique","objects":[\#(number)]}"#)), to: "n")
    }
    #expect(text(fields.finished().json) == #"{"n":[\#(all)]}"#)
    #expect(clock.seconds < 20)
  }

  /// A list, and whatever else its field becomes meanwhile.
  @Test(arguments: [
    (["Add [1,1,2]", "Remove [1]", "AddUnique [2,3,3]", "Add [3]", "Remove [3]"], #"{"n":[2]}"#),
    (["AddUnique [1]", "Increment", "Add [2]"], #"{"n":[1,2]}"#),
    (["Add [1]", "Delete", "Remove [1]"], #"{"n":[]}"#),
    (["Add [1]", "Delete"], "{}"),
    (
      ["AddRelation [1,2]", "Add [5]", "RemoveRelation [1]"],
      #"{"n":{"__type":"Relation","className":null,"objects":[2]}}"#
    ),
  ])
  func changesOfAListFollowEachOther(changes: [String], expected: String) throws {
    var fields = ChangingFields(JSONObject())
    for words in changes {
      let parts = words.split(separator: " ")
      let objects = parts.count > 1 ? #","objects":\#(parts[1])"# : #","amount":1"#
      let json = #"{"__op":"\#(parts[0])"\#(objects)}"#
      fields.apply(try #require(change(json)), to: "n")
    }
    #expect(text(fields.finished().json) == expected)
  }

  @Test(arguments: [
    "DROP TABLE Dependencies", "ALTER TABLE ParseObjects RENAME COLUMN json TO JSON2",
    "ALTER TABLE ParseObjects RENAME TO parseobjects2",
  ])
  func lookAlikeIsAnyOtherStore(_ change: String) throws {
    let store = try SQLStore(WorkedExamples.parse + change + ";")
    #expect(try store.reader().source.layout == .sqlite)
  }

  @Test func accessIsAlwaysAValue() throws {
    let sql = WorkedExamples.parse.replacing(
      #"{"score":{"__op":"Increment","amount":5}"#, with: #"{"ACL":{"__op":"Delete"},"score":1"#)
    let reader = try SQLStore(sql).reader()
    let read = try #require(try reader.read("Game"))
    #expect(read.values("ACL") == [#"{"__op":"Delete"}"#])
    #expect(try reader.readQueue().operations.map(\.kind) == [.update])
    let sets = [#"{"ACL":{"*":{}}}"#, #"{"ACL":{"__op":"Delete"}}"#].map { Array($0.utf8) }
    #expect(joinedChanges(sets) == sets[1])
  }

  @Test func namesThatGaveWayAreTold() throws {
    let sql =
      WorkedExamples.parse + """
        INSERT INTO ParseObjects VALUES ('v1', 'game', 'o8', '{"a":1,"A":2}', 0),
          ('v2', 'rehome_x', 'o9', '{"_pk":1}', 0);
        """
    let told = try SQLStore(sql).reader().findings.filter { $0.code == "name-changed" }
    #expect(told.map(\.table) == ["game_2", "game_2", "app_rehome_x", "app_rehome_x"])
    #expect(told.map(\.message).contains("the column _pk of app_rehome_x is called _pk_ here"))
  }
}

extension RawValue {
  fileprivate var isEmpty: Bool {
    switch self {
    case .text(let bytes), .binary(let bytes): bytes.isEmpty
    case .integer, .real: false
    }
  }
}
