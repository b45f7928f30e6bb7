/// How much a finding matters.
package enum Severity: String, Sendable, CaseIterable, Comparable {
  /// Worth knowing; nothing is wrong.
  case note
  /// Something may be missing or may surprise.
  case warning
  /// Something is lost, contradictory or cannot go on as it is.
  case error

  package static func < (left: Severity, right: Severity) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// Something that a person should know about a store; it does not stop the run.
package struct Finding: Sourced, Sendable, Equatable {
  /// The stable identifier that `explain` knows.
  package var code: String
  /// How much it matters.
  package var severity: Severity
  /// The table concerned.
  package var table: String?
  /// The item concerned.
  package var itemID: String?
  /// The `sequence` of the operation concerned.
  package var operation: Int64?
  /// The column concerned, as long as nobody has stored the finding; the sentence names it, too.
  package var column: String?
  /// One sentence for a person.
  package var message: String
  /// How many places it stands for: more than one where it tells of those that are not listed.
  package var count: Int
  /// The number of the source concerned in a store of several; 0 in others.
  package var source: Int32 = 0

  /// How it ends where numbers lead to no row, and stay as they are.
  package static let numbersKept = "numbers are kept"

  /// The finding of a store that is merged with others, in which such numbers are below zero: a row
  /// of another store may have the number itself.
  package var inMerge: Finding {
    var finding = self
    if message.hasSuffix(Self.numbersKept) { finding.message += " with a minus" }
    return finding
  }

  /// A finding; places that do not apply are left out.
  package init(
    _ code: String, _ severity: Severity, table: String? = nil, column: String? = nil,
    itemID: String? = nil, operation: Int64? = nil, message: String, count: Int = 1
  ) {
    self.code = code
    self.severity = severity
    self.table = table
    self.column = column
    self.itemID = itemID
    self.operation = operation
    self.message = message
    self.count = count
  }
}
