import Bytes
package import CoreData
package import Records
package import SQLite
import Tables

/// Reads an offline store of the Azure Mobile Services and Mobile Apps SDK for iOS.
///
/// It is a Core Data store with three entities of the SDK's own, which become the queue.
package final class AzureMobileIOSReader: ReaderView {
  package var source: SourceDescription
  private let store: CoreDataReader
  private let generation: IOSGeneration
  private let ownFindings: [Finding]
  private let systemTables: SystemTables
  /// The queue, while it waits for rows.
  private var prepared: PreparedQueue?

  /// Takes over an open Core Data store that has the SDK's table of operations.
  package init(
    _ database: consuming SourceDatabase,
    adding given: CoreDataReader.Extension = CoreDataReader.Extension(),
    corrections: Corrections
  ) throws(StoreError) {
    let tables = try storeErrors(path: database.files.main.path) { () throws(SQLiteError) in
      try database.connection.tables()
    }
    systemTables = SystemTables(tables)
    var recognition = IOSRecognition(IOSTraits())
    var addition = given
    addition.systemEntities = IOSNames.systemEntities
    addition.spelling = IOSSystemColumns.spelling
    // Only once the schema is known, it is known how the app's model spells the attributes.
    addition.adapt = { (planned, connection) throws(SQLiteError) in
      let columns = IOSSystemColumns.withoutOthers(Self.columns(of: tables), of: planned)
      recognition = IOSRecognition(try IOSTraits(reading: connection, columns: columns))
      for table in planned.indices {
        IOSSystemColumns.adapt(&planned[table].columns, generation: recognition.generation)
      }
    }
    store = try CoreDataReader(database, adding: addition, corrections: corrections)
    generation = recognition.generation
    ownFindings = recognition.findings
    var source = store.source
    source.layout = .azureMobileIOS
    source.generation = generation.rawValue
    source.evidence = recognition.evidence + source.evidence
    self.source = source
  }

  package var base: any StoreReader { store }
  package var findings: Findings { store.findings + ownFindings }
  package var objectStorage: ObjectStorage? {
    var storage = store.objectStorage
    storage?.hasOldSpelling = generation != .g2
    return storage
  }

  package func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    try store.rows(
      ofTable: table, wanting: cells, naming: prepared?.naming(ofTable: catalogue.tables[table]))
  }

  package func prepareQueue() throws(StoreError) {
    guard prepared == nil else { return }
    let queueReader = IOSQueueReader(
      generation: generation, systemTables: systemTables, tableNames: canonicalNames,
      externalData: try store.externalDataOfSystemEntities())
    let context = "the queue cannot be read"
    let operations = try storeErrors(context) { () throws(StoreError) in
      try queueReader.readOperations(ofPagesOf: store.planned.database)
    }
    let queue = try storeErrors(context) { () throws(SQLiteError) in
      try queueReader.read(store.planned.database.connection, operations: operations)
    }
    prepared = PreparedQueue(queue, tyingTo: candidates(), comparing: .ignoringCase)
  }

  package func readQueueAhead() throws(StoreError) -> QueueAhead? {
    try prepareQueue()
    return prepared?.ahead
  }

  package func readQueue() throws(StoreError) -> Queue { try readMatchedQueue().settled() }

  package func readMatchedQueue() throws(StoreError) -> MatchedQueue {
    try prepareQueue()
    return try prepared.take()?.finish(store.planned.database) ?? MatchedQueue(Queue())
  }

  /// The columns of every table, all names in upper case.
  private static func columns(of tables: [SchemaTable]) -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    for table in tables {
      columns[table.name.uppercased()] = Set(table.columns.map { $0.name.uppercased() })
    }
    return columns
  }

  private var canonicalNames: [ExactText: String] {
    Dictionary(keepingFirst: catalogue.tables.map { (ExactText($0.sourceName), $0.name) })
  }

  /// The tables that operations may mean, with the way to find their rows.
  private func candidates() -> [RowAttachment.Candidate] {
    var tables: [RowAttachment.Candidate] = []
    for index in catalogue.tables.indices {
      let planned = store.planned.tables[index]
      guard planned.entity != nil, let id = catalogue.tables[index].index(of: .id) else { continue }
      tables.append(
        RowAttachment.Candidate(
          name: catalogue.tables[index].name, accepts: acceptedNames(of: planned),
          table: planned,
          expressions: [planned.columns[id].expression]
            + IOSSystemColumns.versionExpressions(planned.columns)))
    }
    return tables
  }

  /// The table itself and those of the entities above it: the SDK finds rows of subentities, too.
  private func acceptedNames(of planned: PlannedTable) -> [String] {
    var names: [String] = []
    var next = planned.entity
    // The schema's trees have no cycles, but a bound costs nothing.
    for _ in 0..<64 {
      guard let number = next, let entity = store.schema.resolution.entity(numbered: number)
      else { break }
      names.append(canonicalNames[ExactText(entity.name)] ?? entity.name)
      next = entity.parent
    }
    return names
  }
}
