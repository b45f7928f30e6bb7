import Bytes
package import Records
import SQLite
import Tables

/// The schema of an open Core Data store: its entities with their actual columns and true names.
package struct CoreDataSchema {
  /// What `Z_METADATA` says.
  let metadata: CoreDataMetadata
  /// The entities, references and join tables with their tables and columns.
  package let resolution: SchemaResolution
  /// The model, where the store has one.
  package let model: ManagedObjectModel?
  /// Where the names came from.
  let nameOrigin: NameOrigin
  /// Why the embedded model could not be used, where there is one.
  let modelTrouble: String?
  /// What a person should know of the model that the user gave.
  let given: GivenModel?
  /// How many rows or values each table and column has that belongs to nothing.
  private let leftOut: [SchemaDifference: Int64]
  /// What to tell of columns that cannot be computed.
  private let unreadable: [Finding]
  /// How many rows of each table that entities share belong to which of them.
  let rowsOfEntities: [ExactText: EntityRows]
  /// Where rows of entities have content; nil where nobody looked.
  let occupied: Set<OccupiedColumn>?
  /// The tables that cannot hold objects, in which nobody looked.
  let unseen: Set<String>
  /// What the keys that are in use tell of changes that are missing.
  private let lostChanges: [Finding]

  /// Reads the schema; names come from the given versions, otherwise from the embedded model,
  /// otherwise from `spelling` and the columns.
  ///
  /// - Throws: `StoreError` when the store cannot be read, or no given version belongs to it.
  init(
    reading database: borrowing SourceDatabase, versions: ModelVersions? = nil,
    spelling: @escaping FallbackModel.Spelling
  ) throws(StoreError) {
    let metadata: CoreDataMetadata
    let tables: [SchemaTable]
    let actual: [ActualTable]
    let rows: [PrimaryKeyRow]
    var trouble: String?
    let embedded: ManagedObjectModel?
    do {
      metadata = try CoreDataMetadata(reading: database.connection)
      tables = try database.connection.tables()
      var unreadable: [Finding] = []
      actual = try Self.actual(tables, database.connection, leavingOut: &unreadable)
      self.unreadable = unreadable
      rows = try Self.primaryKeys(database.connection)
      embedded =
        versions == nil
        ? try Self.embeddedModel(database.connection, tables: tables, trouble: &trouble) : nil
    } catch {
      throw StoreError(error)
    }
    given = try versions.map { (versions) throws(StoreError) in
      try GivenModel(
        choosingFrom: versions,
        for: ModelEvidence(hashes: metadata.entityHashes, rows: rows, tables: actual),
        database.files.main.path)
    }
    let fits = embedded.map { Self.fits($0, tables: actual) } ?? true
    if !fits { trouble = "none of its entities has a table here" }
    let model = given?.model ?? (fits ? embedded : nil)
    self.metadata = metadata
    self.model = model
    modelTrouble = trouble
    let hashedNames = metadata.entityHashes.map { Set($0.keys) }
    var counted = CountedEntities()
    if let model {
      let numbering = EntityNumbering(of: model, rows: rows, hashedNames: hashedNames)
      resolution = SchemaResolution(model: model, numbering: numbering, tables: actual)
      nameOrigin = given == nil ? .modelCache : .model
    } else {
      let readable = actual.map(\.readable)
      counted = try storeErrors { () throws(SQLiteError) in
        try CountedEntities(of: readable, rows, in: database)
      }
      resolution = try Self.fallback(
        database.connection, rows: rows, tables: readable, hashedNames: hashedNames,
        occupied: counted.occupied, spelling: spelling)
      nameOrigin = .fallback
    }
    (occupied, unseen) = (counted.occupied, counted.unseen)
    leftOut = try storeErrors { [resolution] () throws(SQLiteError) in
      try resolution.differences.countLeftOut(database.connection)
    }
    lostChanges = LostChanges.findings(of: resolution.entities, database.connection)
    rowsOfEntities = try storeErrors { [resolution, counted] () throws(SQLiteError) in
      try counted.shared(by: resolution.entities, actual, in: database)
    }
  }

  /// The tables as the engine describes them; of those that a model may have, columns that cannot be
  /// computed are told.
  private static func actual(
    _ tables: [SchemaTable], _ connection: borrowing Connection, leavingOut told: inout [Finding]
  ) throws(SQLiteError) -> [ActualTable] {
    var actual: [ActualTable] = []
    for table in tables {
      let whole = ActualTable(table)
      guard [.objects, .join].contains(StoreTableKind(table: table.name)),
        table.columns.contains(where: \.isGenerated)
      else {
        actual.append(whole)
        continue
      }
      let physical = PlannedTable.physical(table.name, sortedAs: nil)
      let readable = try table.readableColumns(of: physical, connection)
      let places = table.columns.indices.filter { readable.contains(table.columns[$0]) }
      actual.append(whole.reading(columnsAt: Set(places)))
      told += table.columns.filter { !readable.contains($0) }
        .map { $0.findingOfLeavingOut(of: table) }
    }
    return actual
  }

  /// Whether a model has to do with the store: a copied or mixed-up one has no table in common.
  private static func fits(_ model: ManagedObjectModel, tables: [ActualTable]) -> Bool {
    let names = Set(
      tables.filter { StoreTableKind(table: $0.name) == .objects }
        .map { StoredName.folded($0.name) })
    guard !names.isEmpty else { return true }
    return model.entities.contains { entity in
      entity.parent == nil && names.contains(StoredName.folded(StoredName.table(entity.name)))
    }
  }

  private static func primaryKeys(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PrimaryKeyRow] {
    var rows: [PrimaryKeyRow] = []
    var statement = try connection.prepare(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    while try statement.step() {
      rows.append(
        PrimaryKeyRow(
          number: statement.integer(at: 0), name: statement.text(at: 1),
          parent: statement.integer(at: 2)))
    }
    return rows
  }

  /// The model in `Z_MODELCACHE`; nil when there is none, or when it cannot be used.
  private static func embeddedModel(
    _ connection: borrowing Connection, tables: [SchemaTable], trouble: inout String?
  ) throws(SQLiteError) -> ManagedObjectModel? {
    guard tables.contains(where: { $0.name.uppercased() == "Z_MODELCACHE" }) else { return nil }
    var statement = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
    guard try statement.step(), let bytes = statement.optionalBytes(at: 0) else { return nil }
    do {
      return try ManagedObjectModel(modelCache: bytes)
    } catch {
      trouble = error.description
      return nil
    }
  }

  /// The schema as far as tables and rows show it.
  private static func fallback(
    _ connection: borrowing Connection, rows: [PrimaryKeyRow], tables: [ActualTable],
    hashedNames: Set<String>?, occupied: Set<OccupiedColumn>?,
    spelling: @escaping FallbackModel.Spelling
  ) throws(StoreError) -> SchemaResolution {
    let evidence = try storeErrors { () throws(SQLiteError) in
      let rows = try StaleNames(rows: rows, tables: tables, hashedNames: hashedNames)
        .repairedRows(connection)
      let indexed = try indexedColumns(connection, of: tables)
      return FallbackModel.Evidence(
        rows: rows, tables: tables, hashedNames: hashedNames, indexedColumns: indexed,
        targets: try NamedTargets(rows: rows, tables: tables, indexed: indexed)
          .targets(connection), occupied: occupied)
    }
    do {
      return try FallbackModel(evidence, spelling: spelling).resolution()
    } catch {
      throw StoreError(.unsupported, "\(error)")
    }
  }

  /// Columns with an index named after them, which Core Data makes for the keys of other rows.
  private static func indexedColumns(
    _ connection: borrowing Connection, of tables: [ActualTable]
  ) throws(SQLiteError) -> [String: Set<String>] {
    var indexes: Set<String> = []
    var statement = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE \(SchemaKind.index.condition())")
    while try statement.step() {
      if let name = statement.text(at: 0) { indexes.insert(name) }
    }
    var columns: [String: Set<String>] = [:]
    for table in tables {
      let indexed = table.columns.map(\.name).filter {
        indexes.contains("\(table.name)_\($0)_INDEX")
      }
      columns[table.name] = Set(indexed)
    }
    return columns
  }
}

extension ActualTable {
  /// The table as the engine describes it.
  init(_ table: SchemaTable) {
    self.init(name: table.name, columns: table.columns.map { ($0.name, $0.declaredType) })
  }
}

extension CoreDataSchema {
  /// What the schema and the side files show that a person should know.
  package func findings(sideFiles: [Finding]) -> [Finding] {
    var findings: [Finding] = []
    if nameOrigin == .fallback {
      let reason = modelTrouble.map { "its model cannot be used (\($0))" } ?? "it has no model"
      findings.append(
        Finding(
          "names-from-fallback", modelTrouble == nil ? .note : .warning,
          message: "names are those of the columns, in upper case, because \(reason)"))
    }
    findings += sideFiles + lostChanges
    if metadata.isUnreadable {
      findings.append(
        Finding(
          "metadata-unreadable", .warning,
          message: "the property list in Z_METADATA cannot be read, and an app cannot open such a "
            + "store"))
    }
    findings += given?.findings ?? []
    findings += resolution.differences.map { $0.finding(leavingOut: leftOut[$0]) } + unreadable
    findings += rowsOfUnknownEntities
    return findings
  }

  /// Operations of an SDK in the table of another entity, where its reader does not look for them.
  func findings(ofUnreadQueues names: Set<String>) -> [Finding] {
    resolution.entities.filter { names.contains($0.name) }.compactMap { entity in
      guard let table = entity.table,
        let rows = rowsOfEntities[ExactText(table)]?.ofEntity[entity.number], rows > 0
      else { return nil }
      return Finding(
        "queue-not-read", .error, table: entity.name,
        message: rows.counting("operation", "operations") + " of \(entity.name) "
          + (rows == 1 ? "lies" : "lie") + " in \(table), the table of another entity, and "
          + (rows == 1 ? "is an ordinary row" : "are ordinary rows") + " here")
    }
  }

  /// Rows that no entity claims: the app does not see them, and no table can take them.
  private var rowsOfUnknownEntities: [Finding] {
    let tables = rowsOfEntities.sorted { $0.key.wrappedValue < $1.key.wrappedValue }
    return tables.compactMap { name, counts in
      let table = name.wrappedValue
      let rows = counts.ofNone
      guard rows > 0 else { return nil }
      return Finding(
        "rows-of-unknown-entity", .error, table: table,
        message: rows.counting("row", "rows") + " of \(table) "
          + (rows == 1 ? "belongs" : "belong") + " to no entity of the model and "
          + (rows == 1 ? "is left out" : "are left out"))
    }
  }
}
