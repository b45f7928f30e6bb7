package import Bytes
package import Records
package import SQLite

/// A new store of a Community Toolkit app: an Entity Framework database with its queue.
///
/// It is built beside its destination, so it has identity.
package final class ToolkitStore: StoreWriter {
  package static var keepsRejects: Bool { false }

  private let file: AppStoreFile
  private let template: ToolkitTemplate?
  private var types: ToolkitTypes
  private var tables: [ToolkitTable] = []
  private var rows: AppRows<ToolkitTable>?
  private var books: [TableBalance] = []
  private var shortfalls = Shortfalls()

  /// Begins a store for `destination`, in a copy of the app's own empty store where one is given.
  ///
  /// - Throws: `StoreError` when the template is no store of the toolkit, or the file cannot be made.
  package init(
    destination: String, replacing: Bool, template: AppTemplate?, types: ToolkitTypes,
    interruption: Interruption
  ) throws(StoreError) {
    self.types = types
    self.template = try template.map { (template) throws(StoreError) in
      try ToolkitTemplate(template)
    }
    file = try AppStoreFile(
      destination: destination, replacing: replacing, template: template,
      interruption: interruption)
    guard template == nil else { return }
    try file.withDatabase { (connection) throws(SQLiteError) in
      try connection.execute(ToolkitNames.systemTables)
    }
  }

  package func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) throws(StoreError) {
    types.add(description.metadata)
    if let template {
      tables += try template.tables(for: catalogue, types: types.known)
      shortfalls.add(
        .warning, "triggers of the template, which have not run",
        count: try template.countTriggers())
      return
    }
    for table in catalogue.tables {
      guard !ToolkitNames.isReserved(table.name) else {
        throw StoreError(
          .usage, "the toolkit needs the table name \(table.name) for itself",
          hint: "rename the table, or leave it out with --exclude-table")
      }
      let plan = ToolkitTable(making: table)
      try file.withDatabase { (connection) throws(SQLiteError) in
        try connection.execute(plan.creation)
      }
      tables.append(plan)
    }
  }

  package func beginTable(_ table: Table) throws(StoreError) {
    guard let plan = tables.first(where: { $0.source.name == table.name }) else {
      throw StoreError(.internalError, "the table \(table.name) was not announced")
    }
    rows = try file.withDatabase { (connection) throws(SQLiteError) in
      try AppRows(plan, connection)
    }
  }

  package func insert(_ batch: inout RecordBatch) throws(StoreError) {
    try storeErrors(path: file.destination) { () throws(SQLiteError) in
      try rows?.insert(batch, &shortfalls)
    }
    batch.removeAll()
  }

  package func endTable(counted count: Int, lost: Int, merged: Int) throws(StoreError) {
    guard var rows = rows.take() else { return }
    try rows.end(counted: count, lost: lost, merged: merged)
    books.append(rows.balance)
  }

  package func write(_ queue: Queue) throws(StoreError) -> Queue {
    let (tables, types) = (tables, types)
    return try file.withDatabase { (connection) throws(SQLiteError) in
      var writer = try ToolkitQueueWriter(tables, types, connection)
      let written = try writer.write(queue, connection)
      shortfalls.merge(writer.shortfalls)
      return written
    }
  }

  package func write(_ reject: StoredReject) throws(StoreError) {
    shortfalls.add(
      .warning, table: reject.table,
      "values of \(reject.table) that were rejected before, of which only the source tells")
  }

  /// The report has them; the store has no place for them.
  package func write(_ rows: [MergedRow]) {}

  /// The report has them; the store has no place for them.
  package func write(findings: [Finding], files: [SourceFile]) {}

  package func balances() -> [TableBalance] { books }

  package func takeFindings() -> [Finding] { shortfalls.take() }

  package consuming func publish() throws(StoreError) { try file.publish() }
}
