import Foundation
import Records
import TestSupport
import Testing

@testable import HTTPTransport
@testable import Replay

/// The test service refuses what the real servers refuse, so that a test that passes means much.
struct TableServiceTests {
  private static let item = #"{"id":"a"}"#
  private static let two = "2.0.0"

  /// A dialect, the version header, a method, a condition, a body, and the status they get.
  typealias Refusal = (String, String?, String, String?, String?, Int)

  static let refusals: [Refusal] = [
    ("v1", two, "POST", nil, item, 400), ("v1", nil, "POST", nil, #"{"id":"a","__x":1}"#, 400),
    ("v1", nil, "PUT", nil, item, 405), ("v1", nil, "PATCH", "v", "{}", 400),
    ("v1", nil, "PATCH", "\"other\"", "{}", 412), ("v1", nil, "GET", nil, nil, 200),
    ("v2-dotnet", nil, "POST", nil, item, 400), ("v2-dotnet", "3.0.0", "POST", nil, item, 400),
    ("v2-dotnet", two, "POST", nil, #"{"id":"b","version":"x"}"#, 400),
    ("v2-dotnet", two, "POST", nil, #"{"id":"b""#, 400), ("v2-dotnet", two, "POST", nil, item, 409),
    ("v2-dotnet", two, "PATCH", "\"?\"", "{}", 400),
    ("v2-dotnet", two, "PATCH", "W/\"a\"", "{}", 400),
    ("v2-dotnet", two, "DELETE", "\"AAAA\"", nil, 412), ("v2-node", two, "DELETE", nil, nil, 200),
    ("v2-node", two, "POST", nil, item, 409), ("v3", nil, "GET", nil, nil, 400),
    ("v3", "3.0.0", "PATCH", nil, #"{"version":"x"}"#, 400), ("v3", two, "POST", nil, nil, 405),
    ("v3", "3.0.0", "PUT", nil, #"{"id":"b"}"#, 400), ("toolkit", nil, "PATCH", nil, "{}", 405),
    ("toolkit", nil, "PUT", "\"other\"", item, 412), ("toolkit", nil, "DELETE", "*", nil, 204),
  ]

  @Test(arguments: refusals.indices)
  func eachDialectIsStrict(index: Int) throws {
    let (dialect, version, method, condition, body, status) = Self.refusals[index]
    var situation = try TransportSituation(dialect: dialect)
    try situation.service.tell("POST /seed", #"{"TodoItem":[{"id":"a","text":"x"}]}"#)
    let isInsert = method == "POST" && body != nil
    let headers = [
      version.map { ReplayRequest.Field("ZUMO-API-VERSION", $0) },
      condition.map { ReplayRequest.Field("If-Match", $0) },
      body.map { _ in ReplayRequest.Field("Content-Type", "application/json") },
    ]
    situation.transport.start(
      ReplayRequest(
        step: 0, purpose: .apply, method: method,
        path: isInsert ? "tables/TodoItem" : "tables/TodoItem/a",
        headers: headers.compactMap(\.self),
        body: body.map { Array($0.utf8) }))
    let outcome = try #require(situation.transport.wait(milliseconds: 90_000).first)
    #expect(outcome.status == status, "\(outcome.text)")
  }
}
