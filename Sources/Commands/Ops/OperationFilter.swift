import Audit
import Bytes
import CommandLineKit
import Records

/// Which operations a person wants to see.
struct OperationFilter {
  static let options: [Option] = [
    Option(
      "table", argument: .repeatableValue(placeholder: "NAME"),
      help: "only operations on this table, or on all that match a pattern", group: "Choosing"),
    Option(
      "item", argument: .value(placeholder: "ID"),
      help: "only operations on this item, in any letter case", group: "Choosing"),
    Option(
      "kind",
      argument: .value(
        placeholder: "KIND", completion: .choices(OperationKind.allCases.map(\.rawValue))),
      help: "only inserts, updates or deletes", group: "Choosing"),
    Option(
      "state",
      argument: .value(
        placeholder: "STATE", completion: .choices(OperationState.allCases.map(\.rawValue))),
      help: "only operations in this state", group: "Choosing"),
    Option(
      "finding", argument: .value(placeholder: "CODE"),
      help: "only operations with this finding", group: "Choosing"),
  ]

  private let tables: [Glob]
  private let names: Set<String>
  private let item: String?
  private let kind: OperationKind?
  private let state: OperationState?
  private let marked: KeyLookup?

  /// Reads the options; the findings matter only where one is asked for.
  init(_ arguments: ParsedArguments, _ findings: FindingList? = nil) throws(StoreError) {
    let patterns = arguments.values("table").map(\.text)
    names = Set(patterns)
    tables = patterns.map(Glob.init)
    item = arguments.value("item")?.text.lowercased()
    kind = arguments.value("kind").flatMap { OperationKind(rawValue: $0.text) }
    state = arguments.value("state").flatMap { OperationState(rawValue: $0.text) }
    if let code = arguments.value("finding")?.text {
      let marked = findings?.sequences(ofCode: code) ?? []
      guard FindingCatalogue.kind(code) != nil || findings?.contains(code: code) == true else {
        throw StoreError(
          .usage, "there is no finding \(code)", hint: "'rehome explain' lists all findings")
      }
      self.marked = KeyLookup(marked)
    } else {
      marked = nil
    }
  }

  var isOpen: Bool {
    tables.isEmpty && item == nil && kind == nil && state == nil && marked == nil
  }

  /// The operations that are wanted; where all are, no second list is made.
  func chosen(from operations: OperationList) -> OperationList {
    isOpen ? operations : operations.keeping(accepts)
  }

  private func accepts(_ operation: PendingOperation) -> Bool {
    if !tables.isEmpty {
      guard let table = operation.table,
        names.contains(table) || tables.contains(where: { $0.matches(table) })
      else { return false }
    }
    return (item == nil || operation.itemID?.lowercased() == item)
      && (kind == nil || operation.kind == kind) && (state == nil || operation.state == state)
      && (marked?.contains(operation.sequence) ?? true)
  }
}
