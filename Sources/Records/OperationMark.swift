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
