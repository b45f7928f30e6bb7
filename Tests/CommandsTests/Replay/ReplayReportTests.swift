import CommandLineKit
import Records
import Testing

@testable import Commands
@testable import Replay

struct ReplayReportTests {
  @Test(arguments: [
    (ReplayOutcome.rejected, ExitCode.completeWithRejects), (.inDoubt, .temporary),
  ])
  func endAfterTooManyFailuresTellsWhatTheyWere(
    _ outcome: ReplayOutcome, _ code: ExitCode
  ) {
    var operations = OperationList()
    for sequence in 1...2 as ClosedRange<Int64> {
      var operation = PendingOperation()
      operation.sequence = sequence
      operations.append(operation)
    }
    var report = ReplayReport(operations, target: "t", dialect: .v2)
    report.add(StepResult(step: 0, sequences: [1], outcome: outcome), item: nil)
    var summary = ReplaySummary()
    summary.stop = .tooManyFailures
    report.summary = summary
    #expect(report.exitCode == code)
  }
}
