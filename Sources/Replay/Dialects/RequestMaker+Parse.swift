import Bytes
import Formats

/// The requests of Parse's REST interface.
extension RequestMaker {
  /// How many objects a question for one of unknown id lists at most, the newest first.
  private static let mostResults = "100"

  func object(_ step: ReplayStep, id: String) -> ReplayRequest {
    request(step, .ask, "GET", hasID: true, id: id)
  }

  /// Asks for the objects that are what a change makes; for the newest of all without a condition.
  func search(_ step: ReplayStep, _ condition: JSONObject) -> ReplayRequest {
    var request = request(step, .ask, "GET", hasID: false)
    if !condition.members.isEmpty {
      request.query.append(ReplayRequest.Field("where", JSONValue.object(condition).jsonText))
    }
    request.query.append(ReplayRequest.Field("order", "-createdAt"))
    request.query.append(ReplayRequest.Field("limit", Self.mostResults))
    return request
  }

  /// Sends a set of changes: of a new object without an id, else of the one with it.
  func saving(
    _ step: ReplayStep, _ sent: SentItem, id: String?, attempt: Int
  ) -> ReplayRequest {
    var request = request(step, .apply, id == nil ? "POST" : "PUT", hasID: id != nil, id: id)
    let body = sent.object.json
    let name = Self.requestID(sent.changeID ?? "\(step.table) \(step.id)", body, attempt)
    request.headers.append(ReplayRequest.Field("X-Parse-Request-Id", name))
    return adding(body, to: request)
  }

  /// Deletes an object.
  func deletion(_ step: ReplayStep, id: String) -> ReplayRequest {
    request(step, .apply, "DELETE", hasID: true, id: id)
  }

  /// The same for the same change whenever it is sent, so that a server that remembers ids takes it
  /// once.
  private static func requestID(_ change: String, _ body: [UInt8], _ attempt: Int) -> String {
    var hash = SHA256()
    hash.update(Array("\(change) \(attempt) ".utf8).span)
    hash.update(body.span)
    let digits = Array(hash.finish().hexadecimal)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }
}
