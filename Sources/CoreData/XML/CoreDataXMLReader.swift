import Bytes
package import Records
package import SQLite
import XMLFormat

/// Reads a Core Data XML store: a table for each entity and each many-to-many relationship.
package final class CoreDataXMLReader: StoreReader {
  package var source: SourceDescription
  package let catalogue: Catalogue
  package let findings: Findings
  package let model: ModelSummary?
  private let path: String
  private let state: FileState?
  private let contents: XMLContents
  private let entities: XMLEntities
  private let relations: XMLRelations
  private let tables: [XMLTable]

  /// Reads the store at `path`, with the names of a model where one is given.
  ///
  /// - Throws: `StoreError` when the store cannot be read, is damaged, or no given version of the
  ///   model belongs to it.
  package init(
    path: String, versions: ModelVersions?, _ interruption: Interruption
  ) throws(StoreError) {
    self.path = path
    state = try storeErrors { () throws(SQLiteError) in try FileState(path: path) }
    let loaded = try CoreDataXMLReader.Loading(path: path, interruption)
    let given = try versions.map { (versions) throws(StoreError) in
      try GivenModel(choosingFrom: versions, for: ModelEvidence(loaded.schema), path)
    }
    let (names, numbers) = (loaded.names, loaded.numbers)
    contents = loaded.contents
    entities = XMLEntities(loaded.schema, numbers: numbers, model: given?.model)
    relations = XMLRelations(
      contents, entities, names: names, numbers: numbers, model: given?.model)
    tables = XMLTables(
      contents: contents, entities: entities, relations: relations, numbers: numbers,
      model: given?.model
    ).plan()
    catalogue = tables.catalogue(origin: given == nil ? .fallback : .model)
    model =
      given.map { ModelSummary($0.model) } ?? ModelSummary(tables, relations)
    findings =
      Findings(contents.findings + loaded.schema.findings(given) + (given?.findings ?? []))
    source = Self.describe(path, loaded.schema.info, given)
  }

  /// Whether the file at `path` starts like a store; whatever cannot be read does not.
  package static func isStore(at path: String) -> Bool {
    // Only a regular file can be looked at without taking something away or waiting for it.
    guard let state = try? FileState(path: path), state.size > 0,
      let start = try? readPrefix(of: path, count: 1 << 14),
      DatabaseHeader(parsing: start.span) == nil
    else { return false }
    return CoreDataXMLStore.isStore(startingWith: start)
  }

  package var inputFiles: [String] { [path] }

  package func isSourceUnchanged() throws(StoreError) -> Bool {
    try storeErrors { () throws(SQLiteError) in try FileState(path: path) == state }
  }

  package func examineRows() throws(StoreError) -> [Finding] {
    relations.list.flatMap { $0.findings }
  }

  package func countRows(inTable table: Int) throws(StoreError) -> Int { tables[table].rowCount }

  package func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    let rows = XMLRows(
      contents: contents, entities: entities, relations: relations, table: tables[table],
      tableNames: catalogue.tables.map(\.name))
    return .batches { (body) throws(StoreError) in try rows.forEachBatch(body) }
  }

  private static func describe(
    _ path: String, _ info: CoreDataXMLInfo, _ given: GivenModel?
  ) -> SourceDescription {
    var source = SourceDescription(
      name: Paths.fileName(of: path), layout: .coreDataXML,
      evidence: [
        "an XML document of database and databaseInfo",
        given == nil
          ? "names of entities from the metadata, of properties in lower case as stored"
          : "names from \(NameOrigin.model.rawValue)",
      ])
    source.metadata = info.metadata.facts
    if let given { source.metadata.append(given.fact) }
    return source
  }

  /// A whole XML store, read once.
  fileprivate struct Loading {
    let schema: CoreDataXMLSchema
    let contents: XMLContents
    let names: [String]
    let numbers: [String: Int]

    init(path: String, _ interruption: Interruption) throws(StoreError) {
      var contents = XMLContents()
      do {
        var store = try CoreDataXMLStore(path: path)
        schema = try CoreDataXMLSchema(reading: &store) { (object) throws(XMLError) in
          if contents.objectCount % 1024 == 0, interruption.isRaised {
            throw XMLError(.inputOutput, "stopped by a signal")
          }
          contents.add(object)
        }
        names = store.names
      } catch {
        if interruption.isRaised { throw StoreError.interrupted }
        throw StoreError(error, path: path)
      }
      contents.finish()
      self.contents = contents
      numbers = Dictionary(keepingFirst: names.enumerated().map { ($1, $0) })
    }
  }
}
