import Testing

@testable import CoreData

struct PredictedSchemaTests {
  @Test(arguments: [
    (AttributeType.integer16, "ZX INTEGER"), (.integer32, "ZX INTEGER"),
    (.integer64, "ZX INTEGER"), (.boolean, "ZX INTEGER"), (.decimal, "ZX DECIMAL"),
    (.double, "ZX FLOAT"), (.float, "ZX FLOAT"), (.string, "ZX VARCHAR"),
    (.date, "ZX TIMESTAMP"), (.binary, "ZX BLOB"), (.uuid, "ZX BLOB"), (.uri, "ZX VARCHAR"),
    (.transformable, "ZX BLOB"), (.other(9_999), "ZX ?"),
  ])
  func attributeHasTheColumnOfItsType(type: AttributeType, column: String) throws {
    let prediction = try Prediction([entity("A", [attribute("x", type)])])
    #expect(prediction.columns(of: "ZA") == [column])
  }

  @Test(arguments: [AttributeType.undefined, .objectID, .composite])
  func typeWithoutStorageHasNoColumn(type: AttributeType) throws {
    #expect(try Prediction([entity("A", [attribute("x", type)])]).columns(of: "ZA").isEmpty)
  }

  @Test(arguments: [
    0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_100, 1_200, 1_800, 2_000, 2_100,
  ])
  func everyKnownTypeCodeHasACase(code: Int64) {
    #expect(AttributeType(code: code) != .other(code))
  }

  @Test func namesAreUpperCasedAndKeepUnderscores() throws {
    let prediction = try Prediction([
      entity("CD_Base", [attribute("_DKFoo__bar"), attribute("größe"), attribute("straße")])
    ])
    #expect(
      prediction.columns(of: "ZCD_BASE") == [
        "Z_DKFOO__BAR VARCHAR", "ZGRÖSSE VARCHAR", "ZSTRASSE VARCHAR",
      ])
  }

  @Test func transientPropertiesHaveNoColumn() throws {
    var relationship = toOne("r", "A")
    relationship.isTransient = true
    let prediction = try Prediction([
      entity("A", [attribute("x", transient: true)], [relationship])
    ])
    #expect(prediction.columns(of: "ZA").isEmpty)
  }

  @Test func subentitiesShareTheTableOfAnAbstractRoot() throws {
    let prediction = try Prediction([
      entity("Root", abstract: true, [attribute("a")]),
      entity("Middle", parent: "Root", [attribute("b")]),
      entity("Leaf", parent: "Middle", [attribute("c")]),
      entity("Other", parent: "Root", [attribute("d")]),
    ])
    let schema = prediction.schema
    #expect(schema.tables.map(\.name) == ["ZROOT"])
    let leaf = try #require(prediction.model.index(of: "Leaf"))
    #expect(
      schema.tables[0].columns(of: leaf, in: prediction.model).map(\.name) == ["ZA", "ZB", "ZC"])
  }

  @Test func columnsStandInGroupsOfTypes() throws {
    let prediction = try Prediction([
      entity(
        "A",
        [
          attribute("b1", .binary), attribute("b2", .transformable), attribute("b3", .uuid),
          attribute("b4", .uri), attribute("b5"), attribute("b6", .decimal),
          attribute("b7", .date), attribute("b8", .double), attribute("b9", .boolean),
          attribute("c1", .integer16),
        ], [toOne("a", "B", inverse: "many")]),
      entity("B", [], [toMany("many", "A", inverse: "a", ordered: true)]),
    ])
    #expect(
      prediction.columns(of: "ZA") == [
        "ZB9 INTEGER", "ZC1 INTEGER", "ZA INTEGER", "Z_FOK_A INTEGER", "ZB7 TIMESTAMP",
        "ZB8 FLOAT", "ZB6 DECIMAL", "ZB5 VARCHAR", "ZB4 VARCHAR", "ZB3 BLOB", "ZB2 BLOB",
        "ZB1 BLOB",
      ])
  }

  @Test func toOneHasAKeyAndOneToManyNothingOnTheOtherSide() throws {
    let prediction = try Prediction([
      entity("A", [], [toMany("bs", "B", inverse: "a", max: 10_000)]),
      entity("B", [], [toOne("a", "A", inverse: "bs")]),
    ])
    #expect(prediction.columns(of: "ZA").isEmpty)
    #expect(prediction.columns(of: "ZB") == ["ZA INTEGER"])
  }

  @Test func toOneToAnEntityWithSubentitiesSaysWhichEntity() throws {
    let prediction = try Prediction([
      entity("Book"), entity("Novel", parent: "Book"), entity("Page", [], [toOne("book", "Book")]),
      entity("Shelf", [], [toOne("novel", "Novel")]),
    ])
    #expect(prediction.columns(of: "ZPAGE") == ["ZBOOK INTEGER", "Z1_BOOK INTEGER"])
    #expect(prediction.columns(of: "ZSHELF") == ["ZNOVEL INTEGER"])
  }

  @Test func inverseOfAnOrderedToManyKeepsThePosition() throws {
    let prediction = try Prediction([
      entity("A", [], [toMany("bs", "B", inverse: "a", ordered: true)]),
      entity("B", [], [toOne("a", "A", inverse: "bs")]),
    ])
    #expect(prediction.columns(of: "ZB") == ["ZA INTEGER", "Z_FOK_A INTEGER"])
  }

  @Test func inverseMayBeDefinedOnAnAncestorOfTheDestination() throws {
    let prediction = try Prediction([
      entity("Base", abstract: true, [], [toOne("a", "A", inverse: "leaves")]),
      entity("Leaf", parent: "Base"),
      entity("A", [], [toMany("leaves", "Leaf", inverse: "a", ordered: true)]),
    ])
    #expect(prediction.columns(of: "ZBASE") == ["ZA INTEGER", "Z_FOK_A INTEGER"])
    #expect(prediction.schema.differences.isEmpty)
  }

  @Test func toManyWithoutInverseHidesInTheDestinationsTable() throws {
    let prediction = try Prediction([
      entity("A"), entity("Leaf", parent: "Root"), entity("Root"),
      entity(
        "Quiz", [], [toMany("questions", "Leaf"), toMany("steps", "Leaf", ordered: true)]),
    ])
    #expect(prediction.columns(of: "ZQUIZ").isEmpty)
    #expect(
      prediction.columns(of: "ZROOT") == [
        "Z2QUESTIONS INTEGER", "Z2STEPS INTEGER", "Z_FOK_2STEPS INTEGER",
      ])
  }

  @Test func oneToOneHasAColumnOnBothSides() throws {
    let prediction = try Prediction([
      entity("A", [], [toOne("b", "B", inverse: "a")]),
      entity("B", [], [toOne("a", "A", inverse: "b")]),
    ])
    #expect(prediction.columns(of: "ZA") == ["ZB INTEGER"])
    #expect(prediction.columns(of: "ZB") == ["ZA INTEGER"])
  }

  @Test func laterUsersOfANameGetDigits() throws {
    let prediction = try Prediction([
      entity("Root"),
      entity("C", parent: "Root", [attribute("title"), attribute("n", .integer16)]),
      entity("A", parent: "Root", [attribute("title")], [toOne("n", "Root")]),
      entity("B", parent: "Root", [attribute("Title")]),
    ])
    #expect(
      prediction.assignments(of: "ZROOT")
        == [
          "A.n -> ZN", "C.n -> ZN1", "A.title -> ZTITLE", "B.Title -> ZTITLE1",
          "C.title -> ZTITLE2",
        ].inserting("A.n -> Z1_N", after: "A.n -> ZN"))
    #expect(prediction.schema.differences.isEmpty)
  }

  @Test func collisionsAcrossTypesGoByTypeGroup() throws {
    let prediction = try Prediction([
      entity("Root"), entity("A", parent: "Root", [attribute("v")]),
      entity("B", parent: "Root", [attribute("v", .integer16)]),
    ])
    #expect(prediction.assignments(of: "ZROOT") == ["B.v -> ZV", "A.v -> ZV1"])
  }

  @Test func suffixThatIsAlsoARealNameIsReported() throws {
    let prediction = try Prediction([
      entity("Root"), entity("A", parent: "Root", [attribute("title"), attribute("title1")]),
      entity("B", parent: "Root", [attribute("title")]),
    ])
    let names = prediction.schema.tables[0].columns.map(\.name)
    #expect(Set(names).count == 3)
    #expect(prediction.schema.differences.count == 3)
  }

  @Test func elementsOfACompositeHaveColumnsWithoutItsName() throws {
    let prediction = try Prediction([
      entity(
        "A",
        [
          attribute("id"), attribute("prep", .composite, elements: [attribute("id")]),
          attribute(
            "author", .composite,
            elements: [
              attribute("year", .integer16), attribute("id"),
              attribute("home", .composite, elements: [attribute("city")]),
            ]),
        ])
    ])
    #expect(
      prediction.assignments(of: "ZA") == [
        "A.author_year -> ZYEAR", "A.author_home_city -> ZCITY", "A.author_id -> ZID",
        "A.id -> ZID1", "A.prep_id -> ZID2",
      ])
  }

  @Test func unknownDestinationsAndInversesAreReported() throws {
    let prediction = try Prediction([
      entity(
        "A", [],
        [
          toOne("gone", "Nowhere"), toMany("lost", "Nowhere"), toOne("b", "B", inverse: "no"),
          toOne("c", "B", inverse: "d"),
        ]),
      entity("B", [], [toOne("d", "A", inverse: "gone")]),
    ])
    #expect(
      Set(prediction.columns(of: "ZA")) == ["ZGONE INTEGER", "ZB INTEGER", "ZC INTEGER"])
    let a = { PropertyName(entity: "A", property: $0) }
    let d = PropertyName(entity: "B", property: "d")
    #expect(
      Set(prediction.schema.differences) == [
        .destinationUnknown(a("gone"), destination: "Nowhere"),
        .destinationUnknown(a("lost"), destination: "Nowhere"),
        .inverseUnknown(a("b"), inverse: "no"),
        .inverseNotMutual(a("c"), inverse: d, leadsBackTo: "A.gone"),
        .inverseNotMutual(d, inverse: a("gone"), leadsBackTo: nil),
      ])
  }

  @Test func rootEntitiesThatDifferInCaseDoNotShareATable() throws {
    let prediction = try Prediction([entity("Foo"), entity("FOO")])
    #expect(prediction.schema.tables.map(\.name) == ["ZFOO", "ZFOO1"])
  }
}

extension [String] {
  fileprivate func inserting(_ new: String, after old: String) -> [String] {
    flatMap { $0 == old ? [$0, new] : [$0] }
  }
}
