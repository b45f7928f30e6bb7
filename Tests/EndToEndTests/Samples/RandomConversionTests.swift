import Foundation
import TestSupport
import Testing

/// Random stores of the sibling SDKs become the canonical stores that a program in Python expects.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct RandomConversionTests {
  @Test func siblingStoresConvertAsTheOracleExpects() async throws {
    let folder = try TemporaryFolder()
    let maker = "wild_sibling_stores.py"
    let oracle = Project.path("Tests/Oracles/compare_canonical.py")
    // Files that only look like an SDK's are the matter of other tests.
    for store in try RandomStores.make(maker, seed: 2028, count: 24, in: folder)
    where !store.contains("-foreign-") {
      let output = folder.path("out.rehome")
      let outcome = await rehome("convert", "-qf", "--fail-on", "never", store, "-o", output)
      #expect(outcome.code == 0 || outcome.code == 2, "\(store) \(outcome.error)")
      let report = try Program.python.run(["-B", oracle, store, output])
      #expect(report.code == 0, "\(store) \(report.text)\(report.error)")
    }
  }
}
