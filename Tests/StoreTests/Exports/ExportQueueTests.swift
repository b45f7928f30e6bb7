import Bytes
import Records
import Testing

@testable import Exports

/// The parts of a queue come together from the rows that an export has of them.
struct ExportQueueTests {
  /// What an export has of one operation and of its marks.
  private func export(
    _ state: OperationState, _ marks: [NumberedMark]
  ) throws -> ExportQueue {
    var queue = Queue()
    var operation = PendingOperation()
    operation.sequence = 3
    operation.state = state
    queue.operations.append(operation)
    var export = ExportQueue()
    try queue.forEachBatch(of: .operations) { export.add($0, of: .operations) }
    var batch = RecordBatch(columnCount: NumberedMark.exportedFields.count)
    for (place, mark) in marks.enumerated() {
      batch.append(mark, NumberedMark.exportedFields, key: Int64(place) + 1)
    }
    export.add(batch, of: .marks)
    return export
  }

  private func mark(_ kind: OperationMark.Kind, in state: OperationState) -> NumberedMark {
    NumberedMark(OperationMark(kind, at: .epoch, who: "Ann"), about: 3, in: state)
  }

  @Test func statesBeneathMarksComeBack() throws {
    let marks = [mark(.keep, in: .attempted), mark(.drop, in: .attempted)]
    let queue = try export(.dropped, marks).wholeQueue(of: "x")
    #expect(queue.operations[0].state == .dropped && queue.operations[0].ownState == .attempted)
    #expect(queue.marks[3] == marks.map(\.mark))
    #expect(Array(queue.numberedMarks) == marks)
  }

  /// What says of one operation two things would let it be sent, or hold it back.
  @Test(arguments: [
    (OperationState.pending, OperationMark.Kind.drop), (.dropped, .keep), (.completed, .drop),
  ])
  func marksThatContradictAreRefused(state: OperationState, kind: OperationMark.Kind) throws {
    let export = try export(state, [mark(kind, in: .pending)])
    let error = #expect(throws: StoreError.self) { try export.wholeQueue(of: "x.json") }
    #expect(error?.kind == .damaged && error?.path == "x.json")
    #expect(error?.message.contains("operation 3") == true)
  }

  @Test func queueWithoutMarksIsAsItWas() throws {
    let queue = try export(.dropped, []).wholeQueue(of: "x")
    #expect(queue.operations[0].state == .dropped && queue.operations[0].ownState == .dropped)
    #expect(queue.marks.isEmpty)
  }
}
