import Bytes
package import Records
package import SQLite
package import Tables

/// Reads a Core Data store: a table for each concrete entity and many-to-many relationship.
///
/// Layouts that keep a queue of their own inside such a store build on it: they say which entities
/// are theirs, how columns are spelled without a model, and what parts the app's columns play.
package final class CoreDataReader: DatabaseReader {
  package var source: SourceDescription
  package let catalogue: Catalogue
  package let findings: Findings
  package let schema: CoreDataSchema
  package let planned: PlannedDatabase
  private let externalData: ExternalDataFolder
  private let externalFiles: ExternalReferences
  private let systemTablesReadFiles: Bool
  private let systemEntities: Set<String>

  /// What a layout that builds on Core Data adds.
  package struct Extension {
    /// The entities that are bookkeeping of the layout.
    package var systemEntities: Set<String> = []
    /// How properties are spelled where the store has no model.
    package var spelling: FallbackModel.Spelling = { _, _ in nil }
    /// Versions of a model that take the place of the one inside the store.
    package var modelVersions: ModelVersions?
    /// Whether transformables get a second column with what their archives say.
    package var decodesTransformables = false
    /// Entities that are an SDK's queue, where it is read from tables that the store lacks.
    package var unreadQueues: Set<String> = []
    /// Gives the app's columns their parts and canonical names.
    package var adapt: (inout [PlannedTable], borrowing Connection) throws(SQLiteError) -> Void = {
      _, _ in
    }

    /// Adds nothing.
    package init() {}
  }

  /// Takes over an open database that has `Z_METADATA` and `Z_PRIMARYKEY`.
  package init(
    _ database: consuming SourceDatabase, adding addition: Extension = Extension(),
    corrections: Corrections
  ) throws(StoreError) {
    let path = database.files.main.path
    let schema: CoreDataSchema
    do {
      schema = try CoreDataSchema(
        reading: database, versions: addition.modelVersions, spelling: addition.spelling)
    } catch {
      // A model that does not belong to the store is what the user can change.
      if error.kind == .usage { throw error }
      throw StoreError(error, context: "the schema cannot be read", path: path)
    }
    let planner = EntityTables(
      schema.resolution, counts: schema.rowsOfEntities,
      decodesTransformables: addition.decodesTransformables)
    let isSystem = { (entity: ResolvedEntity) in addition.systemEntities.contains(entity.name) }
    var tables = planner.plan { !isSystem($0) }
    var systemTables = planner.plan(where: isSystem)
    try storeErrors(path: path) { () throws(SQLiteError) in
      try UntypedColumns.decide(&tables, in: database)
      try addition.adapt(&tables, database.connection)
    }
    tables += planner.planPairs()
    try corrections.apply(
      to: &tables, time: .secondsSince2001, path: path,
      areGuesses: schema.nameOrigin == .fallback)
    let keys = UncertainKeys(
      tables: tables, occupied: schema.occupied, unseen: schema.unseen)
    let ofColumns =
      UntypedColumns.findings(tables)
      + (try storeErrors { () throws(SQLiteError) in try keys.findings(database) })
    let wanted = tables
    catalogue = tables.claimNames(origin: schema.nameOrigin)
    let folder = ExternalDataFolder(ofStoreAt: database.files.realPath)
    let sideTables: CoreDataSideTables
    do {
      if schema.nameOrigin == .fallback {
        try TaggedColumns.mark(&tables, database.connection)
        try TaggedColumns.mark(&systemTables, database.connection)
      }
      externalFiles = try ExternalReferences(
        of: tables + systemTables, in: folder, database.connection)
      sideTables = try CoreDataSideTables(reading: database.connection)
    } catch {
      throw StoreError(error, path: path)
    }
    externalData = folder
    systemTablesReadFiles = systemTables.contains(where: \.readsFiles)
    var source = SourceDescription(
      name: Paths.fileName(of: path), layout: .coreData,
      evidence: ["tables Z_METADATA and Z_PRIMARYKEY", "names from \(schema.nameOrigin.rawValue)"])
    source.metadata =
      schema.metadata.facts + sideTables.facts + externalFiles.facts
      + database.fileFacts
    if let given = schema.given { source.metadata.append(given.fact) }
    self.source = source
    let sideFiles = database.sideFindings(isSynchronised: !addition.systemEntities.isEmpty)
    let virtualTables = try storeErrors { () throws(SQLiteError) in
      try VirtualTables.findings(
        in: database.connection,
        // Core Data's own indexes of places have nothing that its objects have not.
        besides: { StoreTableKind(table: $0) == .spatialIndex },
        reason: "it is none of the model's, and was left out")
    }
    findings = Findings(
      schema.findings(sideFiles: sideFiles) + ofColumns + externalFiles.findings
        + schema.findings(ofUnreadQueues: addition.unreadQueues)
        + tables.changedNames(from: wanted) + virtualTables)
    self.schema = schema
    planned = PlannedDatabase(database, tables, externalData: folder)
    systemEntities = addition.systemEntities
  }

  package var inputFiles: [String] {
    planned.database.files.withContent.map(\.path)
      + externalFiles.present.map { Paths.join(externalData.path, $0) }
  }

  package var model: ModelSummary? { schema.summary }

  package var objectStorage: ObjectStorage? {
    ObjectStorage(schema, planned.tables, systemEntities: systemEntities)
  }

  package func examineRows() throws(StoreError) -> [Finding] {
    let examination = CoreDataExamination(
      tables: planned.tables, resolution: schema.resolution, metadata: schema.metadata)
    return try storeErrors { () throws(SQLiteError) in
      try examination.findings(planned.database.connection)
    }
  }

  package func forEachLostRow(
    besideTable index: Int, _ body: (RejectedValue) throws(StoreError) -> Void
  ) throws(StoreError) {
    let table = planned.tables[index]
    // Rows of a tree that no entity claims are reported once, with its first table.
    guard table.condition != nil,
      index == planned.tables.firstIndex(where: { $0.sourceTable == table.sourceTable }),
      schema.rowsOfEntities[ExactText(table.sourceTable)]?.areAllClaimed != true
    else { return }
    let known = schema.resolution.entities.filter { $0.table == table.sourceTable }
      .map { String($0.number) }.joined(separator: ", ")
    var statement = try storeErrors { () throws(SQLiteError) in
      try planned.database.connection.prepare(
        """
        SELECT Z_PK, Z_ENT FROM \(quoted(table.sourceTable))
        WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(known)) ORDER BY Z_PK
        """)
    }
    while true {
      let isThere = try storeErrors { () throws(SQLiteError) in try statement.step() }
      guard isThere else { return }
      try body(
        RejectedValue(
          table: table.name, row: statement.integer(at: 0), column: "Z_ENT",
          code: "rows-of-unknown-entity", raw: statement.optionalRaw(at: 1)))
    }
  }

  package func countRows(inTable table: Int) throws(StoreError) -> Int {
    let planned = planned.tables[table]
    // What entities share has been counted, and would be counted anew for each of them.
    if let entity = planned.entity, planned.condition != nil,
      let rows = schema.rowsOfEntities[ExactText(planned.sourceTable)], rows.isExact
    {
      return rows.ofEntity[entity] ?? 0
    }
    return try self.planned.database.countRows(of: planned)
  }

  package func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    try rows(ofTable: table, wanting: cells, naming: nil)
  }

  /// As `rows`, and rows that operations name are found on the way.
  package func rows(
    ofTable table: Int, wanting cells: WantedCells?, naming: RowMatching?
  ) throws(StoreError) -> TableRows.Form {
    if planned.tables[table].readsFiles { try checkFiles() }
    return try planned.rows(ofTable: table, wanting: cells, naming: naming)
  }

  /// The folder in which values of the system entities may be files; nil where none of them is.
  package func externalDataOfSystemEntities() throws(StoreError) -> ExternalDataFolder? {
    guard systemTablesReadFiles else { return nil }
    try checkFiles()
    return externalData
  }

  /// Throws where a value is a file that is larger than a value may be.
  private func checkFiles() throws(StoreError) {
    for name in externalFiles.present {
      let path = Paths.join(externalData.path, name)
      let state = try storeErrors { () throws(SQLiteError) in try FileState(path: path) }
      guard let size = state?.size, size > InputLimits.current.valueBytes else { continue }
      throw StoreError(
        .limit, path: path, "a value has \(size) bytes", hint: InputLimit.valueBytes.hint)
    }
  }

  /// Counts what a store holds besides the user's data.
  struct CoreDataSideTables {
    /// The facts, a line each; empty for a store that holds nothing else.
    private(set) var facts: [SourceDescription.Fact] = []

    /// Counts history and mirror tables.
    init(reading connection: borrowing Connection) throws(SQLiteError) {
      var mirror = 0
      var mirrored: Int64 = 0
      for table in try connection.tables() {
        let kind = StoreTableKind(table: table.name)
        guard kind == .history || kind == .cloudMirror else { continue }
        let rows = try connection.integer("SELECT count(*) FROM \(quoted(table.name)) NOT INDEXED")
        switch table.name.uppercased() {
        case "ACHANGE": facts.append(.init("persistentHistoryChanges", String(rows)))
        case "ATRANSACTION": facts.append(.init("persistentHistoryTransactions", String(rows)))
        default: break
        }
        if kind == .cloudMirror {
          mirror += 1
          mirrored += rows
        }
      }
      if mirror > 0 {
        facts.append(
          .init(
            "cloudMirror",
            "\(mirrored.counting("row", "rows")) in \(mirror.counting("table", "tables"))"))
      }
    }
  }
}

extension PlannedTable {
  /// Whether values of a column may be files of their own.
  fileprivate var readsFiles: Bool { columns.contains(where: \.decoding.readsFiles) }
}
