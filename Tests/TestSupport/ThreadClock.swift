import Foundation

/// The processor time of the thread that makes it; only a test that waits for nothing may ask.
///
/// What a test takes on the clock of the wall depends on all others that run beside it.
package struct ThreadClock {
  private let start = Self.now

  /// Starts to count.
  package init() {}

  /// The processor time since then.
  package var seconds: Double { Self.now - start }

  private static var now: Double {
    var time = timespec()
    // The call writes the one value that it is lent.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
