import Records
import Testing

@testable import Replay

struct StepQueueTests {
  /// A step that had to wait for another one is under way once it begins, and is told of only once.
  @Test func postponedStepThatHasBegunIsNotToldOff() {
    var queue = StepQueue(ReplayPlan([operation(1, .update), operation(2, .update, id: "b")]))
    #expect(queue.begin() == 0 && queue.begin() == 1)
    queue.postpone(1, behind: 0)
    #expect(queue.begin() == nil)
    queue.end(StepResult(step: 0, sequences: OperationSequences(), outcome: .applied))
    #expect(queue.begin() == 1)
    var place = 0
    #expect(queue.drain(from: &place) == nil)
  }
}
