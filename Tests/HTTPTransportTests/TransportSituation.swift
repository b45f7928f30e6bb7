import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

/// A service, and a transport that sends to it.
struct TransportSituation: ~Copyable {
  let service: TableService
  var transport: HTTPTransport

  init(
    dialect: String = "v2-dotnet", plan: String = "{}", secrets: String? = nil,
    timeoutMilliseconds: Int = 10_000, connections: Int = 1
  ) throws {
    let service = try TableService(dialect)
    try service.tell("POST /plan", plan)
    let settings = TransportSettings(
      base: try BaseURL(parsing: service.address), connections: connections,
      timeoutMilliseconds: timeoutMilliseconds)
    let given = try secrets.map { try Secrets(parsing: Array($0.utf8)) }
    transport = try HTTPTransport(settings, secrets: given ?? Secrets())
    self.service = service
  }

  /// Sends one request and waits for its end.
  mutating func send(
    _ method: String = "POST", _ path: String = "/tables/TodoItem",
    body: String? = #"{"id":"a"}"#, headers: [(name: String, value: String)] = []
  ) throws -> HTTPOutcome {
    transport.start(.toTable(method, path, body: body, headers: headers))
    return try #require(transport.wait(milliseconds: 20_000).first).outcome
  }
}

extension HTTPRequest {
  /// A request as the second dialect wants it.
  static func toTable(
    _ method: String = "POST", _ path: String = "/tables/TodoItem", mark: Int = 0,
    body: String? = nil, headers: [(name: String, value: String)] = []
  ) -> HTTPRequest {
    HTTPRequest(
      mark: mark, method: method, path: path,
      headers: [("ZUMO-API-VERSION", "2.0.0"), ("Content-Type", "application/json")] + headers,
      body: body.map { Array($0.utf8) })
  }
}

extension HTTPOutcome {
  /// The status of an answer.
  var status: Int? {
    if case .answer(let head, _) = self { head.status } else { nil }
  }

  /// The text of an answer's body, or of what went wrong.
  var text: String {
    switch self {
    case .answer(_, let body): String(decoding: body, as: UTF8.self)
    case .notSent(let words), .unknown(let words), .redirected(let words): words
    }
  }

  /// Whether nobody knows what the server did.
  var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  /// Whether the request surely never arrived.
  var isNotSent: Bool {
    if case .notSent = self { true } else { false }
  }
}
