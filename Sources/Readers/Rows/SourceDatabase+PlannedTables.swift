import Records
import SQLite

extension SourceDatabase {
  /// How many rows a planned table has.
  borrowing func countRows(of table: PlannedTable) throws(StoreError) -> Int {
    try storeErrors { () throws(SQLiteError) in Int(try connection.integer(table.counting())) }
  }

  /// Lends the rows of a planned table in key order, a batch at a time.
  borrowing func forEachBatch(
    of table: PlannedTable, externalData: ExternalDataFolder? = nil,
    wanting columns: Set<Int>? = nil,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var plan: [CellDecoding] = []
    for column in table.columns { plan.append(try decoding(of: column)) }
    var statement = try storeErrors { () throws(SQLiteError) in
      try connection.prepare(table.selection)
    }
    let decoder = RowDecoder(
      plan: plan, numbersRows: table.key == nil, externalData: externalData, wanting: columns)
    try decoder.forEachBatch(of: &statement, body)
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
  borrowing func isSourceUnchanged() throws(StoreError) -> Bool {
    try storeErrors { () throws(SQLiteError) in try isUnchanged() }
  }
}
