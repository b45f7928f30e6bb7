import Bytes

/// How much one document may ask for before it is refused.
///
/// Honest documents stay far below the standard limits; hostile ones name many things with few
/// bytes.
package struct FormatLimits: Sendable {
  /// The most containers inside each other.
  ///
  /// Releasing a nested value needs stack for each level. The standard depth fits a thread with
  /// 512 KiB; raise it only where the stack is known to be larger.
  package var maxDepth: Int
  /// The most values in one document, after shared ones are written out.
  package var maxObjects: Int
  /// The most bytes a document may have, or unpack or expand to.
  package var maxBytes: Int

  /// Sets the limits, each with its standard value where it is not given.
  package init(
    maxDepth: Int = 512, maxObjects: Int = 4_000_000, maxBytes: Int = 256 * 1024 * 1024
  ) {
    self.maxDepth = maxDepth
    self.maxObjects = maxObjects
    self.maxBytes = maxBytes
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
