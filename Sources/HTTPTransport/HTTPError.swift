package import Bytes

/// Why nothing can be sent at all; what goes wrong with one request is a delivery instead.
package struct HTTPError: Trouble, Equatable {
  package let kind: TroubleKind
  package var path: String?
  package let message: String
  package var hint: String?

  /// An error with what a person needs to act on it.
  init(_ kind: TroubleKind, path: String? = nil, _ message: String, hint: String? = nil) {
    self.kind = kind
    self.path = path
    self.message = message
    self.hint = hint
  }
}
