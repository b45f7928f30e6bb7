import Bytes
import Records

/// The rows that operations name by their keys and that a store does not have.
struct GoneRows: Sendable {
  /// Their keys, of the tables that lack some.
  private var keys: [ExactText: KeySet] = [:]

  /// Whether all rows are there.
  var isEmpty: Bool { keys.isEmpty }

  /// Looks for the rows of a table's operations among those that were seen, of which others need not be
  /// here.
  mutating func look(for operations: TableOperations, among keys: KeySet, ofTable name: String) {
    var gone: KeySet = []
    operations.keys.forEachKey { if !keys.contains($0) { gone.insert($0) } }
    if !gone.isEmpty { self.keys[ExactText(name)] = gone }
  }

  /// Takes the rows of tables that there are not.
  mutating func add(_ operations: OperationRows, except catalogue: Catalogue) {
    let known = Set(catalogue.tables.map { ExactText($0.name) })
    for table in operations.tables where !known.contains(table) {
      keys[table] = KeySet(operations[table.wrappedValue].keys)
    }
  }

  /// Whether the row of an operation is one of them.
  func contains(rowOf operation: PendingOperation) -> Bool {
    guard let key = operation.rowKey, let table = operation.rowTable ?? operation.table else {
      return false
    }
    return keys[ExactText(table)]?.contains(key) ?? false
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
