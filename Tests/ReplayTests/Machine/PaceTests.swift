import Records
import Testing

@testable import Replay

/// How long a replay waits between its tries.
struct PaceTests {
  private func pace(firstDelay: Int64, longestDelay: Int64, seed: UInt64 = 1) -> Pace {
    var settings = ReplaySettings(dialect: .v2)
    settings.firstDelay = firstDelay
    settings.longestDelay = longestDelay
    settings.seed = seed
    return Pace(settings)
  }

  @Test func waitsDoubleUpToTheLongest() {
    var longest: [Int: Int64] = [:]
    for seed in 0..<2000 as Range<UInt64> {
      var pace = pace(firstDelay: 100, longestDelay: 1000, seed: seed)
      for failures in 1...12 {
        longest[failures] = max(longest[failures] ?? 0, pace.delay(after: failures))
      }
    }
    let ceilings = [100, 200, 400, 800, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000]
    for (failures, ceiling) in zip(1...12, ceilings) {
      let found = longest[failures] ?? 0
      #expect(found <= Int64(ceiling) && found > Int64(ceiling) * 9 / 10, "\(failures)")
    }
  }

  @Test func absurdSettingsDoNotTrap() {
    for delay in [Int64.min, -1, 0, 1, .max] {
      for failures in [0, 1, 64, Int.max] {
        var pace = pace(firstDelay: delay, longestDelay: .max)
        #expect(pace.delay(after: failures) >= 0)
      }
    }
  }

  @Test func serverThatAsksForYearsIsGivenTheLongestThatIsAllowed() {
    var settings = ReplaySettings(dialect: .v2)
    settings.longestRetryAfter = 60_000
    var pace = Pace(settings)
    pace.keepQuiet(.max, at: 5)
    #expect(pace.opens == 60_005)
  }
}
