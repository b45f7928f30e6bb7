package import Bytes

/// Why bytes could not be read as the format they claim to be.
package struct FormatError: Error, Sendable, Equatable {
  /// The broad reason, for callers that act on it.
  package enum Code: Sendable, Equatable {
    /// The input ends before the value does.
    case truncated
    /// The input breaks a rule of its format.
    case invalid
    /// The input asks for more depth, objects or bytes than the limits allow.
    case limit
    /// The input is well formed but uses something that has no meaning here.
    case unsupported
    /// The bytes are not those of which a checksum was taken.
    case checksum
    /// Parts of the input that cannot share bytes do.
    case overlap
    /// The bytes are not to be had without a password.
    case encrypted
    /// The bytes could not be had, for this kind of reason.
    case unreadable(TroubleKind)
  }

  /// The broad reason.
  package let code: Code
  /// The byte of the input where the trouble is, counted from 0.
  package let offset: Int
  /// What is wrong, without any content of the input.
  package let message: String
  /// The limit of the run that was passed, where it was one of those.
  package let limit: InputLimit?
  /// What to try, as a phrase, where there is something.
  package let advice: String?

  /// Describes trouble at one place of the input.
  package init(
    _ code: Code, at offset: Int, _ message: String, passing limit: InputLimit? = nil,
    advice: String? = nil
  ) {
    self.advice = advice
    self.code = code
    self.offset = offset
    self.message = message
    self.limit = limit
  }
}

extension FormatError: CustomStringConvertible {
  /// The message and its place.
  package var description: String { "\(message) (at byte \(offset))" }
}
