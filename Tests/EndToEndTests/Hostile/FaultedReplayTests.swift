import Foundation
import TestSupport
import Testing

/// A replay whose writing fails, or that ends at a call, loses nothing and sends nothing twice.
///
/// Every call is tried by `Tests/Oracles/replay_faults.py .build/release/rehome faults.so`.
@Suite(.enabled(if: Faults.shared != nil, "needs a C compiler"))
struct FaultedReplayTests {
  @Test(arguments: [("v3", 4), ("toolkit", 9)])
  func journalHoldsAtEveryFault(dialect: String, first: Int) async throws {
    let faults = try #require(Faults.shared)
    let outcome = try await Program.python.runApart([
      "-B", Project.path("Tests/Oracles/replay_faults.py"), Project.executable.path,
      faults.library, "--dialect", dialect, "--step", "13", "--first", String(first),
    ])
    #expect(outcome.code == 0, "\(outcome.text)\(outcome.error)")
    #expect(outcome.text.contains(" 0 complaints"), "\(outcome.text)")
  }
}
