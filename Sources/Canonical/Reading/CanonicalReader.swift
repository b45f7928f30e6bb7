import Bytes
package import Records
package import SQLite
package import Tables

/// Reads a canonical store of format 1, as `rehome-store(5)` describes it.
package final class CanonicalReader: DatabaseReader, KeptRecords {
  package var source: SourceDescription
  package let catalogue: Catalogue
  package let findings: Findings
  package let planned: PlannedDatabase

  /// Takes over an open database that carries the mark of a canonical store.
  ///
  /// - Throws: `StoreError` when its format is newer than this tool, or its bookkeeping is damaged.
  package init(_ database: consuming SourceDatabase) throws(StoreError) {
    let path = database.files.main.path
    try Self.checkFormat(of: database)
    let bookkeeping = try storeErrors("the store's bookkeeping cannot be read", path: path) {
      () throws(SQLiteError) in
      try RehomeBookkeeping(reading: database.connection, name: Paths.fileName(of: path))
    }
    source = bookkeeping.source
    let comparison = CatalogueComparison(
      bookkeeping.catalogue,
      try storeErrors(path: path) { () throws(SQLiteError) in
        try database.connection.tables()
      })
    catalogue = comparison.catalogue
    findings =
      database.sideFindings(isSynchronised: false) + bookkeeping.findings + comparison.findings
    planned = PlannedDatabase(database, catalogue.tables.map(PlannedTable.init(canonical:)))
  }

  package var kept: (any KeptRecords)? { self }

  package func catalogueByValues() throws(StoreError) -> Catalogue {
    var result = catalogue
    for (number, table) in planned.tables.enumerated() {
      let undecided = table.columns.indices.filter { table.columns[$0].column.isUndecided }
      let census = try storeErrors { () throws(SQLiteError) in
        try planned.database.census(ofColumns: undecided, of: table)
      }
      // A replay, or a person, may have brought values since.
      for (place, census) in zip(undecided, census) where !census.isEmpty {
        result.tables[number].columns[place].isUndecided = false
      }
    }
    return result
  }

  package func examineRows() throws(StoreError) -> [Finding] { try findingsOfRejects() }

  package func readQueue() throws(StoreError) -> Queue { try readQueue([]) }

  package func readQueue(_ reading: QueueReading) throws(StoreError) -> Queue {
    let isOfSeveral = source.isOfSeveral
    let context = "the store's queue cannot be read"
    var queue = try storeErrors(context) { () throws(SQLiteError) in
      try planned.database.connection.readCanonicalQueue(ofSeveral: isOfSeveral)
    }
    let decoder = CanonicalOperationDecoder(
      marks: queue.marks, reading, ofSeveral: isOfSeveral)
    let read = try storeErrors(context) { () throws(StoreError) in
      try planned.database.readCanonicalOperations(onPages: decoder)
    }
    if let read {
      queue.operations = read
    } else {
      queue.operations = try storeErrors(context) { () throws(SQLiteError) in
        try planned.database.connection.readCanonicalOperations(decoder) { queue.tell($0) }
      }
    }
    queue.deliveries = try storeErrors(context) { () throws(StoreError) in
      try readDeliveries(of: queue.operations)
    }
    return queue
  }

  /// As for other stores, but of each line only what counts is read.
  private func readDeliveries(of operations: OperationList) throws(StoreError) -> Deliveries {
    let rows = try storeErrors { () throws(SQLiteError) in
      try planned.database.connection.prepareDeliveries()
    }
    guard var rows else { return Deliveries() }
    var lines = DeliverySort(of: operations, ofSeveral: source.isOfSeveral)
    while try Self.step(&rows) { try lines.add(JournalLine(delivery: rows)) }
    return try lines.deliveries()
  }

  package func forEachDeviceItem(
    _ body: (DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard source.isOfSeveral else { return }
    var statement = try storeErrors { () throws(SQLiteError) in
      try planned.database.connection.prepareDeviceItems()
    }
    while try Self.step(&statement) { try body(DeviceItem(canonical: statement)) }
  }

  package func forEachJournalLine(
    _ body: (JournalLine) throws(StoreError) -> Void
  ) throws(StoreError) {
    try forEachRecord(of: CanonicalSchema.journal, body)
  }

  package func countJournalLines() throws(StoreError) -> Int {
    try storeErrors { () throws(SQLiteError) in
      let name = CanonicalSchema.journal.name
      let columns = try planned.database.connection.columns(ofTable: name)
      guard !columns.isEmpty else { return 0 }
      return Int(try planned.database.connection.integer("SELECT count(*) FROM \(name)"))
    }
  }

  package func forEachStoredReject(
    _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    let isOfSeveral = source.isOfSeveral
    try forEachRecord(of: CanonicalSchema.rejects) { (reject) throws(StoreError) in
      try body(reject.known(toBeOfSeveral: isOfSeveral))
    }
  }

  package func forEachStoredMergedBatch(
    _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let isOfSeveral = source.isOfSeveral
    var rows: [MergedRow] = []
    var size = 0
    let codes = "code IN ('\(MergedRow.code)', '\(MergedRow.formerCode)')"
    try forEachRecord(of: CanonicalSchema.mergedRows, where: codes) { (row) throws(StoreError) in
      rows.append(row.known(toBeOfSeveral: isOfSeveral))
      size += row.item?.count ?? 0
      guard rows.count == 1000 || size > 1 << 20 else { return }
      try body(rows)
      rows.removeAll(keepingCapacity: true)
      size = 0
    }
    if !rows.isEmpty { try body(rows) }
  }

  /// Lends records in the order in which they were written.
  private func forEachRecord<Record>(
    of table: RecordTable<Record>, where condition: String = "true",
    _ body: (Record) throws(StoreError) -> Void
  ) throws(StoreError) {
    let rows = try storeErrors { () throws(SQLiteError) in
      try planned.database.connection.records(of: table, "WHERE \(condition) ORDER BY id")
    }
    guard var rows else { return }
    while let record = try rows.next(path: nil) { try body(record) }
  }

  private static func step(_ statement: inout Statement) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw StoreError(error)
    }
  }

  private static func checkFormat(of database: borrowing SourceDatabase) throws(StoreError) {
    let version = try storeErrors { () throws(SQLiteError) in
      try database.connection.integer("PRAGMA user_version")
    }
    guard version == 1 else {
      throw StoreError(
        .unsupported, path: database.files.main.path,
        "the store has format \(version), and this rehome reads format 1",
        hint: "use the rehome that wrote it, or a newer one")
    }
  }
}

extension PlannedTable {
  fileprivate init(canonical table: Table) {
    self.init(
      name: table.name, sourceName: table.name, sourceTable: table.name,
      columns: table.columns.enumerated().map { place, column in
        PlannedColumn(
          column: column, position: place, expression: quoted(column.name),
          decoding: CellDecoding(canonical: column.type))
      },
      origin: quoted(table.name) + " NOT INDEXED", key: "_pk", order: "_pk")
  }
}

extension CellDecoding {
  /// How a canonical store keeps a type: in its one spelling, by storage class.
  init(canonical type: LogicalType) {
    switch type {
    case .text, .decimal, .uuid, .uri, .json: self = .text
    case .timestamp: self = .timestampText
    case .integer: self = .integer
    case .reference: self = .reference(otherSide: [:])
    case .boolean: self = .boolean
    case .real: self = .real
    case .binary: self = .binary
    }
  }
}
