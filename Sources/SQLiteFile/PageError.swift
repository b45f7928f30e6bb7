package import Bytes

/// Why pages of a database cannot be read, or contradict each other.
package struct PageError: Trouble, Sendable, Equatable {
  package let kind: TroubleKind
  package let path: String?
  package let message: String
  package let hint: String?
  /// The page concerned, counted from 1; nil when it is the file as a whole.
  package let page: Int?

  /// Trouble of this kind, on a page or with the file as a whole.
  init(
    _ kind: TroubleKind, path: String?, page: Int? = nil, _ message: String, hint: String? = nil
  ) {
    self.hint = hint
    self.kind = kind
    self.path = path
    self.page = page
    self.message = page.map { "page \($0): \(message)" } ?? message
  }

  /// Trouble that the file system reported.
  init(_ cause: FileError) {
    self.init(cause.kind, path: cause.path, cause.message)
  }
}
