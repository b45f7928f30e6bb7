import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite(.enabled(if: Corpus.has("CoreDataPlus"), "the corpus of real stores is not here"))
struct CoreDataPlusTests {
  static let stores = [
    "SampleModel/Fixtures/SampleModel_V1.sqlite", "SampleModel/Fixtures/SampleModel_V2.sqlite",
    "SampleModel2/Fixtures/SampleModel2_V1.sqlite",
    "SampleModel2/Fixtures/SampleModel2_V2.sqlite",
    "SampleModel3/Fixtures/SampleModel3_V1.sqlite",
  ]

  private func model(_ dump: StoreDump) throws -> ManagedObjectModel {
    try ManagedObjectModel(modelCache: [UInt8](dump.model))
  }

  private func numbering(_ dump: StoreDump, _ model: ManagedObjectModel) -> EntityNumbering {
    EntityNumbering(
      of: model, rows: dump.primaryKeyRows, hashedNames: Set(dump.hashedNames))
  }

  @Test(arguments: stores)
  func everyStoreIsInTheFolder(path: String) {
    #expect(FileManager.default.fileExists(atPath: corpusFile(path).path))
  }

  @Test(arguments: stores)
  func tablesAndColumnsAreExactlyThePredictedOnes(path: String) throws {
    let dump = try StoreDump(of: corpusFile(path))
    let model = try model(dump)
    let schema = PredictedSchema(model: model, numbering: EntityNumbering(predicting: model))
    let predicted = schema.tables.map { table in
      StoreTable(
        table.name,
        ["Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER"]
          + table.columns.map { "\($0.name) \($0.type?.rawValue ?? "?")" })
    }
    let actual = dump.tables.filter { !StoreTableKind(table: $0.name).isSystem }.map {
      StoreTable($0.name, $0.columns.map { "\($0[0]) \($0[1])" })
    }
    #expect(Set(predicted) == Set(actual))
    #expect(schema.joinTables.isEmpty)
    #expect(schema.differences.isEmpty)
  }

  @Test(arguments: stores)
  func onlyTheRenamedEntityIsADifference(path: String) throws {
    let dump = try StoreDump(of: corpusFile(path))
    let model = try model(dump)
    let resolution = SchemaResolution(
      model: model, numbering: numbering(dump, model), tables: dump.actualTables)
    let renamed = SchemaDifference.staleEntityName(
      number: 3, recorded: "ExpensiveSportCar", current: "LuxuryCar")
    #expect(resolution.differences == (path.hasSuffix("SampleModel_V2.sqlite") ? [renamed] : []))
    #expect(Set(resolution.entities.map(\.name)) == Set(dump.hashedNames))
    for entity in resolution.entities {
      #expect(entity.table != nil)
      #expect(entity.properties.allSatisfy { $0.column != nil })
    }
  }

  @Test(arguments: [
    ("SampleModel/Fixtures/SampleModel_V1.sqlite", "SampleModel"),
    ("SampleModel/Fixtures/SampleModel_V2.sqlite", "SampleModel2"),
    ("SampleModel3/Fixtures/SampleModel3_V1.sqlite", "SampleModel3"),
  ])
  func compiledModelIsTheSameAsTheOneInTheStore(path: String, version: String) throws {
    let dump = try StoreDump(of: corpusFile(path))
    let folder = path.split(separator: "/").first.map(String.init) ?? ""
    let file = corpusFile("\(folder)/Fixtures/\(folder).momd/\(version).mom")
    let compiled = try ManagedObjectModel(mom: [UInt8](Data(contentsOf: file)))
    // A store that was migrated carries a model without the names of classes.
    #expect(try withoutClasses(model(dump)) == withoutClasses(compiled))
  }

  private func withoutClasses(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: model.entities.map { entity in
        var entity = entity
        entity.className = nil
        return entity
      })
  }

  @Test(arguments: [
    "SampleModel/Fixtures/SampleModel.momd", "SampleModel3/Fixtures/SampleModel3.momd",
  ])
  func everyCompiledModelIsReadAndConsistent(path: String) throws {
    let folder = corpusFile(path)
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "mom" }
    #expect(files.count == 3)
    for file in files {
      let model = try ManagedObjectModel(mom: [UInt8](Data(contentsOf: file)))
      let numbering = EntityNumbering(predicting: model)
      #expect(PredictedSchema(model: model, numbering: numbering).differences.isEmpty)
    }
  }

  @Test func inheritanceDerivationAndDefaultsAreRead() throws {
    let dump = try StoreDump(of: corpusFile(Self.stores[2]))
    let model = try model(dump)
    #expect(model.fetchedPropertyCount == 2)
    let resolution = SchemaResolution(
      model: model, numbering: numbering(dump, model), tables: dump.actualTables)
    #expect(resolution.entity(named: "Writer")?.isAbstract == true)
    #expect(
      resolution.columns(of: "Author") == [
        "age -> ZAGE", "alias -> ZALIAS", "siteURL -> ZSITEURL",
      ])
    #expect(resolution.attribute("pagesCount", of: "GraphicNovel")?.attribute.isDerived == true)
    #expect(
      resolution.attribute("isBlackAndWhite", of: "GraphicNovel")?.attribute.defaultValue
        == .boolean(false))
    #expect(resolution.attribute("isBlackAndWhite", of: "Book") == nil)
    let book = try #require(resolution.reference("book", of: "Page"))
    #expect(book.entityColumn?.name == "Z1_BOOK")
    #expect(book.target?.table == "ZBOOK")
  }

  @Test(arguments: stores)
  func fallbackFindsTheSameEntitiesAndColumns(path: String) throws {
    let dump = try StoreDump(of: corpusFile(path))
    let model = try model(dump)
    let known = SchemaResolution(
      model: model, numbering: numbering(dump, model), tables: dump.actualTables)
    var evidence = FallbackModel.Evidence(
      rows: dump.primaryKeyRows, tables: dump.actualTables, hashedNames: Set(dump.hashedNames))
    let blind = try FallbackModel(evidence).resolution()
    #expect(blind.differences == known.differences)
    #expect(blind.entities.map(\.name) == known.entities.map(\.name))
    #expect(blind.entities.map(\.table) == known.entities.map(\.table))
    #expect(blind.entities.map(\.parent) == known.entities.map(\.parent))
    evidence.occupied = Set(
      dump.occupied.flatMap { number, columns in
        columns.map { OccupiedColumn(entity: Int64(number) ?? 0, column: $0) }
      })
    let seeing = try FallbackModel(evidence).resolution()
    for (found, expected) in zip(seeing.entities, known.entities) {
      let columns = Set(found.properties.compactMap(\.column))
      let filled = expected.properties.compactMap(\.column).filter { column in
        dump.occupied[String(expected.number)]?.contains(column.name) ?? false
      }
      #expect(columns.isSuperset(of: filled))
    }
  }
}

/// A table with its columns in their order.
private struct StoreTable: Hashable {
  let name: String
  let columns: [String]

  init(_ name: String, _ columns: [String]) {
    self.name = name
    self.columns = columns
  }
}

/// A file of the corpus by its path in the folder.
private func corpusFile(_ path: String) -> URL { Corpus.file("CoreDataPlus/" + path) }
