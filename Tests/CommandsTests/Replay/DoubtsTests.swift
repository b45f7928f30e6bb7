import Records
import Testing

@testable import Audit
@testable import Commands

/// The codes of findings about operations, of which one may have very many.
struct DoubtsTests {
  @Test func eachFindingOfAnOperationCounts() {
    var findings = FindingList(about: OperationList())
    for (operation, code, kind) in [
      (3, "b", 1), (1, "a", 0), (3, "a", 0), (1, "a", 0), (2, "b", 1), (1, "b", 1), (1, "a", 0),
    ] as [(Int64, String, Int)] {
      findings.add(Finding(code, .warning, operation: operation, message: ""), kind: kind)
    }
    findings.sort()
    let doubts = PlannedReplay.Doubts(findings)
    #expect(doubts[1] == ["a", "a", "a", "b"])
    #expect(doubts[2] == ["b"] && doubts[3] == ["a", "b"] && doubts[4] == [])
  }
}
