import Glibc

/// How fast the machine is at the moment, by a loop that never changes.
///
/// A machine that others use as well is slower now than a minute later; figures of runs beside which
/// the loop took longer are worth less.
enum MachineSpeed {
  /// The seconds that the loop takes on the clock.
  static func loop() -> Double {
    let start = seconds()
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for _ in 0..<20_000_000 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    let took = seconds() - start
    // The result is used, so that the loop is not left out.
    return state == 0 ? 0 : took
  }
}
