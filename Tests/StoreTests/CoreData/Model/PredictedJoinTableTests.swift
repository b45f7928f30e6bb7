import Testing

@testable import CoreData

struct PredictedJoinTableTests {
  private func joins(_ entities: [ModelEntity]) throws -> [PredictedJoinTable] {
    try Prediction(entities).schema.joinTables
  }

  @Test func columnsAreNamedByTheEntityTheyHoldAndTheNameThatLeadsToIt() throws {
    let join = try #require(
      try joins([
        entity("Album", [], [toMany("assets", "Asset", inverse: "albums", ordered: true)]),
        entity("Asset", [], [toMany("albums", "Album", inverse: "assets")]),
      ]).first)
    #expect(join.candidates == ["Z_1ASSETS", "Z_2ALBUMS"])
    #expect(join.ownerColumn == "Z_1ALBUMS")
    #expect(join.targetColumn == "Z_2ASSETS")
    #expect(join.positionColumn == "Z_FOK_2ASSETS")
    #expect(join.reversePositionColumn == nil)
  }

  @Test func sideWithSubentitiesNamesTheTable() throws {
    let join = try #require(
      try joins([
        entity("A", [], [toMany("bs", "B", inverse: "as")]),
        entity("B", [], [toMany("as", "A", inverse: "bs", ordered: true)]),
        entity("Sub", parent: "B"),
      ]).first)
    #expect(join.candidates == ["Z_2AS", "Z_1BS"])
    #expect(join.positionColumn == nil)
    #expect(join.reversePositionColumn == "Z_FOK_1AS")
  }

  @Test func lowerNumberNamesTheTableWhenBothHaveSubentities() throws {
    let join = try #require(
      try joins([
        entity("A", [], [toMany("bs", "B", inverse: "as")]), entity("A1", parent: "A"),
        entity("B", [], [toMany("as", "A", inverse: "bs")]), entity("B1", parent: "B"),
      ]).first)
    #expect(join.candidates == ["Z_1BS", "Z_3AS"])
  }

  @Test func numbersAreThoseOfTheDefiningEntities() throws {
    let join = try #require(
      try joins([
        entity("A", [], [toMany("leaves", "Leaf", inverse: "as")]),
        entity("Base", abstract: true, [], [toMany("as", "A", inverse: "leaves")]),
        entity("Leaf", parent: "Base"),
      ]).first)
    #expect(join.candidates == ["Z_2AS", "Z_1LEAVES"])
    #expect(join.ownerColumn == "Z_1AS")
    #expect(join.targetColumn == "Z_2LEAVES")
  }

  @Test func pairIsNamedByTheSideThatSortsFirst() throws {
    let prediction = try Prediction([
      entity("B", [], [toMany("as", "A", inverse: "zs")]),
      entity("A", [], [toMany("zs", "B", inverse: "as")]),
    ])
    let join = try #require(prediction.schema.joinTables.first)
    #expect(prediction.model.name(of: join.owner).description == "A.zs")
    #expect(prediction.model.name(of: join.target).description == "B.as")
  }

  @Test func pairWithinOneEntityHasTwoCandidates() throws {
    let join = try #require(
      try joins([
        entity(
          "User", [],
          [
            toMany("follows", "User", inverse: "followedBy", ordered: true),
            toMany("followedBy", "User", inverse: "follows"),
          ])
      ]).first)
    #expect(Set(join.candidates) == ["Z_1FOLLOWS", "Z_1FOLLOWEDBY"])
    #expect(join.ownerColumn == "Z_1FOLLOWS")
    #expect(join.targetColumn == "Z_1FOLLOWEDBY")
    #expect(join.positionColumn == nil)
    #expect(join.reversePositionColumn == "Z_FOK_1FOLLOWS")
    #expect(!join.isReflexive)
  }

  @Test func relationshipThatIsItsOwnInverseIsReflexive() throws {
    let joins = try joins([
      entity("User", [], [toMany("friends", "User", inverse: "friends")])
    ])
    #expect(joins.count == 1)
    let join = try #require(joins.first)
    #expect(join.isReflexive)
    #expect(join.candidates == ["Z_1FRIENDS"])
    #expect(join.ownerColumn == "Z_1FRIENDS")
    #expect(join.targetColumn == "REFLEXIVE")
  }

  @Test func oneToManyAndToManyWithoutInverseHaveNoJoinTable() throws {
    #expect(
      try joins([
        entity("A", [], [toMany("bs", "B", inverse: "a"), toMany("cs", "B")]),
        entity("B", [], [toOne("a", "A", inverse: "bs")]),
      ]).isEmpty)
  }
}
