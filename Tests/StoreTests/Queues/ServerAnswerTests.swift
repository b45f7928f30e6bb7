import Testing

@testable import Records
@testable import Tables

struct ServerAnswerTests {
  @Test(arguments: [
    (412, #"{"id":"a","version":"x"}"#, true, nil as String?),
    (409, #"{"id":"a","__version":"x"}"#, true, nil),
    (409, #"{"id":"a"}"#, false, #"{"id":"a"}"#), (412, #"{"id":"a"}"#, true, nil),
    (400, #"{"id":"a"}"#, false, #"{"id":"a"}"#), (412, #"{"error":"no"}"#, false, "no"),
    (500, #"{"description":"down"}"#, false, "down"), (409, #"{"id":7}"#, false, #"{"id":7}"#),
    (500, #""quoted""#, false, "quoted"), (502, "<html>", false, "<html>"), (500, "", false, ""),
    (500, "[1]", false, "[1]"),
  ])
  func bodyIsACopyOrWords(_ status: Int64, _ body: String, _ isCopy: Bool, _ message: String?) {
    let answer = ServerAnswer(status: status, body: .text(Array(body.utf8)))
    #expect(text(answer.item) == (isCopy ? body : nil))
    #expect(answer.message == message)
  }

  @Test(arguments: [nil, RawValue.binary([0x7b, 0x7d]), .integer(4), .text([0xff])])
  func whatIsNoTextSaysNothing(_ body: RawValue?) {
    let answer = ServerAnswer(status: 412, body: body)
    #expect(answer.item == nil)
    #expect(answer.message == nil)
  }
}
