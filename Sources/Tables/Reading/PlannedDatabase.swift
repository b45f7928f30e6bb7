package import Records
package import SQLite

/// A database of which the tables of the catalogue are planned, in the catalogue's order.
package final class PlannedDatabase {
  package let database: SourceDatabase
  package let tables: [PlannedTable]
  /// Where large values are kept beside the database, where a layout does so.
  private let externalData: ExternalDataFolder?

  /// Takes over an open database.
  package init(
    _ database: consuming SourceDatabase, _ tables: [PlannedTable],
    externalData: ExternalDataFolder? = nil
  ) {
    self.database = database
    self.tables = tables
    self.externalData = externalData
  }

  /// The rows of a table, from its pages where that works, and else with the engine; those that
  /// operations name are noted by the way, but for rows with documents.
  package func rows(
    ofTable table: Int, wanting cells: WantedCells?, naming: RowMatching?
  ) throws(StoreError) -> TableRows.Form {
    let (planned, folder) = (tables[table], externalData)
    let parts = try database.rowParts(
      of: planned, externalData: folder, wanting: cells, naming: naming)
    if let parts { return .parts(parts) }
    return .batches { (body) throws(StoreError) in
      try self.database.forEachBatchOfStatement(
        of: planned, externalData: folder, wanting: cells, naming: naming, body)
    }
  }
}

/// A reader whose tables are those of one planned database.
package protocol DatabaseReader: StoreReader {
  var planned: PlannedDatabase { get }

  /// What finds the rows of a table that operations name, while it is read; nil where nothing does.
  func naming(ofTable table: Int) -> RowMatching?
}

extension DatabaseReader {
  package var inputFiles: [String] { planned.database.files.withContent.map(\.path) }

  package func isSourceUnchanged() throws(StoreError) -> Bool {
    try planned.database.isSourceUnchanged()
  }

  package func countRows(inTable table: Int) throws(StoreError) -> Int {
    try planned.database.countRows(of: planned.tables[table])
  }

  package func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    try planned.rows(ofTable: table, wanting: cells, naming: naming(ofTable: table))
  }

  package func naming(ofTable table: Int) -> RowMatching? { nil }
}
