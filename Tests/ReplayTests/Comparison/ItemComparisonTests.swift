import Formats
import Records
import Testing

@testable import Replay

struct ItemComparisonTests {
  /// Whatever answers with another item says nothing about this one.
  @Test(arguments: [
    (#"{"id":"a"}"#, true), (#"{"id":"A"}"#, true), (#"{"id":"b"}"#, false), ("{}", false),
    (#"{"id":null}"#, false), (#"{"id":"ab"}"#, false),
  ])
  func answerShowsTheItemOfTheID(_ body: String, isShown: Bool) {
    let answer = ReplayAnswer(status: 200, body: Array(body.utf8))
    #expect((ServerItem(answer, id: "a", .v2) != nil) == isShown)
  }

  @Test(arguments: [
    (#"{"text":"a"}"#, #"{"Text":"a","more":1}"#),
    (#"{"n":1}"#, #"{"n":1.0}"#),
    (#"{"n":1e2}"#, #"{"n":100}"#),
    (#"{"n":0.1}"#, #"{"n":0.10}"#),
    (#"{"b":true}"#, #"{"b":1}"#),
    (#"{"b":0}"#, #"{"b":false}"#),
    (#"{"a":null}"#, #"{}"#),
    (#"{"t":"2016-10-01T09:15:30.1239Z"}"#, #"{"t":"2016-10-01T09:15:30.123+00:00"}"#),
    (#"{"t":"2016-10-01T09:15:30.120Z"}"#, #"{"t":"2016-10-01T11:15:30.12+02:00"}"#),
    (#"{"t":"2016-10-01T09:15:30.9996Z"}"#, #"{"t":"2016-10-01T09:15:31Z"}"#),
    (#"{"o":{"a":[1,null]}}"#, #"{"o":{"A":[1.0,null]}}"#),
    (
      #"{"u":"6F9619FF-8B86-D011-B42D-00C04FC964FF"}"#,
      #"{"u":"6f9619ff-8b86-d011-b42d-00c04fc964ff"}"#
    ),
    (#"{"n":0,"b":false,"s":"","t":"a"}"#, #"{"t":"a"}"#),
    (#"{"version":"x","updatedAt":"y","createdAt":"z","deleted":true}"#, #"{}"#),
  ])
  func spellingDoesNotMatter(_ ours: String, _ theirs: String) throws {
    #expect(try isCarried(ours, by: theirs))
  }

  @Test(arguments: [
    (#"{"text":"a"}"#, #"{"text":"A"}"#),
    (#"{"text":"é"}"#, "{\"text\":\"e\\u0301\"}"),
    (#"{"text":"","b":false}"#, #"{"b":false}"#),
    (#"{"text":"","n":1}"#, #"{"n":1,"deleted":false}"#),
    (#"{"n":0}"#, #"{"n":null}"#),
    (#"{"n":0.5,"a":[],"o":{}}"#, #"{"n":0.5}"#),
    (#"{"o":{"a":0}}"#, #"{"o":{"b":1}}"#),
    (#"{"n":1}"#, #"{"n":"1"}"#),
    (#"{"n":9007199254740993}"#, #"{"n":9007199254740992}"#),
    (#"{"b":true}"#, #"{"b":2}"#),
    (#"{"b":false}"#, #"{"b":null}"#),
    (#"{"t":"2016-10-01T09:15:30.123Z"}"#, #"{"t":"2016-10-01T09:15:30.124Z"}"#),
    (#"{"o":{"a":1}}"#, #"{"o":{"a":1,"b":2}}"#),
    (#"{"o":[1,2]}"#, #"{"o":[1]}"#),
  ])
  func valuesMatter(_ ours: String, _ theirs: String) throws {
    #expect(try !isCarried(ours, by: theirs))
  }

  @Test(arguments: [
    (#"{"b":false}"#, "{}"), (#"{"b":false}"#, #"{"B":false}"#), (#"{"b":0}"#, #"{"b":false}"#),
    (#"{"b":false}"#, #"{"b":null}"#), (#"{"n":0}"#, #"{"n":0.0,"more":1}"#),
    (#"{"t":null}"#, #"{"t":""}"#), (#"{"t":null}"#, #"{"t":"0001-01-01T00:00:00.000Z"}"#),
    (#"{"t":null}"#, #"{"t":"0001-01-01T00:00:00+00:00"}"#), (#"{"t":0}"#, #"{"t":"00:00:00"}"#),
    (#"{"u":null}"#, #"{"u":"00000000-0000-0000-0000-000000000000"}"#),
  ])
  func defaultsThatWereLeftOutAreThere(_ leftOut: String, _ theirs: String) throws {
    #expect(try isCarried("{}", by: theirs, leftOut: leftOut))
  }

  @Test(arguments: [
    (#"{"b":false}"#, #"{"b":true}"#), (#"{"b":0}"#, #"{"B":true}"#), (#"{"n":0}"#, #"{"n":5}"#),
    (#"{"n":null}"#, #"{"n":0}"#), (#"{"t":null}"#, #"{"t":"a"}"#), (#"{"t":null}"#, #"{"t":"0"}"#),
    (#"{"t":null}"#, #"{"t":"00000000"}"#), (#"{"n":0}"#, #"{"n":"Low"}"#),
    (#"{"t":null}"#, #"{"t":"0001-01-01T00:00:00.001Z"}"#), (#"{"l":null}"#, #"{"l":[]}"#),
    (#"{"u":null}"#, #"{"u":"00000000-0000-0000-0000-00000000000f"}"#),
  ])
  func otherValuesOfWhatWasLeftOutMatter(_ leftOut: String, _ theirs: String) throws {
    #expect(try !isCarried("{}", by: theirs, leftOut: leftOut))
  }

  private func isCarried(
    _ ours: String, by theirs: String, leftOut: String = "{}"
  ) throws -> Bool {
    let sent = try #require(sentItem(ours, leftOut: leftOut))
    let body =
      Array("{\"id\":\"a\"".utf8) + (theirs == "{}" ? [] : [0x2C]) + theirs.utf8.dropFirst()
    let shown = try #require(ServerItem(ReplayAnswer(status: 200, body: body), id: "a", .v2))
    return Replay.isCarried(sent, by: shown, .v2)
  }
}

/// An item as it is sent, the SDK leaving out what stands for default values.
func sentItem(_ text: String, leftOut: String) -> SentItem? {
  var item = ReplayItem(json: Array(text.utf8))
  item.leftOut = JSONObject(parsing: Array(leftOut.utf8).span)?.members ?? []
  return SentItem(item, id: "a", .v2)
}
