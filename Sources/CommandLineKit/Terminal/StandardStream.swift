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

/// Makes sure that no file gets the number of a standard stream that is closed.
///
/// What stands in for a stream is open in the other direction alone, so that using it fails.
package func occupyClosedStreams() {
  for (number, direction) in [
    (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
  ] where fcntl(number, F_GETFD) < 0 {
    // The name is a valid C string for the length of the call, and the lowest free number is given.
    _ = unsafe open("/dev/null", direction)
  }
}

/// Output that could not be written.
package struct StreamError: Error, Sendable, Equatable {
  /// The system's own error number.
  package let errorNumber: Int32
}
