package import Formats

/// A request to the server, without the secrets that go with it.
package struct ReplayRequest: Sendable, Equatable {
  enum Purpose: String, Sendable {
    /// To change the item.
    case apply
    /// To bring the deleted item back before it is changed.
    case undelete
    /// To see what the server has.
    case ask
  }

  /// A name and a value, neither encoded.
  package struct Field: Sendable, Equatable {
    /// The name.
    package let name: String
    /// The value.
    package let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The step that it serves.
  package var step: Int
  var purpose: Purpose
  /// `GET`, `POST`, `PATCH`, `PUT` or `DELETE`.
  package var method: String
  /// The path relative to the base URL, percent-encoded, without a slash in front.
  package var path: String
  /// The query, not encoded yet.
  package var query: [Field] = []
  /// The headers.
  package var headers: [Field] = []
  /// The body, always JSON.
  package var body: [UInt8]?
  /// What the body leaves out, with the default values that services take these members for.
  package var leftOut: [JSONObject.Member] = []
  /// The members of the body, in lower case, that are the SDK's and not the app's.
  package var sdkMembers: Set<String> = []

  /// The version that the server's item must have, quoted, where there is a condition.
  package var condition: String? { headers.first { $0.name == "If-Match" }?.value }
}
