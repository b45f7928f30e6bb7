import Bytes
import Testing

@testable import Records

/// Marks travel beside the operations, and what lies beneath them comes back.
struct NumberedMarkTests {
  /// A queue of operations that are numbered from 1.
  private func queue(_ states: OperationState...) -> Queue {
    var queue = Queue()
    for (place, state) in states.enumerated() {
      var operation = PendingOperation()
      operation.sequence = Int64(place) + 1
      operation.state = state
      queue.operations.append(operation)
    }
    return queue
  }

  private func mark(
    _ kind: OperationMark.Kind, _ sequence: Int64, _ state: OperationState? = nil
  ) -> NumberedMark {
    NumberedMark(OperationMark(kind, at: .epoch), about: sequence, in: state)
  }

  @Test func marksPutBackWhatLiesBeneath() throws {
    let marks = [
      mark(.drop, 1, .completed), mark(.drop, 2, .failed), mark(.keep, 2, .failed), mark(.drop, 3),
    ]
    var queue = queue(.dropped, .failed, .dropped, .attempted)
    #expect(queue.take(OperationMarks(marks)) == nil)
    #expect(queue.operations.map(\.state) == [.dropped, .failed, .dropped, .attempted])
    #expect(queue.operations.map(\.ownState) == [.completed, .failed, .dropped, .attempted])
    #expect(queue.operations.map(\.isMarkedDropped) == [true, false, true, false])
    #expect(queue.numberedMarks.map(\.mark) == marks.map(\.mark))
    #expect(queue.numberedMarks.map(\.state) == [.completed, .failed, .failed, .dropped])
  }

  @Test func marksThatContradictAreTold() {
    var sent = queue(.dropped, .pending)
    #expect(sent.take(OperationMarks([mark(.drop, 1), mark(.drop, 2)])) == 2)
    var held = queue(.dropped)
    #expect(held.take(OperationMarks([mark(.drop, 1), mark(.keep, 1)])) == 1)
    // About what is not there nothing can be said.
    var other = queue(.pending)
    #expect(other.take(OperationMarks([mark(.drop, 7)])) == nil)
  }

  @Test func newStateTakesThePlaceOfAMark() {
    var operation = PendingOperation()
    operation.state = .failed
    operation.isMarkedDropped = true
    #expect(operation.state == .dropped && operation.ownState == .failed)
    operation.state = .completed
    #expect(operation.state == .completed && !operation.isMarkedDropped)
    #expect(
      OperationState.allCases.map(\.ifKept) == [
        .pending, .attempted, .failed, .completed, .pending,
      ])
  }

  /// Operations that wait in a file, and those that are packed again, keep both.
  @Test func packedOperationsKeepBoth() {
    var packing = OperationPacking()
    for _ in 1...7 { packing.addNone() }
    packing.finish(sequence: 1, .update, .attempted, isMarkedDropped: true)
    let packed = packing.take()
    packing.add(packed[0])
    let again = packing.take()
    #expect(again == packed)
    #expect(again[0].ownState == .attempted && again[0].state == .dropped)
  }
}
