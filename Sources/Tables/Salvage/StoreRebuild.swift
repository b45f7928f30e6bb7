import Bytes
package import SQLite
package import SQLiteFile

/// Makes a new database of what can be read of a damaged one, page by page.
///
/// All tables of the damaged schema get a plain one each, so that nobody takes the rows of one for those
/// of another. When the rows are there, the schema is put back as the app has written it, and what the
/// engine needs for it: from then on the tables are read as those of any store.
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
    let entries = salvage.readSchema()
    let encoding = DatabaseEncoding(rawValue: salvage.encoding.rawValue) ?? .utf8
    let schema = try DamagedSchema(entries, encoding)
    let tables = schema.tables.map(\.table)
    try prepare(new, file.header, encoding)
    for table in tables { try new.execute(table.creation) }
    var insertion = RowInsertion(into: tables, encoding: encoding)
    let indexes = entries.filter { $0.word == .index && $0.root > 0 }.map(\.root)
    var accounts = try salvage.recover(
      tables.map(\.profile), indexes: indexes,
      // Where nothing can be read, all that is there is told.
      others: tables.isEmpty ? [] : schema.unreadRoots
    ) { (table, key, values, arena) throws(SQLiteError) in
      try insertion.insert(key, values, arena, into: table, of: new)
    }
    for table in accounts.indices { accounts[table].refuse(insertion.refused[table]) }
    for index in tables.flatMap(\.indexes) { try new.execute(index.creation) }
    try new.replaceSchema(with: schema.lines(new.rootPages()), in: encoding)
    try new.execute("COMMIT")
    salvage.countUnclaimedRows(besides: tables.map(\.profile))
    var account = salvage.account
    account.tables = accounts
    account.unreadableTables = schema.unreadNames
    account.insides = Set(
      accounts.map { ExactText($0.name) }.filter { schema.isInside($0.wrappedValue) })
    return account
  }

  private func prepare(
    _ new: borrowing Connection, _ header: FileHeader, _ encoding: DatabaseEncoding
  ) throws(SQLiteError) {
    try new.write(in: encoding)
    try new.execute(
      """
      PRAGMA page_size = \(header.pageSize);
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA application_id = \(header.applicationID);
      PRAGMA user_version = \(header.userVersion);
      BEGIN
      """)
  }
}
