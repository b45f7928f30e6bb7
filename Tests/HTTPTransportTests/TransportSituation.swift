import Foundation
import Records
import TestSupport
import Testing

@testable import HTTPTransport
@testable import Replay

/// A service, and a transport that sends to it.
struct TransportSituation: ~Copyable {
  let service: TableService
  var transport: HTTPTransport

  init(
    dialect: String = "v2-dotnet", plan: String = "{}", secrets: String? = nil,
    timeoutMilliseconds: Int = 60_000, connections: Int = 1
  ) throws {
    try self.init(
      TableService(dialect), plan: plan, secrets: secrets,
      timeoutMilliseconds: timeoutMilliseconds, connections: connections)
  }

  /// Sends to a service that runs already.
  init(
    _ service: TableService, plan: String, secrets: String? = nil,
    timeoutMilliseconds: Int = 60_000, connections: Int = 1
  ) throws {
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
  ) throws -> ReplayEvent {
    transport.start(.toTable(method, path, body: body, headers: headers))
    return try #require(transport.wait(milliseconds: 90_000).first)
  }
}

extension ReplayRequest {
  /// A request as the second dialect wants it.
  static func toTable(
    _ method: String = "POST", _ path: String = "/tables/TodoItem", step: Int = 0,
    body: String? = nil, headers: [(name: String, value: String)] = []
  ) -> ReplayRequest {
    let usual = [("ZUMO-API-VERSION", "2.0.0"), ("Content-Type", "application/json")]
    return ReplayRequest(
      step: step, purpose: .apply, method: method, path: path,
      headers: (usual + headers).map { Field($0.0, $0.1) }, body: body.map { Array($0.utf8) })
  }
}

extension ReplayEvent {
  /// The answer, if there is one.
  var answer: ReplayAnswer? {
    if case .answer(_, let answer) = self { answer } else { nil }
  }

  /// Why there is no answer.
  var failure: TransportFailure? {
    if case .failure(_, let failure) = self { failure } else { nil }
  }

  /// The step that the event is about.
  var step: Int? {
    switch self {
    case .answer(let step, _), .failure(let step, _): step
    default: nil
    }
  }

  /// The status of an answer.
  var status: Int? { answer?.status }

  /// The text of an answer's body, or of what went wrong.
  var text: String {
    switch failure {
    case .notSent(let words), .unknown(let words): words
    case .redirected(let place, let status): place ?? "\(status)"
    case nil: String(decoding: answer?.body ?? [], as: UTF8.self)
    }
  }

  /// Whether nobody knows what the server did.
  var isUnknown: Bool {
    if case .unknown = failure { true } else { false }
  }

  /// Whether the request surely never arrived.
  var isNotSent: Bool {
    if case .notSent = failure { true } else { false }
  }
}
