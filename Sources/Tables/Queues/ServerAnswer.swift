import Formats
import Records

/// What the body of a server's answer says: its copy of the item, or some words.
struct ServerAnswer: Equatable {
  /// The server's copy, as JSON text.
  private(set) var item: [UInt8]?
  /// The server's words.
  private(set) var message: String?

  /// Reads a body.
  ///
  /// With 412 an object that has an `id` is the server's copy, and with 409 one that has a version,
  /// too. Else the words are a JSON string, the text under `error` or `description`, or the body
  /// itself.
  init(status: Int64?, body: RawValue?) {
    guard case .text(let bytes)? = body, let text = String(validating: bytes, as: UTF8.self) else {
      return
    }
    let payload = JSONPayload(body)
    if isCopy(status: status, payload) {
      item = bytes
    } else if payload.isObject {
      message = payload.text("error") ?? payload.text("description") ?? text
    } else if case .string(let words)? = try? JSONValue(parsing: bytes.span) {
      message = words
    } else {
      // A body that is not JSON is taken as words.
      message = text
    }
  }

  private func isCopy(status: Int64?, _ payload: JSONPayload) -> Bool {
    guard payload.text("id") != nil else { return false }
    // The service on Node answers an insert whose id is taken with the item that it was sent, which
    // has no version: `table-rest-protocol.md`, section 2.
    return status == 412 || status == 409 && payload.version(under: VersionKeys.new) != nil
  }
}
