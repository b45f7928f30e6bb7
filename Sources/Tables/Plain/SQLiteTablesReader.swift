import Bytes
package import Records
package import SQLite

/// Reads a store that keeps the app's tables as plain SQLite tables.
///
/// What the SDKs add is a value, the layout: which tables are theirs, what their columns mean and
/// how their queue is read.
package final class SQLiteTablesReader: DatabaseReader {
  package var source: SourceDescription
  package let catalogue: Catalogue
  private let layout: RecognisedTables
  package let planned: PlannedDatabase
  private let systemTables: SystemTables
  /// The queue, while it waits for rows.
  private var prepared: PreparedQueue?
  /// What of the schema is in no table of the catalogue, or under another name.
  private let schemaFindings: [Finding]

  /// Takes over an open database of a recognised layout.
  ///
  /// - Throws: `StoreError` when the schema cannot be read or a correction does not fit.
  package init(
    _ database: consuming SourceDatabase, layout: RecognisedTables, corrections: Corrections
  ) throws(StoreError) {
    let path = database.files.main.path
    let planner = PlainTables(rules: layout.columns, leavesOut: layout.leavesOut)
    var schema: [SchemaTable] = []
    var tables: [PlannedTable] = []
    var shaped = ShapedTables()
    var leftOut: [Finding] = []
    do {
      schema = try database.connection.tables()
      let virtual = try VirtualTables(of: database, planner)
      shaped = try layout.tables?.tables(schema, planner, database) ?? shaped
      tables = try layout.tables == nil ? planner.plan(schema, database) : shaped.tables
      leftOut = Self.leftOut(of: schema, by: tables) + virtual.findings
      tables += virtual.tables
    } catch {
      throw StoreError(error, context: "the schema cannot be read", path: path)
    }
    let time = CellDecoding.time(layout.columns.time)
    try corrections.apply(to: &tables, time: time, path: path)
    if layout.columns.numbersAreReals { tables.takeNumbersOfEitherClass() }
    let wanted = tables
    catalogue = tables.claimNames(origin: .schema)
    schemaFindings =
      leftOut + shaped.findings(in: tables) + tables.changedNames(from: wanted)
    systemTables = SystemTables(schema)
    var source = SourceDescription(
      name: Paths.fileName(of: path), layout: layout.layout, generation: layout.generation,
      evidence: layout.evidence)
    source.metadata = database.fileFacts + shaped.facts
    if let queue = layout.queue {
      let (names, system) = (TableNames(catalogue), systemTables)
      source.metadata += try database.readingQueue { (connection) throws(SQLiteError) in
        try queue.facts(system, names: names, connection)
      }
    }
    self.source = source
    self.layout = layout
    planned = PlannedDatabase(database, tables)
  }

  package var findings: Findings {
    Findings(
      planned.database.sideFindings(isSynchronised: layout.queue != nil) + layout.findings
        + schemaFindings)
  }

  /// A note for each computed column that cannot be read.
  private static func leftOut(of schema: [SchemaTable], by tables: [PlannedTable]) -> [Finding] {
    let planned = Dictionary(
      keepingFirst: tables.map {
        (ExactText($0.sourceTable), Set($0.columns.map { ExactText($0.column.sourceColumn) }))
      })
    return schema.flatMap { table in
      table.columns.filter { column in
        column.isGenerated
          && planned[ExactText(table.name)]?.contains(ExactText(column.name)) == false
      }.map { $0.findingOfLeavingOut(of: table) }
    }
  }

  package func naming(ofTable table: Int) -> RowMatching? {
    prepared?.naming(ofTable: catalogue.tables[table])
  }

  package func prepareQueue() throws(StoreError) {
    guard prepared == nil else { return }
    guard let layout = layout.queue else { return }
    var queue = try planned.database.readingQueue { (connection) throws(SQLiteError) in
      try layout.read(systemTables, names: TableNames(catalogue), connection)
    }
    try layout.complete(&queue, planned.tables, catalogue, planned.database)
    prepared = PreparedQueue(
      queue, tyingTo: candidates(takingVersions: layout.takesVersionsFromRows),
      comparing: layout.itemIDs)
  }

  package func readQueueAhead() throws(StoreError) -> QueueAhead? {
    try prepareQueue()
    return prepared?.ahead
  }

  package func readQueue() throws(StoreError) -> Queue { try readMatchedQueue().settled() }

  package func readMatchedQueue() throws(StoreError) -> MatchedQueue {
    try prepareQueue()
    return try prepared.take()?.finish(planned.database) ?? MatchedQueue(Queue())
  }

  /// The tables that operations may mean, with the way to find their rows.
  private func candidates(takingVersions takesVersions: Bool) -> [RowAttachment.Candidate] {
    catalogue.tables.indices.compactMap { index in
      let table = planned.tables[index]
      guard let id = catalogue.tables[index].index(of: .id) else { return nil }
      var expressions = [table.columns[id].expression]
      if takesVersions { expressions += layout.columns.versionExpressions(table.columns) }
      return RowAttachment.Candidate(
        name: catalogue.tables[index].name, accepts: [catalogue.tables[index].name],
        table: table, expressions: expressions)
    }
  }
}
