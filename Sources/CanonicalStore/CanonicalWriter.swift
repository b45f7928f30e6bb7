package import Bytes
import Pages
package import Records
import SQLite

/// A canonical store that is being built beside its destination.
///
/// Nothing stands under the final name until `publish` has checked and flushed the whole file;
/// a value that ends before that leaves nothing behind.
package struct CanonicalWriter: ~Copyable {
  private var file: StoreFile
  private let staged: StagedFile
  private var source: Int64 = 0
  private var operations: TableLoad
  private var rejects: RejectLoad

  /// Begins a store for `destination`.
  ///
  /// - Throws: `StoreError` when the destination exists and may not be replaced, or the file cannot
  ///   be made.
  package init(destination: String, replacing: Bool) throws(StoreError) {
    let staged = try storeErrors { () throws(FileError) in
      try StagedFile(for: destination, replacing: replacing)
    }
    var file = try storeErrors(path: destination) { () throws(StoreError) in
      try Self.makeFile(staged.temporaryPath)
    }
    let operations = try TableLoad("rehome_operation", valueCount: 12, into: &file)
    let rejects = try RejectLoad(into: &file)
    self.file = file
    self.staged = staged
    self.operations = operations
    self.rejects = rejects
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
    try withEngine { (connection) throws(SQLiteError) in
      try connection.insert(
        into: "rehome_source",
        [
          .integer(number), .text(description.name), .text(description.layout.rawValue),
          .optionalText(description.generation), .text(JSONText.array(description.evidence)),
          .text(JSONText.object(description.metadata)), .text(catalogue.nameOrigin.rawValue),
          .text(time.text), .text(toolVersion),
        ])
      for (position, table) in catalogue.tables.enumerated() {
        try connection.createTable(table, position: position)
      }
    }
  }

  /// Begins to load a table of the catalogue; its rows come next.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package mutating func beginTable(_ table: Table) throws(StoreError) -> LoadedTable {
    let width = table.columns.count
    return try storeErrors(path: staged.destination) { () throws(StoreError) in
      LoadedTable(
        table,
        try TableLoad(
          table.name, valueCount: width, indexed: table.index(of: .id), into: &file))
    }
  }

  /// Adds the rows of a batch to a table; `read` and `written` are counted independently.
  ///
  /// - Throws: `StoreError` when a row cannot be written.
  package mutating func insert(
    _ batch: borrowing RecordBatch, into loaded: inout LoadedTable
  ) throws(StoreError) {
    loaded.balance.read += batch.rowCount
    loaded.balance.count(batch.rejects)
    let path = staged.destination
    do {
      loaded.balance.written += try loaded.load.insert(batch, into: &file)
      try rejects.insert(rejectsOf: batch, table: loaded.table, source: source, into: &file)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Records the books of a table, and builds the index on its id column.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package mutating func finish(_ loaded: consuming LoadedTable) throws(StoreError) {
    let balance = loaded.balance
    let table = loaded.table
    try withEngine { (connection) throws(SQLiteError) in try connection.write(balance) }
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      guard let id = table.index(of: .id) else { return try loaded.load.finish(&file) }
      try loaded.load.finish(&file, index: table.indexName) { (connection) throws(SQLiteError) in
        try connection.createIndex(of: table, on: id)
      }
    }
  }

  /// Writes the operations, errors and tokens of the current source.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package mutating func write(_ queue: Queue) throws(StoreError) {
    let number = source
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      try queue.forEachStoredBatch(source: number) { (batch) throws(StoreError) in
        _ = try operations.insert(batch, into: &file)
      }
    }
    try withEngine { (connection) throws(SQLiteError) in
      try connection.write(queue.errors, source: number)
      try connection.write(queue.tokens, source: number)
    }
  }

  /// Writes a value that an earlier run could not take.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package mutating func write(_ reject: StoredReject) throws(StoreError) {
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      try rejects.insert(reject, source: source, into: &file)
    }
  }

  /// Writes what was found in the current source, and the files that were read.
  ///
  /// - Throws: `StoreError` when the file cannot be written.
  package mutating func write(findings: [Finding], files: [SourceFile]) throws(StoreError) {
    let number = source
    try withEngine { (connection) throws(SQLiteError) in
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
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      try operations.finish(&file)
      try rejects.finish(&file)
    }
    try check()
    // The database must be closed before its file is flushed and renamed.
    _ = consume file
    do {
      try staged.publish()
    } catch {
      throw StoreError(error)
    }
  }

  /// Reads every page again, on all processors, and looks for what contradicts itself.
  private mutating func check() throws(StoreError) {
    let path = staged.temporaryPath
    let report = try storeErrors(path: staged.destination) { () throws(StoreError) in
      try file.useEngine()
      try storeErrors { () throws(SQLiteError) in try file.connection.execute("COMMIT") }
      return try storeErrors { () throws(PageError) in
        try Pages.PageFile(opening: path).checkStructure(threads: threadCount())
      }
    }
    if let damage = report.damage.first {
      throw StoreError(
        .internalError, "the new store does not pass its check: \(damage.description)")
    }
  }

  /// Runs `body` while the engine may write.
  private mutating func withEngine(
    _ body: (borrowing Connection) throws(SQLiteError) -> Void
  ) throws(StoreError) {
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      try file.useEngine()
      try storeErrors { () throws(SQLiteError) in try body(file.connection) }
    }
  }

  /// What the engine allows, less the key.
  private static let mostColumns = 1999

  /// Makes the bookkeeping of a file that nobody sees before it is complete: no journal, no
  /// waiting.
  private static func makeFile(_ path: String) throws(StoreError) -> StoreFile {
    let connection = try storeErrors { () throws(SQLiteError) in
      let connection = try Connection(opening: path, mode: .readWrite)
      try connection.execute(
        """
        PRAGMA page_size = 8192;
        PRAGMA auto_vacuum = NONE;
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA cache_size = -16384;
        PRAGMA temp_store = FILE;
        PRAGMA application_id = \(CanonicalSchema.applicationID);
        PRAGMA user_version = \(CanonicalSchema.version);
        """)
      return connection
    }
    var file = try StoreFile(connection)
    try file.useEngine()
    try storeErrors { () throws(SQLiteError) in
      for statement in CanonicalSchema.statements { try file.connection.execute(statement) }
      try file.connection.insert(into: "rehome_meta", [.text("format"), .text("1")])
    }
    return file
  }
}
