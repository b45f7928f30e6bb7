package import Bytes
package import Records
import SQLite

/// A canonical store that is being built beside its destination.
///
/// Nothing stands under the final name until `publish` has checked and flushed the whole file;
/// a value that ends before that leaves nothing behind.
package struct CanonicalWriter: ~Copyable {
  let connection: Connection
  private let staged: StagedFile
  private var source: Int64 = 0

  /// Begins a store for `destination`.
  ///
  /// - Throws: `StoreError` when the destination exists and may not be replaced, or the file cannot
  ///   be made.
  package init(destination: String, replacing: Bool) throws(StoreError) {
    let staged = try storeErrors { () throws(FileError) in
      try StagedFile(for: destination, replacing: replacing)
    }
    connection = try storeErrors(path: destination) { () throws(SQLiteError) in
      let connection = try Connection(opening: staged.temporaryPath, mode: .readWrite)
      try Self.configure(connection)
      return connection
    }
    self.staged = staged
  }

  /// Registers the source whose tables, rows and queue come next, and makes its tables.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package mutating func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) throws(StoreError) {
    source += 1
    let number = source
    if let wide = catalogue.tables.first(where: { $0.columns.count > Self.mostColumns }) {
      throw StoreError(
        .unsupported,
        "the table \(wide.name) has \(wide.columns.count) columns; with _pk the "
          + "engine takes \(Self.mostColumns) besides it", hint: "leave it out with --exclude-table"
      )
    }
    try storeErrors(path: staged.destination) { () throws(SQLiteError) in
      try connection.insert(
        into: "rehome_source",
        [
          .integer(number), .text(description.name), .text(description.layout.rawValue),
          .optionalText(description.generation), .text(JSONText.array(description.evidence)),
          .text(JSONText.object(description.metadata)), .text(catalogue.nameOrigin.rawValue),
          .text(time.text), .text(toolVersion),
        ])
      for (position, table) in catalogue.tables.enumerated() {
        try createTable(table, position: position)
      }
    }
  }

  /// Loads the rows that `produce` lends, a batch at a time, into one table.
  ///
  /// - Returns: the table's books; `read` and `written` are counted independently.
  /// - Throws: `StoreError` of the producer, or when a row cannot be written.
  package mutating func load(
    _ table: Table,
    from produce: ((inout RecordBatch) throws(StoreError) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) -> TableBalance {
    var balance = TableBalance(name: table.name)
    let number = source
    let destination = staged.destination
    var insert = try storeErrors(path: destination) { () throws(SQLiteError) in
      try BulkInsert(into: table.name, valueCount: table.columns.count, of: connection)
    }
    try produce { (batch) throws(StoreError) in
      balance.read += batch.rowCount
      balance.count(batch.rejects)
      balance.written += try storeErrors(path: destination) { () throws(SQLiteError) in
        try connection.insertRejects(of: batch, table: table, source: number)
        return try insert.insert(batch)
      }
    }
    return balance
  }

  /// Records the books of a table, and builds the index on its id column.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func finish(_ table: Table, balance: TableBalance) throws(StoreError) {
    try storeErrors(path: staged.destination) { () throws(SQLiteError) in
      var statement = try connection.prepare(
        """
        UPDATE rehome_table SET "read" = ?2, written = ?3, rejected = ?4, filtered = ?5
        WHERE name = ?1
        """)
      try statement.bind(table.name, at: 1)
      let counts = [balance.read, balance.written, balance.rejected, balance.filtered]
      for (place, count) in counts.enumerated() {
        try statement.bind(Int64(count), at: place + 2)
      }
      try statement.run()
      guard let id = table.index(of: .id) else { return }
      try connection.execute(
        """
        CREATE INDEX \(quoted("rehome_index_" + table.name))
        ON \(quoted(table.name)) (\(quoted(table.columns[id].name)))
        """)
    }
  }

  /// Writes the operations, errors and tokens of the current source.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func write(_ queue: Queue) throws(StoreError) {
    let number = source
    try storeErrors(path: staged.destination) { () throws(SQLiteError) in
      try connection.write(queue, source: number)
    }
  }

  /// Writes a value that an earlier run could not take.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func write(_ reject: StoredReject) throws(StoreError) {
    let raw = reject.raw ?? .binary([])
    let number = source
    try storeErrors(path: staged.destination) { () throws(SQLiteError) in
      var statement = try connection.prepareInsert(into: "rehome_reject", valueCount: 8)
      try statement.insert([
        .optionalInteger(nil), .integer(number), .text(reject.table), .integer(reject.row),
        .text(reject.column), .text(reject.code), .text(raw.storageName), .raw(raw),
      ])
    }
  }

  /// Writes what was found in the current source, and the files that were read.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package func write(findings: [Finding], files: [SourceFile]) throws(StoreError) {
    let number = source
    try storeErrors(path: staged.destination) { () throws(SQLiteError) in
      for file in files {
        try connection.insert(
          into: "rehome_source_file",
          [.integer(number), .text(file.name), .integer(Int64(file.bytes)), .text(file.sha256)])
      }
      for finding in findings { try connection.write(finding, source: number) }
    }
  }

  /// Checks the file, flushes it and gives it its name.
  ///
  /// - Throws: `StoreError` when the check fails or the file cannot be published.
  package consuming func publish() throws(StoreError) {
    try Self.finishFile(connection, staged.destination)
    // The database must be closed before its file is flushed and renamed.
    _ = consume connection
    do {
      try staged.publish()
    } catch {
      throw StoreError(error)
    }
  }

  private static func finishFile(
    _ connection: borrowing Connection, _ destination: String
  ) throws(StoreError) {
    let report = try storeErrors(path: destination) { () throws(SQLiteError) in
      try connection.execute("COMMIT")
      return try connection.quickCheck()
    }
    if let complaint = report.damage.first ?? report.remarks.first {
      throw StoreError(.internalError, "the new store does not pass its check: \(complaint)")
    }
  }

  /// What the engine allows, less the key.
  private static let mostColumns = 1999

  /// Settings for a file that nobody sees before it is complete: no journal, no waiting.
  private static func configure(_ connection: borrowing Connection) throws(SQLiteError) {
    try connection.execute(
      """
      PRAGMA page_size = 8192;
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -16384;
      PRAGMA temp_store = FILE;
      PRAGMA application_id = \(CanonicalSchema.applicationID);
      PRAGMA user_version = \(CanonicalSchema.version);
      BEGIN;
      """)
    for statement in CanonicalSchema.statements { try connection.execute(statement) }
    try connection.insert(into: "rehome_meta", [.text("format"), .text("1")])
  }

  private func createTable(_ table: Table, position: Int) throws(SQLiteError) {
    let columns = table.columns.map { "\(quoted($0.name)) \($0.type.storageName)" }
    let declarations = (["_pk INTEGER PRIMARY KEY"] + columns).joined(separator: ", ")
    try connection.execute("CREATE TABLE \(quoted(table.name)) (\(declarations)) STRICT")
    var statement = try connection.prepare(
      "INSERT INTO rehome_table (name, position, sourceName, sourceTable) VALUES (?, ?, ?, ?)")
    try statement.bind(table.name, at: 1)
    try statement.bind(Int64(position), at: 2)
    try statement.bind(table.sourceName, at: 3)
    try statement.bind(table.sourceTable, at: 4)
    try statement.run()
    for (position, column) in table.columns.enumerated() {
      try connection.insert(
        into: "rehome_column",
        [
          .text(table.name), .integer(Int64(position)), .text(column.name),
          .text(column.sourceName), .text(column.sourceColumn), .text(column.type.rawValue),
          .text(column.role.rawValue), .integer(column.isNullable ? 1 : 0),
          .optionalText(column.target),
        ])
    }
  }
}
