package import Bytes

/// A person's decision about an operation of a canonical store.
package struct OperationMark: Sendable, Equatable {
  /// What was decided.
  package enum Kind: String, Sendable, CaseIterable {
    /// It must not be sent.
    case drop
    /// It may be sent after all.
    case keep
  }

  /// What was decided.
  package var kind: Kind
  /// When.
  package var time: Timestamp
  /// By whom, if known.
  package var who: String?
  /// Why, if told.
  package var why: String?

  /// A decision.
  package init(_ kind: Kind, at time: Timestamp, who: String? = nil, why: String? = nil) {
    self.kind = kind
    self.time = time
    self.who = who
    self.why = why
  }
}

/// A decision beside the number of its operation, as stores and exports keep it.
package struct NumberedMark: Sendable, Equatable {
  /// The operation.
  package var sequence: Int64
  /// What was decided about it.
  package var mark: OperationMark
  /// The state of the operation beneath its marks, which exports tell here, as their operations have
  /// the state that the marks make.
  package var state: OperationState?

  /// A decision about an operation.
  package init(_ mark: OperationMark, about sequence: Int64, in state: OperationState? = nil) {
    self.sequence = sequence
    self.mark = mark
    self.state = state
  }

  /// A mark of which nothing is known yet.
  package static let blank = Self(OperationMark(.keep, at: .epoch), about: 0)
}

extension NumberedMark {
  /// What exports carry of a mark.
  package static let exportedFields = fields + [.word("state", \.state)]

  /// What is kept of a mark, in the order of its columns.
  package static let fields: [RecordField<Self>] = [
    .integer("sequence", \.sequence), .word("mark", \.mark.kind), .time("at", \.mark.time),
    .text("who", \.mark.who), .text("why", \.mark.why),
  ]
}

extension Queue {
  /// The marks in the order of their operations, those of one oldest first, each with what lies beneath.
  package var numberedMarks: NumberedMarks { NumberedMarks(of: self) }

  /// Takes marks from an export, those of one operation oldest first, and puts back what lies beneath.
  ///
  /// Gives the first operation whose state says otherwise than its last mark.
  package mutating func take(_ found: OperationMarks) -> Int64? {
    guard !found.isEmpty else { return nil }
    marks = found
    var contradicted: Int64?
    operations.updateEach { _, operation in
      guard let mark = found.last(of: operation.sequence) else { return }
      let isDropped = mark.mark.kind == .drop
      guard isDropped == (operation.state == .dropped) else {
        contradicted = contradicted ?? operation.sequence
        return
      }
      guard isDropped else { return }
      operation.state = mark.state ?? .dropped
      operation.isMarkedDropped = true
    }
    return contradicted
  }
}

/// The marks of a queue, each with what lies beneath those of its operation.
package struct NumberedMarks: Sequence, IteratorProtocol {
  private var marks: OperationMarks.Iterator
  private let operations: OperationList

  fileprivate init(of queue: Queue) {
    marks = queue.marks.makeIterator()
    operations = queue.operations
  }

  /// The next mark.
  package mutating func next() -> NumberedMark? {
    guard var mark = marks.next() else { return nil }
    mark.state = operations.firstOperation(numbered: mark.sequence)?.ownState
    return mark
  }
}
