import Glibc

/// Output that could not be written.
package struct StreamError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it was.
  package enum Code: Sendable, Equatable {
    /// The reader has closed its end; a tool stops quietly.
    case brokenPipe
    /// The device is full.
    case noSpace
    /// Anything else.
    case failed
  }

  /// The broad kind.
  package let code: Code
  /// The system's own error number.
  package let errorNumber: Int32

  /// Sorts a system error number into its kind.
  init(errorNumber: Int32) {
    self.errorNumber = errorNumber
    code =
      switch errorNumber {
      case EPIPE: .brokenPipe
      case ENOSPC: .noSpace
      default: .failed
      }
  }

  /// What happened, for a person.
  package var description: String {
    switch code {
    case .brokenPipe: "cannot write the output: its reader has closed the pipe"
    case .noSpace: "cannot write the output: no space left; free some and run again"
    case .failed: "cannot write the output: system error \(errorNumber)"
    }
  }
}
