package import Bytes

/// One line of the journal of a replay.
package struct JournalLine: Sendable, Equatable {
  /// The operation.
  package var sequence: Int64
  /// When it happened.
  package var time: Timestamp
  /// What happened, in a word.
  package var event: String
  /// Where the operations went; nil where the journal that has the line tells.
  package var target: String?
  /// Which try it was, from 1.
  package var attempt: Int64?
  /// The status of the answer.
  package var status: Int64?
  /// The version that the target gave.
  package var version: String?
  /// More about it.
  package var detail: String?

  /// A line about an operation.
  package init(sequence: Int64, time: Timestamp, event: String) {
    self.sequence = sequence
    self.time = time
    self.event = event
  }

  /// A line of which nothing is known yet.
  package static let blank = Self(sequence: 0, time: .epoch, event: "")
}

extension JournalLine {
  /// What is kept of a line, in the order of its columns.
  package static let fields: [RecordField<Self>] = [
    .integer("sequence", \.sequence), .time("at", \.time), .text("event", \.event),
    .text("detail", \.detail), .text("target", \.target), .integer("attempt", \.attempt),
    .integer("status", \.status), .text("version", \.version),
  ]
}
