import Glibc

/// Standard output or standard error, written without buffering.
package struct StandardStream: Sendable {
  private let descriptor: Int32

  /// Where programs read.
  package static let output = StandardStream(descriptor: STDOUT_FILENO)
  /// Where people read.
  package static let error = StandardStream(descriptor: STDERR_FILENO)

  /// A stream over an open file descriptor, which stays the caller's to close.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes all of `text`.
  ///
  /// - Throws: `StreamError`, also when only a part could be written.
  package func write(_ text: String) throws(StreamError) {
    try write(text.utf8.span)
  }

  /// Writes all of `bytes`.
  ///
  /// - Throws: `StreamError`, also when only a part could be written.
  package func write(_ bytes: [UInt8]) throws(StreamError) {
    try write(bytes.span)
  }

  /// Writes all bytes of the span.
  ///
  /// - Throws: `StreamError`, also when only a part could be written.
  package func write(_ bytes: Span<UInt8>) throws(StreamError) {
    var rest = bytes.extracting(...)
    while !rest.isEmpty {
      let count = writeSome(rest)
      if count >= 0 {
        rest = rest.extracting(droppingFirst: count)
      } else if errno == EAGAIN {
        waitUntilWritable()
      } else if errno != EINTR {
        throw StreamError(errorNumber: errno)
      }
    }
  }

  private func writeSome(_ bytes: Span<UInt8>) -> Int {
    // The kernel reads only the bytes of the span, which lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// A descriptor inherited from elsewhere may be in non-blocking mode.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // One structure and a count of one; whatever went wrong shows in the next write.
    _ = unsafe poll(&request, 1, -1)
  }
}

/// Makes writing to a closed pipe an error value instead of the end of the process.
package func ignoreBrokenPipes() {
  _ = signal(SIGPIPE, SIG_IGN)
}

/// Output that could not be written.
package struct StreamError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it was.
  package enum Code: Sendable, Equatable {
    /// The reader has closed its end; a tool stops quietly.
    case brokenPipe
    /// The device is full.
    case noSpace
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
