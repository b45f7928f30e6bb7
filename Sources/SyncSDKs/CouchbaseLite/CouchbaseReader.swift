import Bytes
import Records
import SQLite
import Tables

/// Reads a store of Couchbase Lite 1.x: a table for each type of documents, and what was never
/// pushed.
final class CouchbaseReader: BatchReader {
  var source: SourceDescription
  let catalogue: Catalogue
  private let database: SourceDatabase
  private let survey: CouchbaseSurvey
  private let foreignTables: [Finding]

  /// Takes over an open database of the layout, and looks at each of its documents once.
  init(_ database: consuming SourceDatabase) throws(StoreError) {
    let path = database.files.main.path
    let survey: CouchbaseSurvey
    do {
      foreignTables = try database.connection.foreignTables(besides: CouchbaseLite.isOwnTable)
      survey = try CouchbaseSurvey(database.connection, path: path, now: Timestamp.now)
    } catch {
      throw StoreError(error, context: "the documents cannot be read", path: path)
    }
    let ofTypes = survey.tables.prefix(survey.shownCount)
    let names = CatalogueNames.tables(
      ofTypes.map(\.wantedName) + (survey.localCount > 0 ? [Self.nameOfLocals] : []))
    var tables = zip(ofTypes, names).map { $0.table(named: $1) }
    if let name = names.dropFirst(ofTypes.count).first {
      tables.append(Self.localTable(named: name))
    }
    catalogue = Catalogue(tables: tables, nameOrigin: .schema)
    var source = SourceDescription(
      name: Paths.fileName(of: path), layout: .couchbaseLite,
      generation: survey.schema.generation, evidence: survey.schema.evidence)
    source.metadata =
      database.fileFacts + [
        .init("lastSequence", String(survey.checkpoints.last)),
        .init("pushedUpToSequence", String(survey.checkpoints.floor)),
        .init(
          ofAllThatWaits: "revisions of Couchbase Lite above the checkpoint of a push count as "
            + "unsent; those that were pulled since then lie above it, too, and nothing in the file "
            + "tells them apart"),
      ]
    self.source = source
    self.survey = survey
    self.database = database
  }

  /// What the table of local documents is called, unless a type of documents has that name.
  private static let nameOfLocals = "local_documents"

  private static func localTable(named name: String) -> Table {
    Table(
      name: name, sourceName: CouchbaseLite.locals,
      columns: [
        Column(name: "_id", sourceColumn: CouchbaseLite.idColumn, type: .text, role: .id),
        Column(
          name: "version", sourceName: "_rev", sourceColumn: "revid", type: .text, role: .version),
        Column(name: "json", type: .json),
      ])
  }

  var findings: Findings {
    var shown = catalogue
    if survey.localCount > 0 { shown.tables[survey.shownCount].sourceName = Self.nameOfLocals }
    return Findings(
      database.sideFindings(isSynchronised: true)
        + survey.findings(in: catalogue, beside: database.files.main.path) + foreignTables
        + shown.changedNames)
  }

  var inputFiles: [String] { database.files.withContent.map(\.path) }

  func isSourceUnchanged() throws(StoreError) -> Bool { try database.isSourceUnchanged() }

  func examineRows() throws(StoreError) -> [Finding] {
    do {
      return try survey.changedBlobs()
    } catch {
      throw StoreError(error)
    }
  }

  func countRows(inTable table: Int) throws(StoreError) -> Int {
    table < survey.shownCount ? survey.tables[table].rows.count : survey.localCount
  }

  func read(
    _ table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var batch = RecordBatch(columnCount: catalogue.tables[table].columns.count)
    if table < survey.shownCount {
      try readDocuments(of: survey.tables[table], into: &batch, body)
    } else {
      try readLocals(into: &batch, body)
    }
    try batch.lendRest(to: body)
  }

  private func readDocuments(
    of table: CouchbaseTable, into batch: inout RecordBatch,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var rows = try own { () throws(SQLiteError) in
      try CouchbaseRows(database.connection, survey)
    }
    for row in table.rows {
      try own { () throws(SQLiteError) in try rows.append(row, of: table, to: &batch) }
      try batch.lendIfFull(to: body)
    }
  }

  private func readLocals(
    into batch: inout RecordBatch, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var statement = try own { () throws(SQLiteError) in
      try database.connection.couchbaseLocals()
    }
    while try own({ () throws(SQLiteError) in try statement.step() }) {
      let (stored, isText) = (statement.optionalRaw(at: 1), statement.strictText(at: 1) != nil)
      let name = statement.localName
      guard !CouchbaseLite.isOwn(name) else { continue }
      // What is no text keeps its mark.
      CouchbaseTable.append(isText ? .text(Array(name.utf8)) : stored, column: 0, to: &batch)
      CouchbaseTable.append(statement.optionalRaw(at: 2), column: 1, to: &batch)
      let json = statement.optionalRaw(at: 3)
      if case .binary(let bytes)? = json, isValidUTF8(bytes.span) {
        batch.appendText(bytes.span)
      } else {
        CouchbaseTable.append(json, column: 2, to: &batch)
      }
      batch.endRow(key: statement.integer(at: 0))
      try batch.lendIfFull(to: body)
    }
  }

  func readQueue() throws(StoreError) -> Queue {
    try database.readingQueue { (connection) throws(SQLiteError) in
      var queue = try CouchbaseQueue(survey, catalogue, connection)
      return try queue.read(connection)
    }
  }

  private func own<Value: ~Copyable>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw StoreError(error, path: database.files.main.path)
    }
  }

  /// Reads the documents of tables, one after the other.
  fileprivate struct CouchbaseRows: ~Copyable {
    private var tree: CouchbaseTree
    private var attachments: CouchbaseAttachments
    private var ids: CouchbaseIDs

    init(_ connection: borrowing Connection, _ survey: CouchbaseSurvey) throws(SQLiteError) {
      let tree = try CouchbaseTree(connection, typeKey: survey.typeKey)
      let attachments = try CouchbaseAttachments(connection, survey.schema)
      ids = try CouchbaseIDs(connection)
      self.tree = tree
      self.attachments = attachments
    }

    mutating func append(
      _ row: CouchbaseTable.Row, of table: CouchbaseTable, to batch: inout RecordBatch
    ) throws(SQLiteError) {
      guard let leaf = try tree.revision(row.sequence) else { return }
      let id = try ids.raw(of: row.document)
      table.append(leaf, id: id, try attachments.json(of: leaf), to: &batch)
    }
  }
}
