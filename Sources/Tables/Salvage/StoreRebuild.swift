package import SQLite
package import SQLiteFile

/// Makes a new database of what can be read of a damaged one, page by page.
package struct StoreRebuild {
  /// The damaged database.
  package let path: String
  /// Stops the work when it is raised.
  let interruption: Interruption

  /// Takes all its parts.
  package init(path: String, interruption: Interruption) {
    self.path = path
    self.interruption = interruption
  }

  /// Fills a new, empty database.
  ///
  /// - Throws: `SQLiteError` when the damaged file cannot be read at all, nothing is found, or the
  ///   new one cannot be written.
  package func fill(_ new: borrowing Connection) throws(SQLiteError) -> SalvageAccount {
    new.watch(interruption)
    var salvage: Salvage
    let file: PageFile
    do {
      file = try PageFile(salvaging: path)
      salvage = try Salvage(of: file) { [interruption] in interruption.isRaised }
    } catch {
      throw SQLiteError(error)
    }
    try prepare(new, file.header)
    let entries = salvage.readSchema()
    let tables = try RebuiltTable.make(of: entries, in: new)
    var insertion = RowInsertion(tables: tables, encoding: salvage.encoding)
    let indexes = entries.filter { $0.type == "index" && $0.root > 0 }.map(\.root)
    let accounts = try salvage.recover(tables.map(\.profile), indexes: indexes) {
      (table, key, values, arena) throws(SQLiteError) in
      try insertion.insert(key, values, arena, into: table, of: new)
    }
    try new.execute("COMMIT")
    salvage.countUnclaimedRows()
    var account = salvage.account
    account.tables = accounts
    for table in accounts.indices { account.tables[table].refuse(insertion.refused[table]) }
    account.unreadableTables = RebuiltTable.namesMissing(in: tables, of: entries)
    return account
  }

  private func prepare(
    _ new: borrowing Connection, _ header: FileHeader
  ) throws(SQLiteError) {
    try new.execute(
      """
      PRAGMA page_size = \(header.pageSize);
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA ignore_check_constraints = ON;
      PRAGMA application_id = \(header.applicationID);
      PRAGMA user_version = \(header.userVersion);
      BEGIN
      """)
  }
}
