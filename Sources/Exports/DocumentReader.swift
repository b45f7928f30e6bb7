import Bytes
package import Records

/// Reads an export that is one JSON or XML file.
///
/// Opening reads it to its end and checks every count and hash, and sets the rows aside. Where they
/// are too many for that, they are then parsed again, table by table, from where the last ended.
package final class DocumentReader: ExportReader {
  package var source: SourceDescription
  package private(set) var catalogue: Catalogue
  package private(set) var findings: Findings = []
  private let path: String
  private let isXML: Bool
  private let stamp: FileStamp?
  private var seals: [ExportSeal] = []
  /// The parts of the bookkeeping that were set aside as rows are.
  private var parts: [BookkeepingTable: PartAside] = [:]
  private var content = ExportQueue()
  private let spool: RowSpool
  private var document: (any ExportDocument)?
  private var nextPlace = 0

  /// A part of the bookkeeping of which there may be very much.
  private struct PartAside {
    /// Where it stands among all tables of the document, and among those that were set aside.
    var place: Int
    var number: Int
    var rows: Int
    var columns: Int
  }

  /// Reads and checks the whole document.
  ///
  /// - Throws: `StoreError` with the place where it is not whole, or not what it says.
  package convenience init(path: String, isXML: Bool) throws(StoreError) {
    try self.init(path: path, isXML: isXML, spoolsAmong: .all)
  }

  /// The same, with a limit for files of rows that others count for.
  init(path: String, isXML: Bool, spoolsAmong others: SpoolCompany) throws(StoreError) {
    spool = RowSpool(among: others)
    self.path = path
    self.isXML = isXML
    stamp = FileStamp(of: path)
    let document = try Self.open(path, isXML: isXML)
    let isTable = (document as? XMLExportDocument)?.isTable == true
    source = document.origin.source(
      at: path, isTable ? .xml : .document,
      isXML ? "an XML export of format 1" : "a JSON export of format 1")
    catalogue = Catalogue(tables: [], nameOrigin: document.origin.nameOrigin)
    try survey(document, isTable: isTable)
  }

  private static func open(
    _ path: String, isXML: Bool
  ) throws(StoreError) -> any ExportDocument {
    let stream = try ExportFile.open(path)
    if isXML { return try XMLExportDocument(path: path, stream: stream) }
    return try JSONExportDocument(path: path, stream: stream)
  }

  private func survey(
    _ document: any ExportDocument, isTable: Bool
  ) throws(StoreError) {
    var hash = ContentHash()
    // Two spellings of one accented letter are two names.
    var names: Set<[UInt8]> = []
    var place = 0
    while let found = try document.nextTable() {
      defer { place += 1 }
      let tally = try take(found.rows, of: found.table, as: found.part)
      let position = found.rows.position
      let seal = try document.endTable()
      try tally.check(
        seal, of: found.table, at: position, path: path,
        hint: found.part == nil ? ReadTally.hintOfDocuments : nil)
      guard let digest = tally.digest else { continue }
      if let part = found.part {
        hash.add(digest, of: part)
        guard Self.isSetAside(part) else { continue }
        // All tables of the app come before.
        parts[part] = PartAside(
          place: place, number: seals.count + parts.count, rows: seal.rows,
          columns: found.table.columns.count)
      } else {
        guard names.insert(Array(found.table.name.utf8)).inserted else {
          throw StoreError(
            .damaged, path: path,
            "the table \(found.table.name) comes twice (at \(position))")
        }
        hash.add(digest, ofTable: found.table.name)
        catalogue.tables.append(found.table)
        seals.append(seal)
      }
    }
    let tail = try document.readTail()
    guard isTable || tail.hash == hash.digest.hexadecimal else {
      throw StoreError(
        .damaged, path: path,
        "the tables do not have the content hash that the end of the document says "
          + "(at \(document.position))")
    }
    findings = tail.findings.withoutRejects
    if document.origin.isDirect, source.earlier.count == 1 {
      source.earlier[0].source.files = tail.files
    }
  }

  /// Whether a part is set aside, and not taken into memory.
  private static func isSetAside(_ part: BookkeepingTable) -> Bool {
    switch part {
    case .rejects, .deviceItems, .journal: true
    case .operations, .errors, .tokens, .marks: false
    }
  }

  /// Takes what belongs to the queue, and sets other rows aside.
  private func take(
    _ rows: any ExportRows, of table: Table, as part: BookkeepingTable?
  ) throws(StoreError) -> ReadTally {
    let columns = table.columns.count
    guard let part, !Self.isSetAside(part) else {
      return try setAside(rows, of: table, as: part)
    }
    var tally = ReadTally(of: table)
    try rows.forEachBatch(columns: columns, &tally, path: path) { (batch) throws(StoreError) in
      content.add(batch, of: part)
    }
    return tally
  }

  /// Hashes rows and sets them aside, on other threads where that pays.
  private func setAside(
    _ rows: any ExportRows, of table: Table, as part: BookkeepingTable?
  ) throws(StoreError) -> ReadTally {
    let path = path
    var tally = ReadTally(of: table, isHashing: false)
    var writer = ParallelTableWriter(SpooledSpelling(), hash: TableHash(of: table))
    let batches: BatchProducer = { (body) throws(StoreError) in
      try rows.forEachBatch(
        columns: table.columns.count, &tally, path: path
      ) { (batch) throws(StoreError) in
        if let part { self.content.add(batch, of: part) }
        try body(&batch)
      }
    }
    spool.beginTable()
    var sink = spool
    let wanted = TableRows(.batches(batches), threads: threadCount())
    let seal = try writer.write(wanted, to: &sink) { (part) throws(StoreError) in
      // What was rejected is not set aside, and exports have none.
      if !part.rejectedCells.isEmpty { spool.giveUp() }
    }
    tally.take(seal.hash)
    return tally
  }

  package var inputFiles: [String] { [path] }

  package func isSourceUnchanged() throws(StoreError) -> Bool { stamp == FileStamp(of: path) }

  package func countRows(inTable table: Int) throws(StoreError) -> Int { seals[table].rows }

  package func examineRows() throws(StoreError) -> [Finding] { try findingsOfRejects() }

  package func read(
    _ table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let columns = catalogue.tables[table].columns.count
    try read(at: table, setAsideAs: table, columns: columns, body)
  }

  /// Lends the rows of what stands at a place among all tables.
  private func read(
    at place: Int, setAsideAs number: Int, columns: Int,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    if try spool.forEachBatch(ofTable: number, columns: columns, body) { return }
    let document = try document(at: place)
    while let found = try document.nextTable() {
      var tally = ReadTally(of: found.table, isHashing: false)
      let isWanted = nextPlace == place
      try found.rows.forEachBatch(
        columns: found.table.columns.count, &tally, path: path
      ) { (batch) throws(StoreError) in
        if isWanted { try body(&batch) }
      }
      _ = try document.endTable()
      nextPlace += 1
      if isWanted { break }
    }
    self.document = document
  }

  /// A document that stands at a table or before it; it is kept only if all goes well.
  private func document(at table: Int) throws(StoreError) -> any ExportDocument {
    if let document, nextPlace <= table {
      self.document = nil
      return document
    }
    document = nil
    nextPlace = 0
    return try Self.open(path, isXML: isXML)
  }

  package func readQueue() throws(StoreError) -> Queue {
    try queue(content, of: path)
  }

  /// Lends a part that was set aside, some rows at a time.
  package func forEachBatch(
    of part: BookkeepingTable, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let aside = parts[part] else { return }
    try read(at: aside.place, setAsideAs: aside.number, columns: aside.columns, body)
  }

  package func countJournalLines() -> Int { parts[.journal]?.rows ?? 0 }
}
