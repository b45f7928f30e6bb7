import Testing

@testable import Replay

/// What services say of a refusal is told with the fields that it is about.
struct ServerWordsTests {
  @Test(arguments: [
    (#"{"error":"no"}"#, "no"), (#"{"error":"no","errors":["no"]}"#, "no"),
    (
      #"{"title":"One or more validation errors occurred.","errors":{"Text":["too long","odd"]}}"#,
      "One or more validation errors occurred.; Text: too long; Text: odd"
    ),
    (
      #"{"message":"The request is invalid.","modelState":{"item.text":["too long"],"":["bad"]}}"#,
      "The request is invalid.; item.text: too long; bad"
    ),
    (
      #"{"message":"An error has occurred.","exceptionMessage":"Cannot insert NULL"}"#,
      "An error has occurred.; Cannot insert NULL"
    ),
    (#"{"title":"no","errors":{"n":"odd","m":7,"o":[{"message":"deep"}]}}"#, "no; n: odd; o: deep"),
    (#"{"error":{"code":"Odd","message":"no","innererror":{}}}"#, "no"),
    (#"{"error":{"code":"Odd"}}"#, #"{"error":{"code":"Odd"}}"#),
    (#"{"errors":{"Text":["too long"]}}"#, #"{"errors":{"Text":["too long"]}}"#),
  ])
  func reasonsFollowTheHeadline(_ body: String, _ told: String) {
    #expect(words(of: ReplayAnswer(status: 400, body: Array(body.utf8))) == told)
  }

  @Test func theyStayShort() throws {
    let body = #"{"title":"no","errors":{"a":["\#(String(repeating: "x", count: 900))"]}}"#
    let told = try #require(words(of: ReplayAnswer(status: 400, body: Array(body.utf8))))
    #expect(told.hasPrefix("no; a: xxx") && told.hasSuffix("…") && told.utf8.count < 420)
  }
}
