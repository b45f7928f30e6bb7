import Foundation
import Records
import TestSupport
import Testing

@testable import HTTPTransport
@testable import Replay

/// Requests arrive as they were meant, and answers come back whole.
struct HTTPTransportTests {
  @Test func methodBodyAndHeadersArrive() throws {
    var situation = try TransportSituation()
    let made = try situation.send(body: #"{"id":"a","text":"ü"}"#)
    #expect(made.status == 201)
    #expect(made.answer?.etag == #""AAAAAAAAAAE=""#)
    #expect(made.text.contains(#""text":"ü""#))
    let path = "/tables/TodoItem/a"
    let condition = [(name: "If-Match", value: #""AAAAAAAAAAE=""#)]
    let change = try situation.send("PATCH", path, body: #"{"n":1}"#, headers: condition)
    #expect(change.status == 200)
    let again = try situation.send("PATCH", path, body: #"{"n":2}"#, headers: condition)
    #expect(again.status == 412)
    #expect(try situation.send("DELETE", path, body: nil).status == 204)
    #expect(try situation.send("GET", path, body: nil).status == 404)
    #expect(try situation.send("POST", path, body: nil).status == 200)
    #expect(
      try situation.service.commits.map { $0.prefix { $0 != " " } }
        == ["insert", "update", "delete", "undelete"])
    #expect(try situation.service.count("connections") == 1)
  }

  @Test func idsAndQueriesSurviveTheAddress() throws {
    var situation = try TransportSituation(dialect: "v1")
    let path = "/tables/TodoItem/a%20%2e%2e%26%C3%BC"
    try situation.service.tell("POST /seed", #"{"TodoItem":[{"id":"a ..&ü"}]}"#)
    situation.transport.start(
      ReplayRequest(
        step: 0, purpose: .ask, method: "GET", path: path,
        query: [ReplayRequest.Field("__systemproperties", "*")]))
    let outcome = try #require(situation.transport.wait(milliseconds: 90_000).first)
    #expect(outcome.status == 200)
    #expect(outcome.text.contains("__version"))
  }

  @Test func severalRequestsRunAtOnceOnAsManyConnections() throws {
    var situation = try TransportSituation(plan: #"{"latency":5}"#, connections: 4)
    for mark in 0..<40 {
      situation.transport.start(.toTable(step: mark, body: #"{"id":"\#(mark)"}"#))
    }
    #expect(situation.transport.inFlight == 40)
    var ended: [Int] = []
    while situation.transport.inFlight > 0 {
      let deliveries = situation.transport.wait(milliseconds: 90_000)
      #expect(deliveries.allSatisfy { $0.status == 201 })
      ended += deliveries.compactMap(\.step)
    }
    #expect(ended.sorted() == Array(0..<40))
    #expect(try (2...4).contains(situation.service.count("connections")))
  }

  @Test func waitingEndsWhenTheTimeIsOver() throws {
    var situation = try TransportSituation(plan: #"{"rules":[{"kind":"stall"}]}"#)
    #expect(situation.transport.wait(milliseconds: 5_000) == [])
    situation.transport.start(.toTable(body: "{}"))
    let start = ContinuousClock.now
    #expect(situation.transport.wait(milliseconds: 100) == [])
    let time = ContinuousClock.now - start
    #expect(time >= .milliseconds(90) && time < .seconds(60))
    // What is under way is broken off with the transport.
    #expect(situation.transport.inFlight == 1)
  }

  @Test func largeBodiesPassBothWays() throws {
    var situation = try TransportSituation()
    let text = String(repeating: "0123456789abcdef", count: 300_000)
    let outcome = try situation.send(body: #"{"id":"a","text":"\#(text)"}"#)
    #expect(outcome.status == 201)
    #expect(outcome.text.utf8.count > text.utf8.count)
  }

  @Test func valuesThatWouldLeaveTheirLineAreNotSent() throws {
    var situation = try TransportSituation()
    let values = ["a\r\nX-Other: b", "a\nb", "a\0b", "\u{7F}"]
    for value in values {
      let outcome = try situation.send(headers: [("If-Match", value)])
      #expect(outcome.isNotSent)
    }
    #expect(try situation.send(headers: [("Host", "other.example")]).isNotSent)
    #expect(try situation.send("GET", "/tables/a b", body: nil).isNotSent)
    #expect(try situation.send("GET", "/tables/a?x=y", body: nil).isNotSent)
    #expect(try situation.service.count("requests") == 0)
  }
}
