import Bytes
import CommandLineKit

/// The tables on which the operations are that the user means.
struct OperationTables {
  static let includedOption = Option(
    "table", argument: .repeatableValue(placeholder: "NAME"),
    help: "only operations on this table, or on all that match a pattern", group: "Choosing")

  static let excludedOption = Option(
    "exclude-table", argument: .repeatableValue(placeholder: "NAME"),
    help: "no operations on this table, or on any that match a pattern", group: "Choosing")

  /// Nil where all are that are not excluded.
  let included: Set<ExactText>?
  let excluded: Set<ExactText>

  /// Whether an operation is on one of them; one that names no table is on none that could be named.
  func contain(_ table: String?) -> Bool {
    guard let name = table.map({ ExactText($0) }) else { return included == nil }
    return included?.contains(name) != false && !excluded.contains(name)
  }
}
