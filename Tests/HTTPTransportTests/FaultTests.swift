import Foundation
import TestSupport
import Testing

@testable import HTTPTransport
@testable import Replay

/// Whatever the network or the server does, the outcome says no more than what is known.
struct FaultTests {
  /// A plan with one fault that strikes the requests from `first` on.
  private func plan(_ rule: String, first: Int = 0) -> String {
    #"{"rules":[{\#(rule),"first":\#(first),"last":\#(first + 1)}]}"#
  }

  @Test(
    arguments: [
      #""kind":"reset""#, #""kind":"reset","commit":"after""#, #""kind":"close""#,
      #""kind":"close","commit":"after""#, #""kind":"cut""#, #""kind":"cut-chunked""#,
    ])
  func lostAnswersAreUnknown(rule: String) throws {
    var situation = try TransportSituation(plan: plan(rule))
    let outcome = try situation.send()
    #expect(outcome.isUnknown, "\(outcome)")
    #expect(try situation.service.count("POST") == 1)
  }

  @Test(
    arguments: ["POST", "PATCH", "DELETE", "GET"], ["reset", "close"])
  func requestsNeverLeaveTwiceByThemselves(method: String, kind: String) throws {
    // The second request goes over a kept connection, which libraries like to try again.
    let rule = #""kind":"\#(kind)","commit":"after""#
    var situation = try TransportSituation(plan: plan(rule, first: 2))
    #expect(try situation.send().status == 201)
    let path = method == "POST" ? "/tables/TodoItem" : "/tables/TodoItem/a"
    let body = method == "POST" ? #"{"id":"b"}"# : method == "PATCH" ? #"{"n":1}"# : nil
    let outcome = try situation.send(method, path, body: body)
    #expect(outcome.isUnknown, "\(outcome)")
    #expect(try situation.service.count("requests") == 2)
  }

  /// A server may close a kept connection at any time; it takes the next change over a new one.
  @Test func changeAfterTheEndOfAKeptConnectionOpensItsOwn() throws {
    var situation = try TransportSituation(plan: #"{"rules":[{"kind":"once"}]}"#)
    let item = "/tables/TodoItem/a"
    #expect(try situation.send().status == 201)
    #expect(try situation.send(body: #"{"id":"b"}"#).isUnknown)
    #expect(try situation.send("GET", item, body: nil).status == 200)
    for number in 1...3 {
      #expect(try situation.send(body: "{\"id\":\"c\(number)\"}").status == 201)
    }
    #expect(try situation.service.count("requests") == 5)
  }

  @Test func keptConnectionsAreTrustedLessEachTimeThatOneEnds() {
    var kept = KeptConnections()
    func carried(_ method: String, among count: Int) -> Int {
      (0..<count).count { _ in !kept.mustNotCarry(.toTable(method)) }
    }
    #expect(carried("POST", among: 1) == 1)
    for count in [8, 64] {
      kept.noteEnd()
      #expect(carried("GET", among: 9) == 9)
      #expect(carried("POST", among: count + 2) == 2)
    }
    for _ in 0..<100 { kept.noteEnd() }
    #expect(carried("PATCH", among: 1) == 0)
  }

  @Test(arguments: [301, 302, 303, 307, 308], [false, true])
  func redirectsAreReportedAndNotFollowed(status: Int, elsewhere: Bool) throws {
    let rule = #""kind":"redirect","status":\#(status),"elsewhere":\#(elsewhere)"#
    var situation = try TransportSituation(plan: plan(rule), secrets: "X-ZUMO-AUTH: not-for-you")
    let place = (elsewhere ? situation.service.elsewhere : "") + "/tables/TodoItem"
    #expect(try situation.send().failure == .redirected(to: place, status: status))
    #expect(try situation.service.count("requests") == 1)
    #expect(try situation.service.strays == 0)
  }

  @Test func answersThatSayWaitCarryTheTime() throws {
    var situation = try TransportSituation(
      plan: #"{"rules":[{"kind":"status","status":429,"retryAfter":2}]}"#)
    let answer = try situation.send().answer
    #expect(answer?.status == 429)
    #expect(answer?.retryAfter == "2")
  }

  @Test func slowAnswersArriveAndTooSlowOnesDoNot() throws {
    var patient = try TransportSituation(plan: #"{"rules":[{"kind":"slow"}]}"#)
    #expect(try patient.send().status == 201)
    var hurried = try TransportSituation(
      plan: #"{"rules":[{"kind":"slow"}]}"#, timeoutMilliseconds: 150)
    let outcome = try hurried.send()
    #expect(outcome.isUnknown)
    #expect(outcome.text.contains("time"))
  }

  @Test func silenceEndsWithTheTimeout() throws {
    var situation = try TransportSituation(
      plan: #"{"rules":[{"kind":"stall","commit":"after"}]}"#, timeoutMilliseconds: 2_000)
    #expect(try situation.send().isUnknown)
    #expect(try situation.service.commits == ["insert TodoItem a"])
  }

  @Test func nothingIsSentWhereNobodyListens() throws {
    // A port that was free a moment ago: the service that had it is gone.
    let address = try TableService().address
    let base = try BaseURL(parsing: address)
    var transport = try HTTPTransport(TransportSettings(base: base), secrets: Secrets())
    transport.start(.toTable(body: "{}"))
    #expect(transport.wait(milliseconds: 90_000).map(\.isNotSent) == [true])
    let nobody = try BaseURL(parsing: "http://nobody.localhost.invalid", allowsPlain: true)
    transport = try HTTPTransport(
      TransportSettings(base: nobody, timeoutMilliseconds: 60_000), secrets: Secrets())
    transport.start(.toTable(body: "{}"))
    #expect(transport.wait(milliseconds: 90_000).map(\.isNotSent) == [true])
  }

  @Test func answersOverTheLimitAreRefused() throws {
    let service = try TableService()
    var settings = TransportSettings(base: try BaseURL(parsing: service.address))
    settings.largestAnswer = 1_000
    var transport = try HTTPTransport(settings, secrets: Secrets())
    let text = String(repeating: "a", count: 2_000)
    transport.start(.toTable(body: #"{"id":"a","text":"\#(text)"}"#))
    let outcome = try #require(transport.wait(milliseconds: 90_000).first)
    #expect(outcome.failure == .unknown("the answer is too large"))
  }

  /// Of answers that come at once one is large; none is lost for that.
  @Test func largeAnswersComeOneAfterTheOther() throws {
    let service = try TableService()
    var settings = TransportSettings(base: try BaseURL(parsing: service.address), connections: 8)
    settings.smallAnswer = 10_000
    var transport = try HTTPTransport(settings, secrets: Secrets())
    let text = String(repeating: "a", count: 400_000)
    for number in 0..<24 {
      transport.start(
        .toTable(step: number, body: #"{"id":"\#(number)","text":"\#(text)"}"#))
    }
    var sizes: [Int] = []
    while transport.inFlight > 0 {
      let ended = transport.wait(milliseconds: 90_000)
      try #require(!ended.isEmpty)
      sizes += ended.map { $0.status == 201 ? $0.text.utf8.count : 0 }
    }
    #expect(sizes.count == 24 && sizes.allSatisfy { $0 > text.utf8.count })
  }

  /// The time for which an answer waits is not the server's.
  @Test func waitingForAnotherAnswerTakesNoTimeOfTheRequest() throws {
    let service = try TableService()
    var settings = TransportSettings(
      base: try BaseURL(parsing: service.address), connections: 2, timeoutMilliseconds: 2_000)
    settings.smallAnswer = 10_000
    var transport = try HTTPTransport(settings, secrets: Secrets())
    let stranger = -1
    #expect(transport.room.admits(stranger, 20_000))
    let text = String(repeating: "a", count: 400_000)
    transport.start(.toTable(step: 1, body: #"{"id":"a","text":"\#(text)"}"#))
    #expect(transport.wait(milliseconds: 2_500).isEmpty)
    transport.room.leave(stranger)
    // Whatever ends lets the others come on.
    transport.start(.toTable(step: 2, body: #"{"id":"b"}"#))
    var statuses: [Int?: Int?] = [:]
    while transport.inFlight > 0 {
      let ended = transport.wait(milliseconds: 90_000)
      try #require(!ended.isEmpty)
      for event in ended { statuses[event.step] = event.status }
    }
    #expect(statuses == [1: 201, 2: 201])
  }

  @Test func onlyOneAnswerIsLarge() {
    let room = AnswerRoom(smallAnswer: 10)
    #expect(room.admits(1, 10) && room.admits(2, 11) && !room.admits(1, 11) && room.admits(2, 900))
    room.leave(1)
    #expect(!room.admits(1, 11))
    room.leave(2)
    #expect(room.admits(1, 11) && !room.admits(2, 11) && room.admits(2, 10))
  }
}
