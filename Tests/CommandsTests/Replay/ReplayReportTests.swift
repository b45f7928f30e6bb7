import CommandLineKit
import Formats
import Records
import Testing

@testable import Commands
@testable import Replay

struct ReplayReportTests {
  /// The report of a run of two operations, of which nothing is known yet.
  private static func reportOfTwo() -> ReplayReport {
    var operations = OperationList()
    for sequence in 1...2 as ClosedRange<Int64> {
      var operation = PendingOperation()
      operation.sequence = sequence
      operations.append(operation)
    }
    return ReplayReport(operations, target: "t", dialect: .v2)
  }

  @Test(arguments: [
    (ReplayOutcome.rejected, ExitCode.completeWithRejects), (.inDoubt, .temporary),
  ])
  func endAfterTooManyFailuresTellsWhatTheyWere(
    _ outcome: ReplayOutcome, _ code: ExitCode
  ) {
    var report = Self.reportOfTwo()
    report.add(StepResult(step: 0, sequences: [1], outcome: outcome), item: nil)
    var summary = ReplaySummary()
    summary.stop = .tooManyFailures
    report.summary = summary
    #expect(report.exitCode == code)
  }

  /// What is in doubt after the server's word needs more than another run where it shows nothing.
  @Test(arguments: [
    (PendingReason?.none, Delivery.promiseMark + "; the answer shows no item", true),
    (nil, "no answer", false), (.undecided, Delivery.promiseMark, false),
  ])
  func doubtThatNoRunSettlesHasAnotherWayOut(
    _ reason: PendingReason?, _ words: String, _ isTold: Bool
  ) {
    var result = StepResult(step: 0, sequences: [1], outcome: .inDoubt)
    (result.reason, result.words) = (reason, words)
    let text = text(of: result)
    #expect(text.contains("it goes on") == (reason == nil))
    #expect(text.contains("give it up with 'rehome ops drop'") == isTold, "\(text)")
  }

  /// What nobody may read no run settles, whatever the credentials are.
  @Test(arguments: [(403, true), (401, true), (404, false), (nil, false)])
  func doubtThatNobodyMayReadHasAnotherWayOut(_ status: Int?, _ isTold: Bool) {
    var result = StepResult(step: 0, sequences: [1], outcome: .inDoubt)
    result.status = status
    #expect(text(of: result).contains("give it up with 'rehome ops drop'") == isTold)
    result.outcome = .rejected
    #expect(!text(of: result).contains("item in doubt"))
  }

  /// Running again settles doubts, but no conflict.
  @Test(arguments: [false, true])
  func conflictsBesideDoubtsAskForADecision(_ hasPolicy: Bool) {
    var report = Self.reportOfTwo()
    report.hasPolicy = hasPolicy
    report.add(StepResult(step: 0, sequences: [1], outcome: .inDoubt), item: nil)
    report.add(StepResult(step: 1, sequences: [2], outcome: .conflict), item: nil)
    #expect(report.exitCode == .temporary)
    let text = ReplayText(report, style: .plain).text
    #expect(text.contains("it goes on"))
    let advice = hasPolicy ? "choose another --on-conflict" : "decide with --on-conflict"
    #expect(text.contains("for the conflicts: " + advice), "\(text)")
  }

  /// What waits for a doubt goes on once that is settled, and not before.
  @Test(arguments: [
    (ReplayOutcome.rejected, Int?.some(400), PendingReason?.none, ExitCode.temporary),
    (.rejected, 500, nil, .completeWithRejects), (.applied, 200, nil, .temporary),
    (.inDoubt, nil, nil, .temporary), (.inDoubt, nil, .undecided, .conflicts),
    (.inDoubt, nil, .withoutRow, .completeWithRejects),
  ])
  func olderChangeGoesOnOnceTheDoubtIsSettled(
    _ outcome: ReplayOutcome, _ status: Int?, _ reason: PendingReason?, _ code: ExitCode
  ) {
    var report = Self.reportOfTwo()
    var doubts = PackedPairs()
    doubts.append(1, 2)
    report.add([HeldBack(sequence: 1, reason: .afterDoubt, isInDoubt: false)], behind: doubts)
    var result = StepResult(step: 0, sequences: [2], outcome: outcome)
    (result.reason, result.status) = (reason, status)
    report.add(result, item: nil)
    #expect(report.exitCode == code)
  }

  /// A table may be called otherwise at the server than on the device, and the address be another one's.
  @Test(
    arguments: [TableLack.table, .service, nil],
    [(ReplayOutcome.rejected, "see to what was refused"), (.inDoubt, "run the same command")])
  func whatIsMissingLeadsToItsNameOrAddress(
    _ lack: TableLack?, _ end: (outcome: ReplayOutcome, advice: String)
  ) {
    var result = StepResult(step: 0, sequences: [1], outcome: end.outcome)
    (result.status, result.lack) = (404, lack)
    let text = text(of: result)
    #expect(text.contains(end.advice))
    #expect(text.contains("--map TABLE=NAME") == (lack == .table), "\(text)")
    #expect(text.contains("the address behind --to") == (lack == .service), "\(text)")
  }

  /// A chain of changes of one item is sent as one, and told as one.
  @Test(arguments: [ReplayOutcome.conflict, .rejected, .inDoubt, .applied], ["no", nil])
  func operationsOfOneChangeAreToldOnce(_ outcome: ReplayOutcome, _ words: String?) {
    var operations = OperationList()
    for number in 1...60 {
      var operation = PendingOperation()
      operation.sequence = Int64(number)
      operations.append(operation)
    }
    var report = ReplayReport(operations, target: "t", dialect: .v2)
    for (step, sequences) in [Array(1...30), [31], Array(32...60)].enumerated() {
      var result = StepResult(
        step: step, sequences: OperationSequences(sequences.map(Int64.init)), outcome: outcome)
      result.words = words
      if outcome == .applied {
        result.changes = [ServerChange(field: "a", sent: .null, kept: .string("x"))]
      }
      report.add(result, item: nil)
    }
    let lines = ReplayText(report, style: .plain).text.split(separator: "\n")
    let told = lines.filter { $0.contains(": operation ") }
    #expect(told.count == 3 && !lines.contains { $0.contains("more") }, "\(lines)")
    #expect(told.map { $0.contains("(for 30 operations)") } == [true, false, false], "\(told)")
    #expect(told.last?.contains("operation 32") == true && told.last?.contains("29") == true)
    #expect(lines.contains { $0.hasPrefix("60 operations: 60 ") }, "\(lines)")
  }

  /// Other credentials may not help where the server lets them change everything else.
  @Test(arguments: [401, 403]) func oneForbiddenChangeCanBeGivenUp(_ status: Int) {
    var report = Self.reportOfTwo()
    var result = StepResult(step: 1, sequences: [2], outcome: .pending)
    result.reason = .notPermitted
    result.status = status
    report.add(result, item: nil)
    var summary = ReplaySummary()
    summary.stop = .notPermitted(status: status)
    report.summary = summary
    #expect(report.exitCode == .notPermitted)
    let text = ReplayText(report, style: .plain).text
    #expect(text.contains("next: renew the token in --header-file, and run again"), "\(text)")
    #expect(text.contains("where only operation 2 is forbidden") == (status == 403), "\(text)")
  }

  /// What an earlier run has sent was not found at the server.
  @Test func whatIsDoneBeforeIsCountedApart() {
    var report = Self.reportOfTwo()
    report.add([DoneBefore(sequence: 1, outcome: .applied)])
    report.add(StepResult(step: 1, sequences: [2], outcome: .alreadyApplied), item: nil)
    let text = ReplayText(report, style: .plain).text
    #expect(text.contains("2 operations: 1 done before, 1 there already"), "\(text)")
  }

  /// What is told of the only operation.
  private func text(of result: StepResult) -> String {
    var operations = OperationList()
    var operation = PendingOperation()
    operation.sequence = 1
    operations.append(operation)
    var report = ReplayReport(operations, target: "t", dialect: .v2)
    report.add(result, item: nil)
    return ReplayText(report, style: .plain).text
  }
}
