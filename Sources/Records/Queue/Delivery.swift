package import Bytes

/// What became of an operation at one target, as the journal of its replay tells.
package struct Delivery: Sendable, Hashable {
  /// The server's base address, or the mark of a canonical store.
  package let target: String
  /// What became of it.
  package let outcome: ReplayOutcome
  /// When that was written down.
  package let time: Timestamp
  /// The status of the answer.
  package let status: Int64?
  /// The server's words, or what it changed.
  package let detail: String?

  /// What became of an operation at a target.
  package init(
    target: String, outcome: ReplayOutcome, time: Timestamp, status: Int64? = nil,
    detail: String? = nil
  ) {
    self.target = target
    self.outcome = outcome
    self.time = time
    self.status = status
    self.detail = detail
  }

  /// What a line of a journal tells; nil where it names no target, or has a word that no replay writes.
  init?(_ line: JournalLine) {
    guard let target = line.target else { return nil }
    // What was being sent when the journal ends is in doubt; of that the line has no words.
    let isSending = line.event == "sending"
    let word = ReplayOutcome(rawValue: line.event)
    guard let outcome = isSending ? .inDoubt : word else { return nil }
    self.init(
      target: target, outcome: outcome, time: line.time, status: line.status,
      detail: isSending ? nil : line.detail)
  }

  /// What the mark of a canonical store begins with.
  package static let storeMark = "rehome:"

  /// Whether it went to a canonical store, so that no server has seen it.
  package var isRehearsal: Bool { target.hasPrefix(Self.storeMark) }

  /// What the note of a journal about changed values begins with.
  package static let changeMark = "server-changed-value: "

  /// What the words about an operation begin with of which the server says that it took it, without
  /// showing the item; no run sends it again by itself.
  package static let promiseMark = "the server says that it took the change"

  /// What is said of such an operation before a policy sends it once more.
  package static let sentAgainMark = promiseMark + ", and a policy sends it once more"

  /// The fields that the server keeps otherwise than they were sent; nil where there are none.
  package var changedFields: String? {
    guard let detail, detail.hasPrefix(Self.changeMark) else { return nil }
    return String(detail.dropFirst(Self.changeMark.count))
  }
}
