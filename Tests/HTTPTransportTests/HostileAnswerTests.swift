import Foundation
import TestSupport
import Testing

@testable import HTTPTransport
@testable import Replay

/// No bytes that a server may send end the process, and none pass for an answer they are not.
struct HostileAnswerTests {
  private static let body = "Content-Length: 2\r\n\r\n{}"

  /// Answers that are whole, odd as they look, with the status that counts.
  static let whole: [(String, Int)] = [
    ("HTTP/1.1 200\r\n" + body, 200),
    ("HTTP/1.1 200 \u{E9}\u{FF}\r\n" + body, 200),
    ("HTTP/1.1 200 OK\r\nX-A: \u{E9}\u{FF}\r\n" + body, 200),
    ("HTTP/1.1 200 OK\r\nETag: a\r\n b\r\n" + body, 200),
    ("HTTP/1.1 200 OK\nContent-Length: 2\n\n{}", 200),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 OK\r\n" + body, 201),
    ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n" + body, 200),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-T: 1\r\n\r\n", 200),
    ("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"a\"\r\n" + body, 401),
    ("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Domain=\u{FF}\r\n" + body, 200),
    ("HTTP/1.1 200 OK\r\nX A : b\r\n: c\r\n" + body, 200),
    ("HTTP/1.1 999 What\r\n" + body, 999),
    ("HTTP/1.1 200 OK\r\nETag:\r\nETag: \t \r\nRetry-After: \r\nLocation:\r\n" + body, 200),
  ]

  @Test(arguments: whole)
  func oddAnswersAreUnderstood(bytes: String, status: Int) throws {
    let outcome = try answer(to: bytes)
    #expect(outcome.status == status, "\(outcome)")
  }

  /// Answers that are not whole, or no answers.
  static let broken = [
    "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", "HTTP/1.1 2",
    "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}", "hello", "\r\n\r\n", "",
    "HTTP/1.1 abc OK\r\n" + body, "HTTP/1.1 000 OK\r\n" + body,
    "HTTP/1.1 200 OK\r\n\u{0}\u{1}: b\r\n" + body,
    "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n" + body,
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 300_000) + "\r\n" + body,
    "HTTP/1.1 200 OK\r\n" + String(repeating: "X: aaaaaaaaaaaaaaaa\r\n", count: 20_000) + body,
  ]

  @Test(arguments: broken)
  func brokenAnswersAreUnknown(bytes: String) throws {
    let outcome = try answer(to: bytes)
    #expect(outcome.isUnknown, "\(outcome)")
  }

  @Test func cuttingAnAnswerAnywhereNeverPassesForTheWhole() throws {
    let whole = "HTTP/1.1 201 Created\r\nETag: \"v\"\r\nContent-Length: 10\r\n\r\n{\"id\":\"a\"}"
    let service = try TableService()
    for length in stride(from: 0, to: whole.count, by: 3) {
      let outcome = try answer(to: String(whole.prefix(length)), of: service)
      #expect(outcome.isUnknown, "\(length): \(outcome)")
    }
    #expect(try answer(to: whole, of: service).status == 201)
  }

  private func answer(to bytes: String, of service: TableService? = nil) throws -> ReplayEvent {
    let quoted = try JSONSerialization.data(
      withJSONObject: ["rules": [["kind": "raw", "raw": bytes]]])
    var situation = try TransportSituation(
      service ?? TableService(), plan: String(decoding: quoted, as: UTF8.self),
      timeoutMilliseconds: 60_000)
    return try situation.send()
  }
}
