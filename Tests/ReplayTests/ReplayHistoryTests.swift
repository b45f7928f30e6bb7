import Records
import Testing

@testable import Replay

struct ReplayHistoryTests {
  @Test func lastEntryCounts() {
    var history = ReplayHistory()
    history.add(1, event: "sending", version: nil)
    #expect(history.state(of: 1) == .inDoubt)
    history.add(1, event: "applied", version: "AB==")
    #expect(history.isDone(1))
    #expect(history.version(after: 1) == "AB==")
    history.add(1, event: "no such event", version: "CD==")
    #expect(history.version(after: 1) == "AB==")
  }

  /// That an operation was held back tells that it is known, and takes nothing of what is.
  @Test func heldOperationIsKnown() {
    var history = ReplayHistory()
    #expect(JournalEntry.Event(word: "held") == .held && ReplayOutcome(rawValue: "held") == nil)
    for event in ["held", "sending", "held"] { history.add(1, event: event, version: nil) }
    #expect(history.state(of: 1) == .inDoubt)
    history.add(2, event: "held", version: nil)
    #expect(history.state(of: 2) == .ended(.pending))
    #expect(!history.needsQuestion(2) && !history.mayBeThere(2) && !history.isDone(2))
  }

  @Test func faultBeforeAnythingLeftIsNoDoubt() {
    var history = ReplayHistory()
    history.add(1, event: "rejected", version: nil, status: 500)
    #expect(!history.needsQuestion(1))
    #expect(history.state(of: 1) == .ended(.rejected))
    history.add(1, event: "sending", version: nil)
    history.add(1, event: "rejected", version: nil, status: 500)
    history.add(1, event: "rejected", version: nil, status: 501)
    #expect(history.needsQuestion(1))
  }

  @Test func earlierVersionsDoubtAboutWhatNeverLeftDoesNotCount() {
    var history = ReplayHistory()
    history.add(1, event: "rejected", version: nil, status: 500)
    for _ in 0..<2 { history.add(1, event: "inDoubt", version: nil, status: 500) }
    #expect(!history.needsQuestion(1))
    #expect(history.state(of: 1) == .ended(.rejected))
    history.add(1, event: "sending", version: nil, detail: "found")
    history.add(1, event: "inDoubt", version: nil)
    #expect(history.state(of: 1) == .inDoubt)
    #expect(history.mark(of: 1) == "found")
  }

  /// What was seen before a sending tells nothing of one that a person asks for later.
  @Test(arguments: ReplayOutcome.allCases)
  func whatWasSeenIsForgottenOnceAnOperationIsDone(_ outcome: ReplayOutcome) {
    var history = ReplayHistory()
    history.add(1, event: "sending", version: nil, detail: "found")
    history.add(1, event: JournalEntry.Event.outcome(outcome).word, version: nil)
    #expect(history.mark(of: 1) == (outcome.isFinal ? nil : "found"))
  }

  @Test(arguments: ReplayOutcome.allCases)
  func everyOutcomeReadsBack(_ outcome: ReplayOutcome) {
    let event = JournalEntry.Event.outcome(outcome)
    #expect(JournalEntry.Event(word: event.word) == event)
  }
}
