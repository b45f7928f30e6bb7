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
    case unreadable(FailureKind)
  }

  /// The broad reason.
  package let code: Code
  /// The byte of the input where the trouble is, counted from 0; nil where that is not known.
  package let offset: Int?
  /// What is wrong, without any content of the input.
  package let message: String
  /// The limit of the run that was passed, where it was one of those.
  let limit: InputLimit?
  /// What to try, as a phrase, where there is something.
  let advice: String?

  /// Describes trouble at one place of the input.
  package init(
    _ code: Code, at offset: Int?, _ message: String, passing limit: InputLimit? = nil,
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
  package var description: String { message + (offset.map { " (at byte \($0))" } ?? "") }
}

extension FormatError: Failure {
  package var kind: FailureKind {
    switch code {
    case .truncated, .invalid, .checksum, .overlap: .damaged
    case .limit: .limit
    case .unsupported, .encrypted: .unsupported
    case .unreadable(let kind): kind
    }
  }

  package var path: String? { nil }

  package var hint: String? { limit?.hint ?? advice }
}

/// How much one document may ask for before it is refused.
///
/// Honest documents stay far below the standard limits; hostile ones name many things with few
/// bytes.
package struct FormatLimits: Sendable {
  /// The most containers inside each other.
  ///
  /// Releasing a nested value needs stack for each level. The standard depth fits a thread with
  /// 512 KiB; raise it only where the stack is known to be larger.
  var maxDepth: Int
  /// The most values in one document, after shared ones are written out.
  var maxObjects: Int
  /// The most bytes a document may have, or unpack or expand to.
  var maxBytes: Int

  /// Sets the limits, each with its standard value where it is not given.
  package init(
    maxDepth: Int = 512, maxObjects: Int = 4_000_000, maxBytes: Int = 256 * 1024 * 1024
  ) {
    self.maxDepth = maxDepth
    self.maxObjects = maxObjects
    self.maxBytes = maxBytes
  }

  /// The limits of a document in which any number of values stand some levels deep that keep to these.
  package func inside(levels: Int) -> FormatLimits {
    var limits = self
    limits.maxDepth = min(maxDepth, .max - levels) + levels
    (limits.maxObjects, limits.maxBytes) = (.max, .max)
    return limits
  }

  /// The limits for files from unknown sources, with what the run allows.
  package static var standard: FormatLimits {
    let run = InputLimits.current
    // A value may expand to twice its size.
    let bytes = run.valueBytes.multipliedReportingOverflow(by: 2)
    return FormatLimits(
      maxDepth: run.depth ?? 512, maxBytes: bytes.overflow ? .max : bytes.partialValue)
  }
}
