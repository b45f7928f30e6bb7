import Foundation
import TestSupport
import Testing

/// A replay that is killed again and again, against a server that misbehaves, still ends right.
///
/// The long run is `Tests/Oracles/replay_chaos.py .build/release/rehome --runs 50 --kills 30`.
struct KilledReplayTests {
  @Test(arguments: ["v1", "v2-dotnet", "v2-node", "v3", "toolkit"])
  func everyChangeHappensOnce(dialect: String) throws {
    let outcome = try SystemProgram.python.run([
      "-B", Project.path("Tests/Oracles/replay_chaos.py"), Project.executable.path,
      "--dialect", dialect, "--runs", "1", "--seed", "7", "--operations", "120", "--kills", "3",
    ])
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(outcome.output.contains("3 kills"), "\(outcome.output)")
  }

  /// One server remembers the ids of requests, the other does not.
  @Test(arguments: ["7", "8"])
  func everyChangeOfParseHappensOnce(seed: String) throws {
    let outcome = try SystemProgram.python.run([
      "-B", Project.path("Tests/Oracles/parse_chaos.py"), Project.executable.path,
      "--runs", "1", "--seed", seed, "--operations", "120", "--kills", "3",
    ])
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(outcome.output.contains("3 kills"), "\(outcome.output)")
  }
}
