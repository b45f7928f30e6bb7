import SQLite

extension IOSTraits {
  /// Looks at the tables of a store, and at payloads where the tables say nothing.
  ///
  /// `columns` holds the upper-case columns of every table, by upper-case name.
  init(
    reading connection: borrowing Connection, columns: [String: Set<String>]
  ) throws(SQLiteError) {
    hasConfiguration = columns[IOSNames.configurationTable] != nil
    hasTableKind = columns[IOSNames.operationsTable]?.contains("ZTABLEKIND") ?? false
    hasOperationID = columns[IOSNames.errorsTable]?.contains("ZOPERATIONID") ?? false
    // The version tells most; the dates are often the app's own.
    for column in ["VERSION", "UPDATEDAT", "CREATEDAT"] where oldTables + newTables == 0 {
      countTables(with: column, in: columns)
    }
    if oldTables + newTables == 0 {
      hasOldPayloads = try Self.payloads(of: connection, columns, contain: ["\"__version\""])
      hasNewPayloads = try Self.payloads(
        of: connection, columns, contain: ["\"version\"", "MicrosoftAzureMobile.ErrorDomain"])
    }
  }

  private mutating func countTables(with column: String, in columns: [String: Set<String>]) {
    for (table, names) in columns where table.hasPrefix("Z") && !table.hasPrefix("Z_") {
      guard !table.hasPrefix("ZMS_TABLE") else { continue }
      if names.contains("ZMS_" + column) { oldTables += 1 }
      if names.contains("Z" + column) { newTables += 1 }
    }
  }

  private static func payloads(
    of connection: borrowing Connection, _ columns: [String: Set<String>], contain texts: [String]
  ) throws(SQLiteError) -> Bool {
    for table in [IOSNames.operationsTable, IOSNames.errorsTable] {
      guard columns[table]?.contains("ZPROPERTIES") ?? false else { continue }
      for text in texts {
        var statement = try connection.prepare(
          """
          SELECT 1 FROM \(quoted(table))
          WHERE instr(CAST(ZPROPERTIES AS TEXT), \(quotedLiteral(text))) > 0 LIMIT 1
          """)
        if try statement.step() { return true }
      }
    }
    return false
  }
}
