import Audit
import Bytes
import CommandLineKit
import Records

/// Which operations a person wants to see.
struct OperationFilter {
  static let options: [Option] = [
    OperationTables.includedOption, OperationTables.excludedOption,
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
      "finding",
      argument: .value(
        placeholder: "CODE", completion: .suggestions(FindingCatalogue.all.map(\.code))),
      help: "only operations with this finding", group: "Choosing"),
    originalID,
  ]

  static let originalID = Option(
    "original-id", argument: .value(placeholder: "ID"),
    help: "only the operation that the SDK itself calls so, in place of its sequence",
    group: "Choosing")

  private let tables: TableSelection
  private let item: ExactText?
  let originalID: String?
  private let kind: OperationKind?
  private let state: OperationState?
  private let marked: KeyLookup?

  /// Reads the options; the findings matter only where one is asked for.
  init(_ arguments: ParsedArguments, _ findings: FindingList? = nil) throws(StoreError) {
    tables = TableSelection(arguments)
    item = arguments.value("item").map { ExactText(folding: $0.text) }
    originalID = arguments.value("original-id")?.text
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

  /// What an audit finds about the operations of a store, or what it would if all were kept.
  static func findings(
    in reader: any StoreReader, ifKept: Bool, _ session: Session
  ) throws(StoreError) -> FindingList {
    try StoreAudit.ofOperations(in: reader, session, listsRows: false) { () throws(StoreError) in
      try reader.readQueue(ifKept ? .keepingDropped : [])
    }.findings
  }

  var isOpen: Bool {
    tables.isOpen && item == nil && originalID == nil && kind == nil && state == nil
      && marked == nil
  }

  /// The operations of a store that are wanted; where all are, no second list is made.
  func chosen(
    from operations: OperationList, of reader: any StoreReader
  ) throws(StoreError) -> OperationList {
    chosen(from: operations, on: try tables(of: operations, of: reader))
  }

  /// The tables of the store and of its operations that are meant; nil for all.
  ///
  /// - Throws: `StoreError` where a name or a pattern means none.
  func tables(
    of operations: OperationList, of reader: any StoreReader
  ) throws(StoreError) -> OperationTables? {
    try tables.operationTables(among: reader.catalogue.tables, and: operations.tableNames)
  }

  /// Those of some operations that are wanted, as far as they are on some tables.
  func chosen(from operations: OperationList, on tables: OperationTables?) -> OperationList {
    isOpen ? operations : operations.keeping { accepts($0, on: tables) }
  }

  private func accepts(_ operation: PendingOperation, on tables: OperationTables?) -> Bool {
    (tables?.contain(operation.table) ?? true)
      && (item == nil || operation.itemID.map { ExactText(folding: $0) } == item)
      && (originalID == nil || hasSameBytes(operation.originalID, originalID))
      && (kind == nil || operation.kind == kind) && (state == nil || operation.state == state)
      && (marked?.contains(operation.sequence) ?? true)
  }
}
