import Bytes
import Records
import SQLite
import Tables

/// Finds the rows of PowerSync's tables of documents, one at a time.
struct PowerSyncRows {
  /// The tables by the names that the service has for them.
  private var tables: [ExactText: PlannedTable] = [:]
  /// What the catalogue calls the types of the service, and the other way round.
  private var names: [ExactText: String] = [:]
  private var types: [ExactText: String] = [:]

  init(_ planned: [PlannedTable], _ catalogue: Catalogue) {
    for (planned, table) in zip(planned, catalogue.tables) {
      let own = planned.sourceTable.removing(prefix: PowerSync.data)
      if let own { tables[ExactText(own)] = planned }
      let untyped = planned.sourceTable == PowerSync.untyped ? planned.sourceName : nil
      guard let type = own ?? untyped else { continue }
      types[ExactText(table.name)] = type
      // The app's own tables stand before those of types that it does not have.
      if names[ExactText(type)] == nil { names[ExactText(type)] = table.name }
    }
  }

  func name(of type: String) -> String { names[ExactText(type)] ?? type }

  func columns(of type: String) -> [DocumentMember] {
    (tables[ExactText(type)]?.columns ?? []).compactMap(\.member).filter {
      if case .cast = $0.form { true } else { false }
    }
  }

  /// Finds the document of a row of a type by its id, which is bound later; nil where the type has
  /// no table that keeps rows.
  func documents(
    ofType type: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Statement? {
    guard let table = tables[ExactText(type)], table.key != nil else { return nil }
    return try connection.prepare(
      "SELECT data FROM \(quoted(table.sourceTable)) WHERE id = ? COLLATE BINARY")
  }

  /// The items that have no row, of those whose tables keep rows: not those of some that are only
  /// written to.
  func missing(
    of items: some Sequence<ItemName>, writeOnly: Set<ExactText>,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<ItemName> {
    var missing: Set<ItemName> = []
    for (type, items) in Dictionary(grouping: items, by: \.table) {
      guard let table = type.flatMap({ tables[$0] }), table.key != nil,
        !writeOnly.contains(ExactText(table.sourceTable))
      else { continue }
      var statement = try connection.prepare(
        "SELECT 1 FROM \(quoted(table.sourceTable)) WHERE id = ? COLLATE BINARY")
      for item in items {
        statement.reset()
        try statement.bind(item.id.wrappedValue, at: 1)
        if !(try statement.step()) { missing.insert(item) }
      }
    }
    return missing
  }

  /// Tells of operations on what is no table, nor anything that a trigger writes under its name.
  func findUnknown(
    in queue: inout Queue, _ catalogue: Catalogue, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var known = Set(catalogue.tables.map { ExactText($0.name) })
    var isSearched = false
    for operation in queue.operations {
      guard let table = operation.table, !known.contains(ExactText(table)) else { continue }
      if !isSearched { known.formUnion(try PowerSyncView.typesOfTriggers(in: connection)) }
      isSearched = true
      guard !known.contains(ExactText(table)) else { continue }
      queue.tell(
        Finding(
          "operation-for-unknown-table", operation.kind == .delete ? .warning : .error, operation,
          "the operation names a table that the store does not have"))
    }
  }

  /// The item as the service knows it; nil where an operation does not tell which it is.
  func item(of operation: PendingOperation) -> ItemName? {
    guard let table = operation.table, let id = operation.itemID else { return nil }
    return ItemName(id, of: types[ExactText(table)] ?? table)
  }
}
