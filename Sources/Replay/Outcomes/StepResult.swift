package import Records

/// What became of one step, told once, as soon as it is known.
package struct StepResult: Sendable, Equatable {
  /// The step.
  package var step: Int
  /// The operations that it stands for.
  package var sequences: OperationSequences
  /// What became of them.
  package var outcome: ReplayOutcome
  /// Why they are pending.
  package var reason: PendingReason?
  /// What the server has instead, where there is a conflict.
  package var situation: ConflictSituation?
  /// The status of the last answer.
  package var status: Int?
  /// The item's version on the server.
  package var version: String?
  /// The server's or the network's words, at most a few hundred bytes.
  package var words: String?
  /// What the server keeps otherwise than it was sent.
  package var changes: [ServerChange] = []
  /// What there is none of where its table should be.
  package var lack: TableLack?
  /// The server's item as JSON text, where there was a conflict and it could be read.
  package var serverItem: [UInt8]?

  init(step: Int, sequences: OperationSequences, outcome: ReplayOutcome) {
    self.step = step
    self.sequences = sequences
    self.outcome = outcome
  }
}

/// What there is none of where a table should be.
package enum TableLack: Sendable {
  /// The server says so of the table.
  case table
  /// The server speaks another version of the protocol.
  case version
  /// What answers everything with success is no table service.
  case service
}

extension StepResult {
  /// Says that the server spoke of success, unless that is said already.
  mutating func tellPromise() {
    guard words?.hasPrefix(Delivery.promiseMark) != true else { return }
    words = Delivery.promiseMark + (words.map { "; " + $0 } ?? "")
  }

  /// What the journal keeps of what the server changed: the names of the fields, and no value.
  var noteOfChanges: String? {
    changes.isEmpty
      ? nil : Delivery.changeMark + changes.prefix(20).map(\.field).joined(separator: ", ")
  }
}
