import Bytes
package import Records
import SQLite
import SQLiteFile

extension SourceDatabase {
  /// How many rows a planned table has.
  package borrowing func countRows(of table: PlannedTable) throws(StoreError) -> Int {
    try storeErrors { () throws(SQLiteError) in
      // The check of the file has counted whole tables, with code that does not read rows.
      if let place = try PageTable(table, connection), place.condition == nil,
        let count = rowCounts[place.root]
      {
        return count
      }
      return Int(try connection.integer(table.counting()))
    }
  }

  /// Lends the rows of a planned table in key order, a batch at a time, with the engine's help, which
  /// every table can be read with; those that operations name are noted by the way, but for rows with
  /// documents.
  package borrowing func forEachBatchOfStatement(
    of table: PlannedTable, externalData: ExternalDataFolder? = nil,
    wanting cells: WantedCells? = nil, naming: RowMatching? = nil,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    try checkKeys(of: table)
    let decoder = try decoder(of: table, externalData, wanting: cells)
    let stored = table.hasMembers ? table.withDocumentAsColumn : nil
    var statement = try storeErrors { () throws(SQLiteError) in
      try connection.prepare((stored ?? table).selection)
    }
    if stored == nil { return try decoder.forEachBatch(of: &statement, naming: naming, body) }
    try decoder.forEachBatch(of: &statement, documentsFor: table.columns, body)
  }

  /// Throws unless the keys tell the rows apart, which only those that are row ids surely do.
  private borrowing func checkKeys(of table: PlannedTable) throws(StoreError) {
    guard let key = table.key else { return }
    let areFit = try storeErrors { () throws(SQLiteError) in
      if let physical = try connection.table(named: table.sourceTable),
        try TableKey.isRowID(key, of: physical, alias: TableKey.alias(in: physical, connection))
      {
        return true
      }
      let number = "CAST(\(key) AS INTEGER)"
      let isOther = "\(key) IS NULL OR CAST(\(number) AS TEXT) <> CAST(\(key) AS TEXT)"
      return try connection.integer(
        table.aggregating(["count(DISTINCT \(number)) = count(*) AND total(\(isOther)) = 0"])) != 0
    }
    guard areFit else {
      throw StoreError(
        .unsupported, path: files.main.path,
        "the rows of the table \(table.sourceTable.mended) cannot be told apart: their \(key) is missing, "
          + "no whole number, or the same", hint: "leave the table out with --exclude-table")
    }
  }

  /// The rows of a planned table in parts, some columns of which may be members of documents; nil
  /// where only the engine can read it.
  ///
  /// Those that operations name are noted by the way, but for rows with documents.
  borrowing func rowParts(
    of table: PlannedTable, externalData: ExternalDataFolder?, wanting cells: WantedCells?,
    naming: RowMatching?
  ) throws(StoreError) -> (any RowParts)? {
    guard table.hasMembers, let stored = table.withDocumentAsColumn else {
      return try parts(of: table, externalData: externalData, wanting: cells, naming: naming)
    }
    guard let parts = try parts(of: stored) else { return nil }
    return DocumentParts(
      parts, table.columns, decoder: try decoder(of: table, externalData, wanting: cells))
  }

  /// The rows of a planned table in parts; nil where only the engine can read it.
  package borrowing func parts(
    of table: PlannedTable, externalData: ExternalDataFolder? = nil,
    wanting cells: WantedCells? = nil, naming: RowMatching? = nil
  ) throws(StoreError) -> PageParts? {
    guard !needsEngine else { return nil }
    let found = try storeErrors { () throws(SQLiteError) in
      try pageTable(of: table)
    }
    guard let (place, shape) = found else { return nil }
    let decoder = try decoder(of: table, externalData, wanting: cells)
    return try storeErrors(path: files.main.path) { () throws(PageError) in
      let pages = try PageFile(of: file)
      guard pages.header.encoding == .utf8 else { return nil }
      return try PageParts(
        place, shape, in: pages, besides: overflowCounts[place.root] ?? 0, decoder: decoder,
        naming: naming)
    }
  }

  /// Where a table lies in the file, and what its records are; nil where only the engine can read it,
  /// or is asked sooner than for what it knows.
  private borrowing func pageTable(
    of table: PlannedTable
  ) throws(SQLiteError) -> (PageTable, TableShape)? {
    guard let place = try PageTable(table, connection) else { return nil }
    if place.hasDefaults, rowCounts[place.root].map({ $0 < Self.manyRows }) ?? false { return nil }
    return try place.shape(withDefaultsOf: connection).map { (place, $0) }
  }

  /// From how many rows on it is worth while to ask what rows without a column have there.
  private static var manyRows: Int { 1000 }

  private borrowing func decoder(
    of table: PlannedTable, _ externalData: ExternalDataFolder?, wanting cells: WantedCells?
  ) throws(StoreError) -> RowDecoder {
    var plan: [CellDecoding] = []
    for column in table.columns { plan.append(try decoding(of: column)) }
    return RowDecoder(
      plan: plan, numbersRows: table.key == nil, externalData: externalData, wanting: cells)
  }

  /// The decoding of a column, with the keys that only the other side of a relationship knows.
  private borrowing func decoding(of column: PlannedColumn) throws(StoreError) -> CellDecoding {
    guard let query = column.otherSide else { return column.decoding }
    return try storeErrors { () throws(SQLiteError) in
      var pairs: [Int64: Int64] = [:]
      var statement = try connection.prepare(query)
      while try statement.step() {
        // Should several rows claim one, the first in key order has it.
        let key = statement.integer(at: 0)
        if pairs[key] == nil { pairs[key] = statement.integer(at: 1) }
      }
      if case .entityName(let names, _) = column.decoding {
        return .entityName(names, otherSide: pairs)
      }
      return .reference(otherSide: pairs)
    }
  }

  /// Whether the original is as it was when it was opened.
  package borrowing func isSourceUnchanged() throws(StoreError) -> Bool {
    try storeErrors { () throws(SQLiteError) in try isUnchanged() }
  }
}
