/// When requests may leave: the rate asked for, the pauses that the server asks for, the back-off.
struct Pace: Sendable {
  private let settings: ReplaySettings
  private var state: UInt64
  private var pause = Int64.min
  /// The first moment for the next request, with its fraction of a millisecond.
  private var next = -Double.infinity

  init(_ settings: ReplaySettings) {
    self.settings = settings
    state = settings.seed
  }

  /// When the next request may leave, at the earliest.
  var opens: Int64 {
    // Moments in milliseconds stay far from where a double has no integers.
    max(pause, next > -1e15 && next < 1e15 ? Int64(next.rounded(.up)) : .min)
  }

  /// Counts a request that leaves.
  mutating func count(at now: Int64) {
    guard let rate = settings.rate, rate > 0 else { return }
    next = max(next, Double(now)) + 1000 / rate
  }

  /// Keeps quiet for as long as the server asks.
  mutating func keepQuiet(_ milliseconds: Int64, at now: Int64) {
    pause = max(pause, now &+ min(milliseconds, settings.longestRetryAfter))
  }

  /// How long to wait after so many failures: anything up to a time that doubles.
  mutating func delay(after failures: Int) -> Int64 {
    let first = max(0, min(settings.firstDelay, settings.longestDelay, 1 << 32))
    let ceiling = min(first << Int64(min(max(failures - 1, 0), 20)), settings.longestDelay)
    return Int64(truncatingIfNeeded: random() % UInt64(max(ceiling, 0) + 1))
  }

  /// SplitMix64, so that a seed gives the same run again.
  private mutating func random() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
