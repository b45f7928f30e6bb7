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

  @Test(arguments: ReplayOutcome.allCases)
  func everyOutcomeReadsBack(_ outcome: ReplayOutcome) {
    let event = JournalEntry.Event.outcome(outcome)
    #expect(JournalEntry.Event(word: event.word) == event)
  }
}
