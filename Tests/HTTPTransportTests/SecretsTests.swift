import Foundation
import TestSupport
import Testing

@testable import HTTPTransport
@testable import Replay

/// Secrets reach the server, and nothing else.
struct SecretsTests {
  private let token = "eyJh.s3cret/token+x"

  @Test func headersReachTheServer() throws {
    var situation = try TransportSituation(
      secrets: "# for the old app\nX-ZUMO-AUTH: \(token)\r\n\nX-ZUMO-APPLICATION:key-of-app\n")
    try situation.service.tell(
      "POST /require", #"{"X-ZUMO-AUTH":"\#(token)","X-ZUMO-APPLICATION":"key-of-app"}"#)
    #expect(try situation.send().status == 201)
    // A header of the same name in the request does not come in between.
    let other = try situation.send(body: #"{"id":"b"}"#, headers: [("x-zumo-auth", "other")])
    #expect(other.status == 201)
  }

  @Test func aMereTokenTakesTheUsualHeader() throws {
    var situation = try TransportSituation(secrets: token + "\n")
    try situation.service.tell("POST /require", #"{"X-ZUMO-AUTH":"\#(token)"}"#)
    #expect(try situation.send().status == 201)
  }

  @Test(arguments: ["", "X-ZUMO-AUTH: "])
  func markOfAnEditorIsNoPartOfThem(_ name: String) throws {
    let secrets = try Secrets(parsing: Array("\u{FEFF}\(name)\(token)\r\n".utf8))
    #expect(secrets.lines == [Array("X-ZUMO-AUTH: \(token)".utf8)])
    #expect(secrets.hidden(in: "a \(token)") == "a [secret]")
  }

  /// The second half of a token that was broken is no token.
  @Test func secondTokenIsRefused() throws {
    let error = #expect(throws: HTTPError.self) {
      try Secrets(parsing: Array("# mine\n\(token)\n\nabc9f8e7d6\n".utf8))
    }
    #expect(error?.message == "line 4 of the secrets is a second token")
    #expect(try Secrets(parsing: Array("\(token)\nX-Other: 1\n".utf8)).lines.count == 2)
  }

  @Test func noTextCanBeMadeOfThem() throws {
    let secrets = try Secrets(parsing: Array("X-ZUMO-AUTH: \(token)".utf8))
    var dumped = ""
    dump(secrets, to: &dumped)
    for text in ["\(secrets)", String(reflecting: secrets), dumped, "\([secrets])"] {
      #expect(!text.contains("s3cret"))
    }
  }

  @Test func wordsThatEchoThemAreClearedAndDataStays() throws {
    let spellings = [
      token, token.replacing("/", with: "\\/"), token.replacing("+", with: "\\u002B"),
      token.replacing("+", with: "\\u002b"), token.replacing("/", with: "\\\\u002F"),
      token.replacing("/", with: "%2F"), token.replacing("/", with: "&sol;"),
      token.replacing("/", with: "%252F"), token.replacing("+", with: "\\u0026#43;"),
      token.replacing("+", with: "&amp;plus;"),
      token.replacing("/", with: "&#x2f;").replacing("+", with: "&#43;"),
      token.utf8.map { "\\u00" + String($0, radix: 16) }.joined(),
      token.utf8.map { "%" + String($0, radix: 16) }.joined(),
    ]
    for spelling in spellings {
      let body = #"{"a":"\#(spelling)","b":"\#(spelling)!"}"#
      let answer =
        "HTTP/1.1 400 No\r\nETag: \(token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        + body
      let plan = try JSONSerialization.data(
        withJSONObject: ["rules": [["kind": "raw", "raw": answer]]])
      var situation = try TransportSituation(
        plan: String(decoding: plan, as: UTF8.self), secrets: "Authorization: Bearer \(token)")
      let outcome = try situation.send()
      #expect(outcome.answer?.etag == token)
      #expect(outcome.text == body)
      let told = try #require(outcome.answer?.toldBody)
      #expect(String(decoding: told, as: UTF8.self) == #"{"a":"[secret]","b":"[secret]!"}"#)
    }
  }

  /// Whatever holds the parts of a value together, a server may quote one alone.
  @Test(arguments: [
    "Cookie: sid=abc9f8e7d6; theme=dark", "Cookie: theme=dark;sid=abc9f8e7d6==",
    "Authorization: SharedAccessSignature sr=x&sig=abc9f8e7d6&se=1700000000",
    "Authorization: ApiKey key=\"abc9f8e7d6\"", "X-Keys: first-key-1,abc9f8e7d6",
    "Authorization: Digest a=b, response=abc9f8e7d6, uri='/x'", "X-Token: abc9f8e7d6=other+one=",
    "X-Token: abc9f8e7d6 second-part", "X-Token: sig=abc9%66%38e7d6&se=1",
    "X-Token: a==abc9f8e7d6", "Authorization: sig=abc9f8e7d6&se=1700000000",
    "X-Authorization: abc9f8e7d6;second-part-1", "Authorization: AWS AKIAIOSFODNN7:abc9f8e7d6",
    "X-Token: " + String(repeating: "a=", count: 50_000) + "abc9f8e7d6",
    "Authorization: SharedKey account:abc9f8e7d6",
  ])
  func partThatIsQuotedAloneIsCleared(header: String) throws {
    let secrets = try Secrets(parsing: Array(header.utf8))
    for text in ["bad abc9f8e7d6", "abc9f8e7d6!", "bad abc9f8e7d6: no SharedAccessSignature"] {
      let told = secrets.hidden(in: text)
      #expect(told == text.replacing("abc9f8e7d6", with: "[secret]"), "\(header.prefix(80))")
    }
  }

  /// What names a part, and short ones, are words that an answer may have for other reasons.
  @Test func wordsBesideSecretsStay() throws {
    let secrets = try Secrets(
      parsing: Array(
        "Authorization: SharedAccessSignature SharedAccessKeyName=root&sig=abc9f8e7d6".utf8))
    let text = "the root of SharedAccessKeyName in SharedAccessSignature"
    #expect(secrets.hidden(in: text) == text)
  }

  @Test(
    arguments: [
      "", "\n# nothing\n", "two words", "X-A: b\nno header", "X A: b", "X-A:", "Host: a",
      "X-A: b\u{0}c", ": b", "X-A: b\nContent-Length: 3",
      // Each would take the place of the version that an operation depends on.
      "If-Match: \"b\"", "if-none-match: *", "IF-UNMODIFIED-SINCE: b",
    ])
  func otherTextIsRefusedWithoutBeingRepeated(text: String) {
    let error = #expect(throws: HTTPError.self) { _ = try Secrets(parsing: Array(text.utf8)) }
    #expect(error?.message.contains("b") != true || error?.message.contains("secrets") == true)
  }
}
