package import Bytes
package import Records
import SQLite
package import SQLiteFile
import Tables

/// A canonical store that is being built beside its destination.
///
/// Nothing stands under the final name until `publish` has checked and flushed the whole file;
/// a value that ends before that leaves nothing behind.
package struct CanonicalWriter: ~Copyable {
  private var file: StoreFile
  private let staged: StagedFile
  /// The number of the first store that the current source tells of, and that for the next source.
  private var source: Int64 = 0
  private var nextSource: Int64 = 1
  /// The tables that were made so far.
  private var made: Set<ExactText> = []
  /// Whether the current source was made of several itself.
  private var isOfSeveral = false
  private var operations: TableLoad
  private var rejects: RejectLoad
  private var findings: FindingLoad
  /// Only stores of several devices have a table of these.
  private var deviceItems: RecordLoad<DeviceItem>?
  /// Whether the files of the current source are those of the store itself.
  private var keepsFiles = true
  /// Whether several sources share the tables.
  private let isMerging: Bool
  private let indexRoom = IndexRoom()

  /// Begins a store for `destination`; `merging` says that several sources share its tables.
  ///
  /// - Throws: `StoreError` when the destination exists and may not be replaced, or the file cannot
  ///   be made.
  package init(
    destination: String, replacing: Bool, merging: Bool = false
  ) throws(StoreError) {
    let staged = try storeErrors { () throws(FileError) in
      try StagedFile(for: destination, replacing: replacing)
    }
    var file = try storeErrors(path: destination) { () throws(StoreError) in
      try StoreFile.make(staged.temporaryPath, merging: merging)
    }
    let operations = try TableLoad(CanonicalSchema.operations, into: &file)
    let rejects = try RejectLoad(into: &file)
    let findings = try FindingLoad(merging: merging, into: &file)
    self.file = file
    self.staged = staged
    self.operations = operations
    self.rejects = rejects
    self.findings = findings
    isMerging = merging
  }

  /// Registers the source whose tables, rows and queue come next, and makes those of its tables that no
  /// source before had.
  package mutating func begin(
    _ description: SourceDescription, catalogue: Catalogue, at time: Timestamp, toolVersion: String
  ) throws(StoreError) {
    source = nextSource
    try catalogue.checkNames()
    if let wide = catalogue.tables.first(where: { $0.columns.count > Self.mostColumns }) {
      throw StoreError(
        .unsupported,
        "the table \(wide.name) has \(wide.columns.count) columns"
          + (wide.sourcePlace == nil ? "" : " with \(SourceColumn.name), which a merge adds")
          + "; the engine takes \(Self.mostColumns) beside _pk",
        hint: "leave it out with --exclude-table")
    }
    keepsFiles = description.earlier.isEmpty
    isOfSeveral = description.isOfSeveral
    let own = EarlierSource(number: 1, description, nameOrigin: catalogue.nameOrigin)
    let stores = keepsFiles ? [own] : description.earlier
    let before = source - 1
    nextSource = source + description.storeCount
    let new = catalogue.tables.filter { made.insert(ExactText($0.name)).inserted || !isMerging }
    let firstPosition = made.count - new.count
    try withEngine { (connection) throws(SQLiteError) in
      for var store in stores {
        store.number += before
        store.readAt = store.readAt ?? time.text
        store.toolVersion = store.toolVersion ?? toolVersion
        try connection.write(store)
      }
      for (place, table) in new.enumerated() {
        try connection.createTable(table, position: firstPosition + place)
      }
    }
  }

  /// The numbers in this store of the sources that the current one knows by numbers.
  private var numbering: SourceNumbers {
    SourceNumbers(before: source - 1, isOfSeveral: isOfSeveral)
  }

  /// Begins to load a table of the catalogue; its rows come next.
  package mutating func beginTable(_ table: Table) throws(StoreError) -> LoadedTable {
    // The rows of several sources do not come table by table.
    let room = isMerging ? indexRoom : nil
    return try storeErrors(path: staged.destination) { () throws(StoreError) in
      LoadedTable(
        table,
        try TableLoad(
          table.name, valueCount: table.columns.count, indexed: table.index(of: .id),
          sharing: room, into: &file))
    }
  }

  /// Adds the rows of a batch to a table; `read` and `written` are counted independently.
  ///
  /// Where the cells have been made before, the rows have the numbers of their sources in this store.
  package mutating func insert(
    _ batch: borrowing RecordBatch, encodedAs cells: RowCells? = nil,
    into loaded: inout LoadedTable
  ) throws(StoreError) {
    loaded.balance.read += batch.rowCount
    loaded.balance.count(batch.rejects)
    let path = staged.destination
    let place = loaded.table.sourcePlace
    do {
      if cells == nil, let place, source > 1 {
        var numbered = copy batch
        numbered.add(source - 1, toColumn: place)
        loaded.balance.written += try loaded.load.insert(numbered, into: &file)
      } else {
        loaded.balance.written += try loaded.load.insert(batch, encodedAs: cells, into: &file)
      }
      for reject in batch.rejects {
        let cell = place.map { batch.cells[reject.row * batch.columnCount + $0] } ?? .null
        let before = cells == nil ? 0 : source - 1
        let own = cell.kind == .integer ? Int32(clamping: cell.integer &- before) : 0
        try rejects.insert(
          RejectedValue(reject, of: batch, loaded.table), source: numbering[own], into: &file)
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Records the books of a table, and builds the index on its id column.
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

  /// Writes the operations, errors, tokens and marks of the current source.
  package mutating func write(_ queue: Queue) throws(StoreError) {
    try queue.forEachBatch(of: .operations, as: .stored) { (batch) throws(StoreError) in
      try insert(operations: batch)
    }
    try writeRest(of: queue)
  }

  /// Adds operations of the current source in the form that stores keep.
  ///
  /// Where the cells have been made before, they have the number of their source in this store.
  package mutating func insert(
    operations batch: borrowing RecordBatch, encodedAs cells: RowCells? = nil
  ) throws(StoreError) {
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      guard cells == nil, source > 1 else {
        _ = try operations.insert(batch, encodedAs: cells, into: &file)
        return
      }
      var numbered = copy batch
      numbered.add(source - 1, toColumn: 0)
      _ = try operations.insert(numbered, into: &file)
    }
  }

  /// Writes the errors, tokens and marks of the current source.
  package mutating func writeRest(of queue: Queue) throws(StoreError) {
    let numbering = numbering
    try withEngine { (connection) throws(SQLiteError) in
      try connection.write(queue.errors, to: CanonicalSchema.errors, as: numbering)
      try connection.write(queue.tokens, to: CanonicalSchema.tokens, as: numbering)
      try connection.write(queue.numberedMarks, to: CanonicalSchema.marks)
    }
    try checkWhatWasSetAside()
  }

  /// Writes what devices would send for their operations.
  package mutating func write(_ items: [DeviceItem]) throws(StoreError) {
    if deviceItems == nil {
      try withEngine { (connection) throws(SQLiteError) in
        try connection.execute(CanonicalSchema.deviceItems.creation)
      }
      deviceItems = try storeErrors(path: staged.destination) { () throws(StoreError) in
        try RecordLoad(CanonicalSchema.deviceItems, into: &file)
      }
    }
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      for item in items { try deviceItems?.insert(item, key: item.operation, into: &file) }
    }
  }

  /// Writes lines of the journal of earlier replays.
  package mutating func write(_ lines: [JournalLine]) throws(StoreError) {
    try withEngine { (connection) throws(SQLiteError) in
      try connection.write(lines, to: CanonicalSchema.journal)
    }
  }

  /// Writes values that an earlier run could not take.
  package mutating func write(_ values: [RejectedValue]) throws(StoreError) {
    let numbering = numbering
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      for value in values {
        try rejects.insert(value, source: numbering[value.source], into: &file)
      }
    }
  }

  /// Writes what is to be said of rows that gave way to others, with the rows; those of one source
  /// are just as the rows that are here.
  package mutating func write(_ rows: [MergedRow]) throws(StoreError) {
    for row in rows { try write(row.finding, item: row.item) }
    try write(rows.flatMap(\.rejects))
  }

  /// Writes what was found in the current source, and the files that were read.
  package mutating func write(findings: Findings, files: [SourceFile]) throws(StoreError) {
    let before = source - 1
    let keepsFiles = keepsFiles
    try withEngine { (connection) throws(SQLiteError) in
      if keepsFiles {
        try connection.write(files, ofSource: before + 1)
      } else {
        // The files of the devices are known already; these are those of a store in between.
        try connection.write(filesInBetween: files)
      }
    }
    for finding in findings { try write(finding) }
  }

  private mutating func write(_ finding: Finding, item: [UInt8]? = nil) throws(StoreError) {
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      try findings.insert(finding, item: item, source: numbering[finding.source], into: &file)
    }
  }

  /// Checks the file, flushes it and gives it its name.
  ///
  /// - Throws: `StoreError` when the check fails or the file cannot be published.
  package consuming func publish() throws(StoreError) {
    try storeErrors(path: staged.destination) { () throws(StoreError) in
      try operations.finish(&file)
      try rejects.finish(&file)
      try findings.finish(&file)
      try deviceItems?.finish(&file)
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
      // The disk has the pages by the time that they are read.
      let flushing = staged.flushAhead(threads: threadCount())
      let report = try storeErrors { () throws(PageError) in
        try PageFile(opening: path).checkStructure(threads: threadCount())
      }
      try storeErrors { () throws(FileError) in try flushing.value.get() }
      return report
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
}
