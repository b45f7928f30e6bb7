import Foundation
import TestSupport
import Testing

@testable import HTTPTransport
@testable import Replay

/// Nobody is asked to pack answers, and those that come packed are read all the same.
struct PackedAnswerTests {
  /// `{"id":"a"}` as gzip packs it.
  private static let item: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 202, 76, 81, 178, 82, 74, 84, 170, 5, 0, 67, 230,
    164, 154, 10, 0, 0, 0,
  ]
  /// 2,000 letters as gzip packs them.
  private static let letters: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 28, 5, 163, 96, 20, 140, 130, 81, 48, 10, 70, 193,
    80, 7, 0, 57, 62, 19, 168, 208, 7, 0, 0,
  ]

  @Test func answersComeAsTheyAre() throws {
    let service = try TableService()
    _ = try send(to: service.elsewhere)
    let arrived = try #require(try service.tell("GET /elsewhere") as? [[String: Any]])
    let headers = "\(arrived.first?["headers"] ?? "")".lowercased()
    #expect(headers.contains("accept-encoding") && headers.contains("identity"))
    #expect(!headers.contains("gzip"))
  }

  @Test func packedAnswersAreUnpacked() throws {
    #expect(try answer("gzip", Self.item).text == #"{"id":"a"}"#)
    #expect(try answer("identity", Array("{}".utf8)).text == "{}")
  }

  @Test func whatCannotBeUnpackedIsNoAnswer() throws {
    let outcome = try answer("unheard-of", Self.item)
    #expect(outcome.isUnknown && outcome.text.contains("packed"), "\(outcome)")
  }

  @Test(arguments: [2, item.count - 12]) func whatBreaksOffIsNotTheWhole(_ length: Int) throws {
    let outcome = try answer("gzip", Array(Self.item.prefix(length)))
    #expect(#"{"id":"a"}"#.hasPrefix(outcome.text) && outcome.text != #"{"id":"a"}"#)
  }

  @Test func limitIsThatOfWhatWasPacked() throws {
    let outcome = try answer("gzip", Self.letters)
    #expect(outcome.failure == .unknown("the answer is too large"))
  }

  private func answer(_ coding: String, _ body: [UInt8]) throws -> ReplayEvent {
    let raw =
      "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
      + String(body.map { Character(Unicode.Scalar($0)) })
    let plan = try JSONSerialization.data(
      withJSONObject: ["rules": [["kind": "raw", "raw": raw]]])
    let service = try TableService()
    try service.tell("POST /plan", String(decoding: plan, as: UTF8.self))
    return try send(to: service.address)
  }

  private func send(to address: String) throws -> ReplayEvent {
    var settings = TransportSettings(
      base: try BaseURL(parsing: address), timeoutMilliseconds: 60_000)
    settings.largestAnswer = 1_000
    var transport = try HTTPTransport(settings, secrets: Secrets())
    transport.start(.toTable(body: "{}"))
    return try #require(transport.wait(milliseconds: 90_000).first)
  }
}
