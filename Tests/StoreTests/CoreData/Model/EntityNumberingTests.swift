import Testing

@testable import CoreData

struct EntityNumberingTests {
  private func rows(_ names: (Int64, String?, Int64)...) -> [PrimaryKeyRow] {
    names.map { PrimaryKeyRow(number: $0.0, name: $0.1, parent: $0.2) }
  }

  private func cars(_ leaf: String, renamedFrom: String? = nil) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      entity("Car"), entity("SportCar", parent: "Car"),
      entity(leaf, parent: "SportCar", renamedFrom: renamedFrom), entity("Person"),
    ])
  }

  private func numbers(
    _ numbering: EntityNumbering, _ model: ManagedObjectModel
  ) -> [String: Int64] {
    Dictionary(uniqueKeysWithValues: zip(model.entities.map(\.name), numbering.numbers))
  }

  @Test func treesAreWalkedDepthFirstAndSiblingsByNameWithoutCase() throws {
    let model = try ManagedObjectModel(entities: [
      entity("zebra"), entity("Apple"), entity("banana"), entity("B2", parent: "banana"),
      entity("a1", parent: "banana"), entity("Deep", parent: "a1"), entity("Cherry"),
      entity("_Under"), entity("A_x"), entity("ab"),
    ])
    #expect(
      numbers(EntityNumbering(predicting: model), model) == [
        "_Under": 1, "A_x": 2, "ab": 3, "Apple": 4, "banana": 5, "a1": 6, "Deep": 7, "B2": 8,
        "Cherry": 9, "zebra": 10,
      ])
  }

  @Test func agreementLeavesNothingToReport() throws {
    let model = try cars("LuxuryCar")
    let numbering = EntityNumbering(
      of: model,
      rows: rows(
        (1, "Car", 0), (2, "SportCar", 1), (3, "LuxuryCar", 2), (4, "Person", 0),
        (16_001, "CHANGE", 0), (17_009, "NSCKMetadataEntry", 0)),
      hashedNames: ["Car", "SportCar", "LuxuryCar", "Person"])
    #expect(numbering.differences.isEmpty)
    #expect(numbering.numbers == EntityNumbering(predicting: model).numbers)
    #expect(numbering.isRecorded.allSatisfy { $0 })
    #expect(numbering.index(ofNumber: 3) == model.index(of: "LuxuryCar"))
    #expect(numbering.index(ofNumber: 16_001) == nil)
  }

  @Test(arguments: [nil, "ExpensiveSportCar"])
  func staleNameGivesWayByNumber(renamingIdentifier: String?) throws {
    let model = try cars("LuxuryCar", renamedFrom: renamingIdentifier)
    let numbering = EntityNumbering(
      of: model,
      rows: rows((1, "Car", 0), (2, "SportCar", 1), (3, "ExpensiveSportCar", 2), (4, "Person", 0)))
    #expect(numbers(numbering, model)["LuxuryCar"] == 3)
    #expect(
      numbering.differences == [
        .staleEntityName(number: 3, recorded: "ExpensiveSportCar", current: "LuxuryCar")
      ])
  }

  @Test func staleNameThatAnotherEntityHasNowGivesWayToTheRenamingIdentifier() throws {
    let model = try ManagedObjectModel(entities: [
      entity("A", renamedFrom: "B"), entity("B", renamedFrom: "B"),
    ])
    let numbering = EntityNumbering(of: model, rows: rows((1, "B", 0), (2, "C", 0)))
    #expect(numbers(numbering, model) == ["A": 1, "B": 2])
    #expect(numbering.differences.count == 2)
  }

  @Test func recordedNumberWinsOverTheRule() throws {
    let model = try ManagedObjectModel(entities: [entity("A"), entity("B"), entity("C")])
    let numbering = EntityNumbering(of: model, rows: rows((1, "C", 0), (2, "A", 0), (3, "B", 0)))
    #expect(numbers(numbering, model) == ["A": 2, "B": 3, "C": 1])
    #expect(
      numbering.differences == [
        .entityNumber(entity: "A", predicted: 1, recorded: 2),
        .entityNumber(entity: "B", predicted: 2, recorded: 3),
        .entityNumber(entity: "C", predicted: 3, recorded: 1),
      ])
  }

  @Test func entityWithoutRowAndRowWithoutEntityAreReported() throws {
    let model = try ManagedObjectModel(entities: [entity("A"), entity("B")])
    let numbering = EntityNumbering(
      of: model, rows: rows((1, "A", 0), (9, "Old", 0), (10, nil, 0)))
    #expect(
      numbering.differences == [
        .entityNotRecorded(entity: "B", predicted: 2),
        .recordedEntityUnknown(number: 9, name: "Old"),
        .recordedEntityUnknown(number: 10, name: nil),
      ])
    #expect(numbering.isRecorded == [true, false])
  }

  /// As in a store of one of the configurations of a model.
  @Test func entityWithoutRowHasNoNumberOfAnother() throws {
    let model = try ManagedObjectModel(entities: [entity("A"), entity("B"), entity("C")])
    let numbering = EntityNumbering(of: model, rows: rows((1, "B", 0), (2, "C", 0)))
    let found = numbers(numbering, model)
    #expect(found["B"] == 1 && found["C"] == 2)
    #expect(![0, 1, 2].contains(found["A"]))
    #expect(numbering.order.map { model.entities[$0].name } == ["B", "C", "A"])
    #expect(numbering.differences.contains(.entityNotRecorded(entity: "A", predicted: 1)))
  }

  @Test func otherParentIsReported() throws {
    let model = try ManagedObjectModel(entities: [entity("A"), entity("B", parent: "A")])
    let numbering = EntityNumbering(of: model, rows: rows((1, "A", 0), (2, "B", 0)))
    #expect(
      numbering.differences == [.superentity(entity: "B", predicted: 1, recorded: 0)])
  }

  @Test func hashesAndModelAreCompared() throws {
    let model = try ManagedObjectModel(entities: [entity("A")])
    let numbering = EntityNumbering(
      of: model, rows: rows((1, "A", 0)), hashedNames: ["Z", "B"])
    #expect(
      numbering.differences == [
        .entityNotHashed(entity: "A"), .hashedEntityUnknown(entity: "B"),
        .hashedEntityUnknown(entity: "Z"),
      ])
  }
}
