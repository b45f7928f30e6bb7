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
