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
  /// The types of which the app has no table, and the service has sent rows.
  private(set) var untyped: Set<ExactText> = []

  init(_ planned: [PlannedTable], _ catalogue: Catalogue) {
    for (planned, table) in zip(planned, catalogue.tables) {
      let own = planned.sourceTable.removing(prefix: PowerSync.data)
      if let own { tables[ExactText(own)] = planned }
      let untyped = planned.sourceTable == PowerSync.untyped ? planned.sourceName : nil
      guard let type = own ?? untyped else { continue }
      if own == nil { self.untyped.insert(ExactText(type)) }
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

  /// The items that have no row, of those whose types keep rows: not those of some that are only
  /// written to.
  func missing(
    of items: some Sequence<ItemName>, among kept: PowerSyncKeptRows,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<ItemName> {
    var missing: Set<ItemName> = []
    for (type, items) in Dictionary(grouping: items, by: \.table) {
      guard let type, var statement = try question(about: type, kept, connection) else { continue }
      for item in items {
        statement.reset()
        try statement.bind(item.id.wrappedValue, at: 1)
        if !(try statement.step()) { missing.insert(item) }
      }
    }
    return missing
  }

  /// Finds a row of a type by its id, which is bound later; nil where none need be there.
  private func question(
    about type: ExactText, _ kept: PowerSyncKeptRows, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Statement? {
    guard let table = tables[type] else {
      guard kept.untyped.contains(type) else { return nil }
      var statement = try connection.prepare(
        "SELECT 1 FROM \(PowerSync.untyped) WHERE id = ?1 COLLATE BINARY "
          + "AND type = ?2 COLLATE BINARY")
      try statement.bind(type.wrappedValue, at: 2)
      return statement
    }
    guard table.key != nil, !kept.writeOnly.contains(ExactText(table.sourceTable)) else {
      return nil
    }
    return try connection.prepare(
      "SELECT 1 FROM \(quoted(table.sourceTable)) WHERE id = ? COLLATE BINARY")
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

/// Which tables of documents keep the rows that operations write.
struct PowerSyncKeptRows {
  /// The tables that are only written to.
  let writeOnly: Set<ExactText>
  /// The types without a table, but for those that triggers of a table of the app's own write.
  let untyped: Set<ExactText>

  init(_ rows: PowerSyncRows, _ connection: borrowing Connection) throws(SQLiteError) {
    writeOnly = try PowerSyncView.writeOnlyTables(in: connection)
    untyped =
      rows.untyped.isEmpty
      ? [] : rows.untyped.subtracting(try PowerSyncView.typesOfTriggers(in: connection))
  }
}
