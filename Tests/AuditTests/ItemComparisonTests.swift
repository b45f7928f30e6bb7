import Bytes
import Testing

@testable import Audit

struct ItemComparisonTests {
  @Test(arguments: [
    (#"{"done":1}"#, #"{"done":true}"#), (#"{"done":false}"#, #"{"done":0}"#),
    (#"{"n":1}"#, #"{"n":1.0}"#), (#"{"__version":"A"}"#, #"{"version":"A"}"#),
    (#"{"t":"2016-10-03T06:30:00.250Z"}"#, #"{"t":"2016-10-03T06:30:00.25Z"}"#),
    (#"{"_pk":7}"#, "{}"), (#"{"text":null}"#, "{}"), ("{}", #"{"deleted":false}"#),
    (#"{"id":"AB"}"#, #"{"id":"ab"}"#), (#"{"isdone":1}"#, #"{"isDone":true}"#),
    (#"{"TEXT":"a"}"#, #"{"text":"a"}"#), (#"{"a":1,"A":2}"#, #"{"A":2,"a":1}"#),
    (#"{"tags":"[\"a\", 1]"}"#, #"{"tags":["a",1.0]}"#),
    (#"{"meta":"{\"k\": [1], \"l\": null}"}"#, #"{"meta":{"l":null,"k":[1]}}"#),
    (#"{"price":"12.50"}"#, #"{"Price":12.5}"#), (#"{"price":"12.5"}"#, #"{"price":"12.5"}"#),
    (
      #"{"u":"6F9619FF-8B86-D011-B42D-00C04FC964FF"}"#,
      #"{"u":"6f9619ff-8b86-d011-b42d-00c04fc964ff"}"#
    ),
    (#"{"t":"2016-10-03T06:30:00.250Z"}"#, #"{"t":"2016-10-03T08:30:00.2509+02:00"}"#),
    // A service that leaves out default values.
    (#"{"id":"a","done":false,"n":0,"text":"","real":0.0}"#, #"{"id":"a"}"#),
  ])
  func spellingsOfOneValueAreEqual(device: String, server: String) {
    #expect(fields(device, server) == [])
  }

  @Test(arguments: [
    (#"{"text":"mine"}"#, #"{"text":"theirs"}"#, ["text"]),
    (#"{"text":""}"#, #"{"text":null}"#, ["text"]), (#"{"a":1}"#, #"{"b":2}"#, ["a", "b"]),
    (#"{"n":9007199254740993}"#, #"{"n":9007199254740992}"#, ["n"]),
    (#"{"text":"1"}"#, #"{"text":1}"#, ["text"]),
    (#"{"price":"12"}"#, #"{"price":12.5}"#, ["price"]),
    (#"{"price":"no"}"#, #"{"price":1}"#, ["price"]), (#"{"u":"AB"}"#, #"{"u":"ab"}"#, ["u"]),
    ("{\"text\":\"\u{E9}\"}", "{\"text\":\"e\u{301}\"}", ["text"]),
    ("{}", #"{"deleted":true}"#, ["deleted"]),
    // One that shows some leaves out none.
    (#"{"done":false,"n":0}"#, #"{"n":0}"#, ["done"]), (#"{"a":false}"#, #"{"b":""}"#, ["a", "b"]),
    (#"{"id":"a","done":true,"n":1}"#, #"{"id":"a"}"#, ["done", "n"]),
    (#"{"isdone":1}"#, #"{"isDone":false}"#, ["isdone"]),
    (#"{"text":"a"}"#, #"{"text":"a","Text":"b"}"#, ["Text"]),
    (#"{"tags":"[1]"}"#, #"{"tags":[2]}"#, ["tags"]),
    (#"{"tags":"no"}"#, #"{"tags":[]}"#, ["tags"]),
    (#"{"meta":"{\"k\":1}"}"#, #"{"meta":{"k":1,"l":2}}"#, ["meta"]),
  ])
  func otherValuesDiffer(device: String, server: String, expected: [String]) {
    #expect(fields(device, server) == expected)
  }

  /// What is spelled alike and is not the same shows of which kind it is.
  @Test(arguments: [
    (#"{"a":"5"}"#, #"{"a":5}"#, "\"5\"", "5"), (#"{"a":5}"#, #"{"a":"5"}"#, "5", "\"5\""),
    (#"{"a":{"b":1}}"#, #"{"a":"{\"b\":1}"}"#, #"{"b":1}"#, #""{\"b\":1}""#),
    (#"{"a":null}"#, #"{"a":"null"}"#, "null", "\"null\""),
    (#"{"a":"b"}"#, #"{"a":"c"}"#, "b", "c"), (#"{"a":"b"}"#, "{}", "b", "(missing)"),
  ])
  func kindsAreShown(_ device: String, _ server: String, _ left: String, _ right: String) throws {
    let differences = ItemComparison().differences(
      device: Array(device.utf8), server: Array(server.utf8))
    let difference = try #require(differences?.first)
    #expect(difference.deviceText == left && difference.serverText == right)
  }

  /// The copies of two devices may be of what each has changed.
  @Test func onlyAServerLeavesOutDefaultValues() {
    let copies = [#"{"done":false}"#, #"{"text":"a"}"#].map { Array($0.utf8) }
    let found = ItemComparison().differences(
      device: copies[0], server: copies[1], isOfServer: false)
    #expect(found?.map(\.field) == ["done", "text"])
  }

  @Test(arguments: ["", "[]", "7", "{"])
  func copyThatIsNoObjectCannotBeCompared(device: String) {
    #expect(fields(device, "{}") == nil)
  }

  private func fields(_ device: String, _ server: String) -> [String]? {
    ItemComparison(decimals: [ExactText("price")])
      .differences(device: Array(device.utf8), server: Array(server.utf8))?.map(\.field)
  }
}
