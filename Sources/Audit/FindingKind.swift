package import Records

/// One thing that can be found in a store: what it means, why it comes about, and what to do.
package struct FindingKind: Sendable {
  /// The stable identifier.
  package let code: String
  /// How much it matters, where `severityNote` does not say otherwise.
  package let severity: Severity
  /// When it matters more or less than `severity` says.
  package let severityNote: String?
  /// A few words for a heading.
  package let title: String
  /// What it means, in full sentences.
  package let meaning: String
  /// What usually causes it, a sentence each.
  package let causes: [String]
  /// What to do, a sentence each.
  package let remedies: [String]
  /// Whether a person has to compare copies before an operation that it tells of is sent.
  let asksFirst: Bool
  /// Looks for it; does nothing where a reader raises it.
  let rule: @Sendable (AuditInput, inout FindingSink) -> Void

  /// Describes a finding, and how to see it in a store.
  init(
    _ code: String, _ severity: Severity, severityNote: String? = nil, title: String,
    meaning: String, causes: [String], remedies: [String], asksFirst: Bool = false,
    rule: @escaping @Sendable (AuditInput, inout FindingSink) -> Void = { _, _ in }
  ) {
    self.code = code
    self.severity = severity
    self.severityNote = severityNote
    self.title = title
    self.meaning = meaning
    self.causes = causes
    self.remedies = remedies
    self.asksFirst = asksFirst
    self.rule = rule
  }
}

/// Collects the findings of one kind.
struct FindingSink {
  private let kind: FindingKind
  private let number: Int
  private(set) var findings: FindingList

  init(_ number: Int, about operations: OperationList) {
    self.number = number
    kind = FindingCatalogue.all[number]
    findings = FindingList(about: operations)
  }

  /// Tells of a place in the store, or of so many that are not listed; without a severity it is
  /// that of the kind.
  mutating func raise(
    _ severity: Severity? = nil, table: String? = nil, itemID: String? = nil,
    operation: Int64? = nil, _ message: String, count: Int = 1
  ) {
    findings.add(
      Finding(
        kind.code, severity ?? kind.severity, table: table, itemID: itemID, operation: operation,
        message: message, count: count), kind: number)
  }

  /// Tells of the operation at a place in the queue.
  mutating func raise(at place: Int, as severity: Severity? = nil, _ message: String) {
    findings.add(severity ?? kind.severity, kind: number, operation: place, message)
  }

  /// Tells of an error that the SDK wrote down.
  mutating func raise(_ error: OperationError, as severity: Severity? = nil, _ message: String) {
    raise(
      severity, table: error.table, itemID: error.itemID, operation: error.operation, message)
  }
}
