import Bytes
import Records

/// The rows that operations name by their keys and that a store does not have.
struct GoneRows: Sendable {
  /// Which of the keys that operations name are there, of the tables where some are not.
  private var present: [ExactText: KeySet] = [:]

  /// Whether all rows are there.
  var isEmpty: Bool { present.isEmpty }

  /// Looks for the rows of a table's operations among those that were seen, of which others need not be
  /// here.
  mutating func look(for operations: TableOperations, among keys: KeySet, ofTable name: String) {
    guard !operations.keys.allSatisfy(keys.contains) else { return }
    present[ExactText(name)] = keys
  }

  /// Takes the rows of tables that there are not.
  mutating func add(_ operations: OperationRows, except catalogue: Catalogue) {
    let known = Set(catalogue.tables.map { ExactText($0.name) })
    for table in operations.tables where !known.contains(table) { present[table] = [] }
  }

  /// Whether the row of an operation is one of them.
  func contains(rowOf operation: PendingOperation) -> Bool {
    guard let key = operation.rowKey, let table = operation.rowTable ?? operation.table,
      let keys = present[ExactText(table)]
    else { return false }
    return !keys.contains(key)
  }
}

extension Queue {
  /// Lets operations have no row where it is gone, but for those whose devices have one of their own
  /// and those that send none.
  mutating func forget(
    _ rows: GoneRows, besides devices: RowVersions, sendingNone sources: Set<Int32>
  ) {
    operations.updateEach { _, operation in
      guard rows.contains(rowOf: operation), devices[operation.sequence] == nil,
        !sources.contains(operation.source)
      else { return }
      operation.rowKey = nil
    }
  }
}
