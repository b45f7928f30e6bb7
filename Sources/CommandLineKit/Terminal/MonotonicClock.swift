private let firstInstant = ContinuousClock.now

/// Nanoseconds since the tool first asked, on a clock that never goes back.
package func monotonicNanoseconds() -> UInt64 {
  let elapsed = firstInstant.duration(to: .now).components
  // Negative is impossible on this clock, and the sum overflows after 292 years.
  let nanoseconds = elapsed.seconds &* 1_000_000_000 &+ elapsed.attoseconds / 1_000_000_000
  return UInt64(clamping: nanoseconds)
}
