import TestSupport
import Testing

@testable import CoreData

struct ManagedObjectModelTests {
  @Test func inheritedPropertiesListedAgainAreDropped() throws {
    let model = try ManagedObjectModel(entities: [
      entity("Base", [attribute("name")], [toOne("owner", "Base")]),
      entity("Leaf", parent: "Middle", [attribute("name"), attribute("own")]),
      entity("Middle", parent: "Base", [attribute("name")], [toOne("owner", "Base")]),
    ])
    #expect(model.entities.map(\.name) == ["Base", "Middle", "Leaf"])
    #expect(model.entities[1].attributes.isEmpty)
    #expect(model.entities[1].relationships.isEmpty)
    #expect(model.entities[2].attributes.map(\.name) == ["own"])
  }

  @Test func propertiesAreSortedWithoutRegardToCase() throws {
    let model = try ManagedObjectModel(entities: [
      entity("A", [attribute("b"), attribute("C"), attribute("a"), attribute("_x")])
    ])
    #expect(model.entities[0].attributes.map(\.name) == ["_x", "a", "b", "C"])
  }

  @Test func orderOfEntitiesInTheInputDoesNotMatter() throws {
    let entities = [entity("A"), entity("B", parent: "A"), entity("C", [attribute("x")])]
    #expect(
      try ManagedObjectModel(entities: entities)
        == ManagedObjectModel(entities: entities.reversed()))
  }

  @Test func relationshipIsFoundOnAnAncestor() throws {
    let model = try ManagedObjectModel(entities: [
      entity("A", [], [toOne("x", "A")]), entity("B", parent: "A"), entity("C", parent: "B"),
    ])
    let index = try #require(model.index(of: "C"))
    let place = model.relationship(named: "x", of: index)
    #expect(place == RelationshipPlace(entity: 0, relationship: 0))
    #expect(model.relationship(named: "y", of: index) == nil)
  }

  @Test(arguments: [
    (ModelError.Code.duplicateEntity, [entity("A"), entity("A")]),
    (.duplicateProperty, [entity("A", [attribute("x")], [toOne("x", "A")])]),
    (.missingName, [entity("")]),
    (.missingName, [entity("A", [attribute("")])]),
    (
      .missingName,
      [entity("A", [attribute("x", .composite, elements: [attribute("")])])]
    ),
    (.unknownSuperentity, [entity("A", parent: "B")]),
    (.cyclicSuperentity, [entity("A", parent: "A")]),
    (.cyclicSuperentity, [entity("R"), entity("A", parent: "B"), entity("B", parent: "A")]),
  ])
  func inconsistentEntitiesAreRefused(code: ModelError.Code, entities: [ModelEntity]) {
    #expect { try ManagedObjectModel(entities: entities) } throws: {
      ($0 as? ModelError)?.code == code
    }
  }

  @Test func tooDeepInheritanceIsRefused() {
    let entities = (0..<65).map { entity("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
    #expect(throws: ModelError(.inheritanceTooDeep, "E64")) {
      try ManagedObjectModel(entities: entities)
    }
  }

  @Test func tooDeepCompositeIsRefused() {
    var nested = attribute("leaf")
    for _ in 0..<9 { nested = attribute("nest", .composite, elements: [nested]) }
    let tooDeep = nested
    #expect { try ManagedObjectModel(entities: [entity("A", [tooDeep])]) } throws: {
      ($0 as? ModelError)?.code == .compositeTooDeep
    }
  }

  @Test func hundredThousandEntitiesAreRefused() {
    let entities = (0..<100_000).map { entity("E\($0)") }
    #expect(throws: ModelError(.tooManyEntities, "100000")) {
      try ManagedObjectModel(entities: entities)
    }
  }

  @Test func inheritedPropertiesCountTowardsTheLimit() {
    let attributes = (0..<100).map { attribute("a\($0)") }
    let entities =
      [entity("Root", attributes)] + (0..<2_000).map { entity("E\($0)", parent: "Root") }
    #expect { try ManagedObjectModel(entities: entities) } throws: {
      ($0 as? ModelError)?.code == .tooManyProperties
    }
  }

  @Test func ownersOfRowsCountTowardsTheLimit() {
    let owned = (0..<100).map { toMany("r\($0)", "Root") }
    let entities =
      [entity("Root"), entity("Owner", [], owned)]
      + (0..<2_000).map { entity("E\($0)", parent: "Root") }
    #expect { try ManagedObjectModel(entities: entities) } throws: {
      ($0 as? ModelError)?.code == .tooManyProperties
    }
  }

  @Test func largestAllowedModelIsHandledQuickly() throws {
    let clock = ThreadClock()
    let attributes = (0..<3).map { attribute("same\($0)") }
    let entities = (0..<15_990).map { index in
      entity(
        "E\(index)", parent: index % 64 == 0 || index < 64 ? nil : "E\(index / 64)", attributes,
        index == 0 ? (0..<1_500).map { toOne("r\($0)", "Nowhere\($0)") } : [])
    }
    let prediction = try Prediction(entities)
    #expect(prediction.model.entities.count == 15_990)
    let resolution = SchemaResolution(
      model: prediction.model, numbering: EntityNumbering(predicting: prediction.model),
      tables: [table("ZE0", "ZSAME0 VARCHAR")])
    #expect(resolution.entities.count == 15_990)
    #expect(clock.seconds < 60)
  }

  @Test func everyErrorCodeSaysSomething() {
    let codes: [ModelError.Code] = [
      .cannotUnpack, .notAKeyedArchive, .notAModel, .missingName, .missingValue,
      .duplicateEntity, .duplicateProperty, .unknownSuperentity, .cyclicSuperentity,
      .unknownPropertyClass, .inheritanceTooDeep, .compositeTooDeep, .tooManyEntities,
      .tooManyProperties,
    ]
    #expect(Set(codes.map { ModelError($0).description }).count == codes.count)
    #expect(ModelError(.missingName, "A.b").description.hasSuffix(": A.b"))
  }
}
