import TestSupport

@testable import Replay

/// The network between a run and a server: it loses, repeats, delays and garbles.
struct Weather {
  var server: ModelServer
  /// How many requests in a hundred meet a fault.
  var faults: Int
  var random: SeededGenerator
  /// Requests that the server carries out only after so many others about the same item.
  private var late: [(request: ReplayRequest, left: Int)] = []

  init(_ server: ModelServer, faults: Int, random: SeededGenerator) {
    self.server = server
    self.faults = faults
    self.random = random
  }

  /// Carries a request to the server, and what comes back.
  mutating func carry(_ request: ReplayRequest) -> ReplayEvent {
    defer { ripen(request.step) }
    guard Int.random(in: 0..<100, using: &random) < faults else {
      return .answer(step: request.step, server.answer(request))
    }
    switch Int.random(in: 0..<11, using: &random) {
    case 0: return .failure(step: request.step, .notSent("refused"))
    case 1: return .failure(step: request.step, .unknown("reset before"))
    case 2:
      _ = server.answer(request)
      return .failure(step: request.step, .unknown("reset after"))
    case 3: return .answer(step: request.step, ReplayAnswer(status: 503, retryAfter: "2"))
    case 4: return .answer(step: request.step, ReplayAnswer(status: 429, retryAfter: "1"))
    case 5:
      _ = server.answer(request)
      return .answer(step: request.step, ReplayAnswer(status: 500))
    case 6:
      _ = server.answer(request)
      return .answer(step: request.step, server.answer(request))
    case 7:
      return .failure(
        step: request.step, .redirected(to: "https://elsewhere.example/", status: 302))
    case 8, 9: return garbled(request)
    default:
      if request.purpose != .ask { late.append((request, Int.random(in: 0..<2, using: &random))) }
      return .failure(step: request.step, .unknown("timeout"))
    }
  }

  /// Lets everything arrive that is still on its way.
  mutating func settle() {
    for entry in late { _ = server.answer(entry.request) }
    late = []
  }

  private mutating func garbled(_ request: ReplayRequest) -> ReplayEvent {
    var answer = server.answer(request)
    guard (200..<300).contains(answer.status) else {
      return .answer(step: request.step, answer)
    }
    let bodies = [
      "", "<html>Sign in</html>", "{\"id\":\"another\",\"text\":\"x\"}", "{\"id\":", "null", "[]",
    ]
    let body = bodies[Int.random(in: 0..<bodies.count, using: &random)]
    // Nothing at all is what a deletion is answered with.
    if request.method == "DELETE", body.isEmpty { return .answer(step: request.step, answer) }
    answer.body = Array(body.utf8)
    answer.etag = nil
    answer.status = 200
    return .answer(step: request.step, answer)
  }

  private mutating func ripen(_ step: Int) {
    for place in late.indices where late[place].request.step == step { late[place].left -= 1 }
    for entry in late where entry.left < 0 { _ = server.answer(entry.request) }
    late.removeAll { $0.left < 0 }
  }
}
