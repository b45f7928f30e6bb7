import Formats
import TestSupport
import Testing

struct JSONValueTests {
  @Test(arguments: Fixture.all(in: "json/accept", extension: "json"))
  func acceptedDocumentSurvivesWritingAndReading(_ fixture: Fixture) throws {
    let value = try parse(fixture.bytes())
    #expect(try parse(json(value)) == value)
  }

  @Test(arguments: Fixture.all(in: "json/reject", extension: "json"))
  func rejectedDocumentGivesItsCode(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let error = #expect(throws: FormatError.self) { try parse(bytes) }
    #expect(error?.code == fixture.expectedCode)
    #expect((0...bytes.count).contains(error?.offset ?? -1))
  }

  @Test(arguments: [
    (#"{"a":1,}"#, 7), ("[1 2]", 3), (#"["a\x"]"#, 3), (#"["\ud800"]"#, 2), ("[01]", 1),
    ("{} x", 3),
    (#"[{"k":1,"k":2}]"#, 1), ("[\"\u{1}\"]", 2), ("[", 1),
  ])
  func errorNamesThePlace(text: String, offset: Int) {
    let error = #expect(throws: FormatError.self) { try parse(text) }
    #expect(error?.offset == offset)
  }

  @Test(arguments: [1, 7, 8, 9, 40])
  func membersAreFoundByKeyAtAnyCount(count: Int) throws {
    let keys = (0..<count).map { "key\(($0 * 7) % count)" }
    let text = "{" + Set(keys).sorted().map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}"
    guard case .object(let object) = try parse(text) else { throw WrongKind() }
    for key in keys { #expect(object[key] == .string(key)) }
    #expect(object["other"] == nil)
    #expect(object[""] == nil)
  }

  @Test func keyIsNotFoundByAnEquivalentSpelling() throws {
    guard case .object(let object) = try parse(#"{"\u00e9":1}"#) else { throw WrongKind() }
    #expect(object["\u{E9}"] != nil)
    #expect(object["e\u{301}"] == nil)
  }

  @Test func equivalentSpellingsOfTextAreNotEqual() {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.string("\u{E9}") == .string("\u{E9}"))
  }

  @Test(arguments: [3, 12])
  func settingReplacesAppendsAndRemoves(count: Int) {
    var object = JSONObject()
    for index in 0..<count { object["k\(index)"] = .number(JSONNumber(index)) }
    object["k1"] = .null
    object["k0"] = nil
    #expect(object["k0"] == nil)
    #expect(object["k1"] == .null)
    #expect(object["k\(count - 1)"] == .number(JSONNumber(count - 1)))
    #expect(object.members.map(\.key) == (1..<count).map { "k\($0)" })
  }

  @Test(arguments: [2, 20])
  func objectRefusesARepeatedKey(count: Int) {
    let members = (0..<count).map { JSONObject.Member(key: "k\($0)", value: .null) }
    #expect(JSONObject(members) != nil)
    #expect(JSONObject(members + [.init(key: "k1", value: .null)]) == nil)
  }

  @Test func objectWithVeryManyMembersIsNotQuadratic() throws {
    let clock = ThreadClock()
    let members = (0..<50_000).map { "\"member number \($0)\":\($0)" }
    guard case .object(let object) = try parse("{" + members.joined(separator: ",") + "}") else {
      throw WrongKind()
    }
    #expect(object["member number 49999"] == .number(JSONNumber(49_999)))
    #expect(clock.seconds < 60)
  }

  @Test func limitsHoldForDepthNumberAndLength() throws {
    let limits = FormatLimits(maxDepth: 2, maxObjects: 4, maxBytes: 20)
    #expect(try parse("[[1,2]]", limits: limits) != .null)
    for text in ["[[[]]]", "[1,2,3,4]", "[\"aaaaaaaaaaaaaaaaaaaaaaa\"]"] {
      let error = #expect(throws: FormatError.self) {
        try parse(text, limits: limits)
      }
      #expect(error?.code == .limit)
    }
  }

  @Test(arguments: ["[", "{\"a\":"])
  func deepestDocumentFitsASmallStack(opening: String) throws {
    let closing = opening == "[" ? "]" : "}"
    let text =
      String(repeating: opening, count: 512) + (opening == "[" ? "" : "1")
      + String(repeating: closing, count: 512)
    let bytes = Array(text.utf8)
    onSmallStack {
      // Parsing, comparing, writing and releasing must all fit.
      let left = try? parse(bytes)
      let right = try? parse(bytes)
      #expect(left != nil)
      #expect(left == right)
      #expect(left.map(json) == bytes)
    }
  }

  @Test func cuttingADocumentAnywhereIsNeverAccepted() throws {
    let bytes = Array(#"{"a\n":[1.5e3,true,null,"\ud83d\ude00é"],"b":{"c":-0}}"#.utf8)
    for end in bytes.indices {
      let part = Array(bytes[..<end])
      #expect(throws: FormatError.self) { try parse(part) }
    }
  }
}

/// A value had another kind than the test is about.
struct WrongKind: Error {}

func parse(_ text: String, limits: FormatLimits = .standard) throws -> JSONValue {
  try parse(Array(text.utf8), limits: limits)
}

func parse(_ bytes: [UInt8], limits: FormatLimits = .standard) throws -> JSONValue {
  try JSONValue(parsing: bytes.span, limits: limits)
}

func json(_ value: JSONValue) -> [UInt8] {
  var output: [UInt8] = []
  value.append(to: &output)
  return output
}
