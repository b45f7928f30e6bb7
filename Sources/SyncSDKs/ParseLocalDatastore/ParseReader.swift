import Bytes
import Records
import SQLite
import Tables

/// Reads a Local Datastore of Parse: a table for each class, and the changes in its objects.
final class ParseReader: BatchReader {
  var source: SourceDescription
  let catalogue: Catalogue
  private let database: SourceDatabase
  private let tables: [ParseTable]
  private let survey: ParseSurvey
  private let isAndroid: Bool
  private let foreignTables: [Finding]

  /// Takes over an open database of the layout, and looks at each of its documents once.
  init(_ database: consuming SourceDatabase) throws(StoreError) {
    let path = database.files.main.path
    var survey = ParseSurvey()
    var isAndroid = false
    do {
      foreignTables = try database.connection.foreignTables(
        besides: ParseLocalDatastore.isOwnTable)
      isAndroid = try Self.isFromAndroid(database.connection)
      try survey.look(at: database.connection)
    } catch {
      throw StoreError(error, context: "the objects cannot be read", path: path)
    }
    tables = survey.finishedTables()
    let names = CatalogueNames.tables(tables.map(\.className))
    catalogue = Catalogue(
      tables: zip(tables, names).map { $0.table(named: $1) }, nameOrigin: .schema)
    var source = SourceDescription(
      name: Paths.fileName(of: path), layout: .parseLocalDatastore,
      generation: survey.generation.name(isAndroid: isAndroid),
      evidence: [
        "tables \(ParseLocalDatastore.objects) and \(ParseLocalDatastore.dependencies)",
        isAndroid ? "user_version 4 or a table android_metadata" : "no sign of Android",
      ])
    source.metadata = database.fileFacts
    self.source = source
    self.survey = survey
    self.isAndroid = isAndroid
    self.database = database
  }

  private static func isFromAndroid(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    if try connection.integer("PRAGMA user_version") == 4 { return true }
    return try connection.table(named: "android_metadata") != nil
  }

  var findings: Findings {
    Findings(
      database.sideFindings(isSynchronised: true)
        + survey.findings(in: catalogue, beside: database.files.main.path)
        + foreignTables + catalogue.changedNames)
  }

  var inputFiles: [String] { database.files.withContent.map(\.path) }

  func isSourceUnchanged() throws(StoreError) -> Bool { try database.isSourceUnchanged() }

  func countRows(inTable table: Int) throws(StoreError) -> Int { tables[table].rowCount }

  func read(
    _ table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var batch = RecordBatch(columnCount: catalogue.tables[table].columns.count)
    if let keys = tables[table].keys {
      try read(keys, of: tables[table], into: &batch, body)
      return try batch.lendRest(to: body)
    }
    var statement = try storeErrors(path: database.files.main.path) { () throws(SQLiteError) in
      try database.connection.objects(ofClass: tables[table].className)
    }
    while try step(&statement) {
      tables[table].append(ParseObject(statement), to: &batch)
      try batch.lendIfFull(to: body)
    }
    try batch.lendRest(to: body)
  }

  /// Reads few objects, each by its key, as there may be very many classes.
  private func read(
    _ keys: [Int64], of table: ParseTable, into batch: inout RecordBatch,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let path = database.files.main.path
    var statement = try storeErrors(path: path) { () throws(SQLiteError) in
      try database.connection.objectByKey()
    }
    for key in keys {
      try storeErrors(path: path) { () throws(SQLiteError) in
        statement.reset()
        try statement.bind(key, at: 1)
        if try statement.step() { table.append(ParseObject(statement), to: &batch) }
      }
      try batch.lendIfFull(to: body)
    }
  }

  private func step(_ statement: inout Statement) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw StoreError(error, path: database.files.main.path)
    }
  }

  func readQueue() throws(StoreError) -> Queue {
    let (catalogue, tables) = (catalogue, tables)
    return try database.readingQueue { (connection) throws(SQLiteError) in
      var queue = ParseQueue(catalogue, tables, isAndroid: isAndroid)
      return try queue.read(connection, secrets: survey.secrets)
    }
  }
}

extension Connection {
  /// The object with a key that is bound later.
  func objectByKey() throws(SQLiteError) -> Statement {
    let columns = ParseObject.columns.map(quoted).joined(separator: ", ")
    return try prepare(
      "SELECT rowid, \(columns) FROM \(ParseLocalDatastore.objects) WHERE rowid = ?")
  }

  /// The objects of a class, or of all, in the order of their keys.
  func objects(ofClass className: String? = nil) throws(SQLiteError) -> Statement {
    let columns = ParseObject.columns.map(quoted).joined(separator: ", ")
    let name = "CASE WHEN typeof(\"className\") = 'text' THEN \"className\" ELSE '' END"
    var statement = try prepare(
      "SELECT rowid, \(columns) FROM \(ParseLocalDatastore.objects) NOT INDEXED"
        + (className == nil ? "" : " WHERE \(name) = ?") + " ORDER BY rowid")
    if let className { try statement.bind(className, at: 1) }
    return statement
  }
}
