import Glibc

extension Timestamp {
  /// The present moment, to the millisecond.
  package static var now: Timestamp {
    var time = timespec()
    // The call fills the structure it is given; this clock always exists.
    unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
    let nanoseconds = Int32(time.tv_nsec / 1_000_000 * 1_000_000)
    return Timestamp(wholeSecondsSince1970: Int64(time.tv_sec), nanoseconds: nanoseconds)
      ?? Timestamp.epoch
  }
}

/// Lets the time pass, at most a minute; a signal may end it early.
package func pause(milliseconds: Int) {
  _ = usleep(UInt32(max(0, min(milliseconds, 60_000)) * 1000))
}
