import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite(.enabled(if: CoreDataPlusCorpus.isPresent, "the corpus of real stores is not here"))
struct ModelCorpusTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let store: String
    let model: String
    let version: String

    var testDescription: String { store }
    var storeFile: URL { CoreDataPlusCorpus.file("\(model)/Fixtures/\(store).sqlite") }
    var compiled: String { CoreDataPlusCorpus.file("\(model)/Fixtures/\(model).momd").path }
    var sources: String { CoreDataPlusCorpus.file("\(model)/\(model).xcdatamodeld").path }
  }

  static let cases = [
    Case(store: "SampleModel_V1", model: "SampleModel", version: "SampleModel"),
    Case(store: "SampleModel_V2", model: "SampleModel", version: "SampleModel2"),
    Case(store: "SampleModel3_V1", model: "SampleModel3", version: "SampleModel3"),
  ]

  @Test(arguments: cases)
  func cacheCompiledModelAndSourcePredictTheSameSchema(of sample: Case) throws {
    let dump = try StoreDump(of: sample.storeFile)
    let cached = try ManagedObjectModel(modelCache: [UInt8](dump.model))
    let evidence = ModelEvidence(
      hashes: try hashes(of: sample.storeFile), rows: dump.primaryKeyRows,
      tables: dump.actualTables)
    let compiled = try ModelFile(at: sample.compiled).versions().chosen(for: evidence)
    let sourced = try ModelFile(at: sample.sources).versions().chosen(for: evidence)
    #expect(compiled.candidate.name == sample.version)
    #expect(compiled.reason == .hashes)
    #expect(sourced.candidate.name == sample.version)
    #expect(sourced.reason == .fit(misfits: 0))
    #expect(prediction(compiled.candidate.model) == prediction(cached))
    #expect(prediction(sourced.candidate.model) == prediction(cached))
  }

  @Test(arguments: ["SampleModel", "SampleModel3"])
  func sourceGivesTheModelThatWasCompiledFromIt(name: String) throws {
    let sample = Case(store: "", model: name, version: "")
    let compiled = try ModelFile(at: sample.compiled).versions().candidates
    let sourced = try ModelFile(at: sample.sources).versions().candidates
    #expect(compiled.count == 3)
    #expect(sourced.map(\.name) == compiled.map(\.name))
    for (sourced, compiled) in zip(sourced, compiled) {
      let entities = withoutTransformedClasses(sourced.model)
      #expect(entities == compiled.model.entities, "\(sourced.name)")
    }
  }

  @Test(arguments: ["SampleModel2_V1", "SampleModel2_V2"])
  func modelOfAnotherAppIsRefused(store: String) throws {
    let file = CoreDataPlusCorpus.file("SampleModel2/Fixtures/\(store).sqlite")
    let dump = try StoreDump(of: file)
    let evidence = ModelEvidence(
      hashes: try hashes(of: file), rows: dump.primaryKeyRows, tables: dump.actualTables)
    for path in [Self.cases[0].compiled, Self.cases[0].sources] {
      let error = #expect(throws: ModelFileError.self) {
        _ = try ModelFile(at: path).versions().chosen(for: evidence)
      }
      #expect(error?.code == .noVersionFits)
    }
  }

  @Test func versionsOfOneSetOfNamesAreToldApartByTheirTables() throws {
    let sample = Self.cases[2]
    let candidates = try ModelFile(at: sample.sources).versions().candidates
    let both = candidates.filter { $0.entityNames == ["Pet", "User"] }
    #expect(both.count == 2)
    for candidate in both {
      let schema = PredictedSchema(
        model: candidate.model, numbering: EntityNumbering(predicting: candidate.model))
      let tables = schema.tables.map { table in
        ActualTable(
          name: table.name,
          columns: [("Z_PK", "INTEGER"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER")].map {
            (name: $0.0, declaredType: $0.1)
          } + table.columns.map { (name: $0.name, declaredType: $0.type?.rawValue ?? "") })
      }
      let rows = candidate.model.entities.indices.map {
        PrimaryKeyRow(
          number: Int64($0) + 1, name: candidate.model.entities[$0].name, parent: 0)
      }
      let hashes = ["Pet": [UInt8](), "User": []]
      let evidence = ModelEvidence(hashes: hashes, rows: rows, tables: tables)
      let choice = try ModelFile(at: sample.sources).versions().chosen(for: evidence)
      #expect(choice.candidate.name == candidate.name)
    }
  }

  /// The entities of a source, without the classes of values that only the app transforms.
  private func withoutTransformedClasses(_ model: ManagedObjectModel) -> [ModelEntity] {
    model.entities.map { entity in
      var entity = entity
      for index in entity.attributes.indices
      where entity.attributes[index].type == .transformable {
        entity.attributes[index].valueClassName = nil
      }
      return entity
    }
  }

  /// All tables and columns of a model as lines.
  private func prediction(_ model: ManagedObjectModel) -> [String] {
    let numbering = EntityNumbering(predicting: model)
    let schema = PredictedSchema(model: model, numbering: numbering)
    return schema.tables.flatMap { table in
      table.columns.map { "\(table.name).\($0.name) \($0.type?.rawValue ?? "?") \($0.property)" }
    } + schema.joinTables.flatMap { $0.candidates + [$0.ownerColumn, $0.targetColumn] }
      + model.entities.indices.map { "\(model.entities[$0].name) \(numbering.numbers[$0])" }
  }

  private func hashes(of store: URL) throws -> [String: [UInt8]] {
    let folder = try TemporaryFolder()
    let copy = folder.url.appendingPathComponent("store.sqlite")
    try Data(contentsOf: store).write(to: copy)
    let output = try Python.run(
      """
      import base64, json, plistlib, sqlite3, sys
      (plist,) = sqlite3.connect(sys.argv[1]).execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
      hashes = plistlib.loads(plist)["NSStoreModelVersionHashes"]
      json.dump({k: base64.b64encode(v).decode() for k, v in hashes.items()}, sys.stdout)
      """, arguments: [copy.path])
    return try JSONDecoder().decode([String: Data].self, from: output).mapValues { [UInt8]($0) }
  }
}
