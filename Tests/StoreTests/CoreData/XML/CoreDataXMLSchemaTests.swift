import Foundation
import TestSupport
import Testing

@testable import CoreData

struct CoreDataXMLSchemaTests {
  private static func schema(_ name: String) throws -> CoreDataXMLSchema {
    let fixture = try #require(CoreDataXMLStoreTests.accepted.first { $0.name == name })
    return try CoreDataXMLSchema(reading: CoreDataXMLStore(path: fixture.path))
  }

  @Test(arguments: CoreDataXMLStoreTests.accepted)
  func countsAreWhatPythonCounts(in fixture: StoreFixture) throws {
    let oracle = try StoreOracle(fixture.path)
    let schema = try CoreDataXMLSchema(reading: CoreDataXMLStore(path: fixture.path))
    try expectEqual(schema, oracle)
  }

  @Test func trueNamesComeFromTheHashesWithoutRegardToCase() throws {
    let schema = try Self.schema("everything")
    #expect(
      schema.entities.map(\.name)
        == ["UNIT", "SIMPARAMETERS", "TWINNAME", "NEWER"].map {
          ["UNIT": "Unit", "SIMPARAMETERS": "SimParameters"][$0] ?? $0
        })
    #expect(schema.entity(type: "TWINNAME")?.trueName == nil)
  }

  @Test func kindsThatDifferLeaveTheTypeOpen() throws {
    let entity = try #require(try Self.schema("everything").entity(type: "SIMPARAMETERS"))
    let at = try #require(entity.attributes.first { $0.name == "at" })
    #expect(at.type == nil && at.counts == [.date: 1, .int16: 1])
    #expect(entity.attributes.first { $0.name == "flag" }?.type == .bool)
  }

  @Test func relationshipIsToManyByItsBoundsOrByItsTargets() throws {
    let schema = try Self.schema("everything")
    let uses = schema.entity(type: "UNIT")?.relationships.first { $0.name == "uses" }
    #expect(uses?.isToMany == true && uses?.destinations == ["SIMPARAMETERS"])
    let unit = schema.entity(type: "SIMPARAMETERS")?.relationships.first { $0.name == "unit" }
    #expect(unit?.bounds.allSatisfy { !$0.isToMany } == true)
    #expect(unit?.isToMany == true)
  }

  @Test func unknownElementsAreCounted() throws {
    #expect(try Self.schema("unknown-elements").unknownElementCount == 2)
    #expect(try Self.schema("everything").unknownElementCount == 0)
  }

  @Test func versionThatKnowsEverythingFitsBest() throws {
    let schema = try Self.schema("attribute-without-type")
    let full = try ManagedObjectModel(entities: [
      entity("A", [attribute("a"), attribute("B")], [toOne("r", "A"), toMany("s", "A")])
    ])
    let poor = try ManagedObjectModel(entities: [entity("A", [attribute("a")], [])])
    let other = try ManagedObjectModel(entities: [entity("C")])
    #expect(schema.misfits(of: full) == 0)
    #expect(schema.misfits(of: poor) == 3)
    #expect(schema.misfits(of: other) == 1)
  }
}

@Suite(.enabled(if: AtomlibCorpus.isPresent, "the corpus of real stores is not here"))
struct AtomlibTests {
  @Test(arguments: AtomlibCorpus.files)
  func storeIsReadAsElementTreeReadsIt(name: String) throws {
    let path = AtomlibCorpus.folder.appendingPathComponent(name).path
    let oracle = try StoreOracle(path)
    #expect(oracle.lines.count > 50)
    #expect(try lines(of: CoreDataXMLStore(path: path)) == oracle.lines)
    let schema = try CoreDataXMLSchema(reading: CoreDataXMLStore(path: path))
    try expectEqual(schema, oracle)
    #expect(schema.unknownElementCount == 0)
    #expect(schema.entities.allSatisfy { $0.trueName != nil })
    #expect(schema.entity(type: "SIMPARAMETERS")?.name == "SimParameters")
  }
}

/// XML stores of another project, which lie beside this one or not at all.
enum AtomlibCorpus {
  static let folder = CoreDataPlusCorpus.folder.deletingLastPathComponent()
    .appendingPathComponent("atomlib")
  static let files = ["Al_roundtrip.mslice", "template.mslice"]
  static let isPresent = FileManager.default.fileExists(atPath: folder.path)
}

private func expectEqual(_ schema: CoreDataXMLSchema, _ oracle: StoreOracle) throws {
  let counts = Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.type, $0.count) })
  #expect(counts == oracle.counts)
  #expect(schema.objectCount == oracle.counts.values.reduce(0, +))
  #expect((schema.info.metadata.entityHashes ?? [:]) == oracle.hashes.mapValues { [UInt8]($0) })
  for entity in schema.entities {
    let attributes = entity.attributes.map { attribute in
      (attribute.name, Dictionary(uniqueKeysWithValues: attribute.counts.map { ($0.rawValue, $1) }))
    }
    #expect(
      Dictionary(uniqueKeysWithValues: attributes) == oracle.attributes[entity.type] ?? [:])
    for relationship in entity.relationships {
      let targets = try #require(oracle.targets[entity.type]?[relationship.name])
      #expect(relationship.count == targets.count)
      #expect(relationship.targetCount == targets.reduce(0, +))
      #expect(relationship.largestTargetCount == targets.max())
    }
    #expect(entity.relationships.count == oracle.targets[entity.type]?.count ?? 0)
  }
}
