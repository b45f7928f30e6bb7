import TestSupport
import Testing

@testable import CoreData

struct SchemaResolutionTests {
  private let title = PropertyName(entity: "A", property: "title")

  @Test func exactSchemaLeavesNothingToReport() throws {
    let resolution = try resolve(
      [entity("A", [attribute("title"), attribute("n", .integer32)])],
      in: [
        table("ZA", "ZN INTEGER", "ZTITLE VARCHAR"), table("Z_METADATA"), table("ACHANGE"),
        table("ANSCKEVENT"), table("Z_RT_A_place_node"), table("sqlite_sequence"),
      ])
    #expect(resolution.differences.isEmpty)
    let a = try #require(resolution.entity(named: "A"))
    #expect(a.number == 1)
    #expect(a.table == "ZA")
    #expect(
      a.properties.map(\.column) == [column("ZN", "INTEGER", 3), column("ZTITLE", "VARCHAR", 4)])
  }

  @Test func propertiesComeInTheOrderOfTheColumnsAndMissingOnesLast() throws {
    let resolution = try resolve(
      [entity("A", [attribute("a"), attribute("b"), attribute("c"), attribute("d")])],
      in: [table("ZA", "ZD VARCHAR", "ZC VARCHAR", "ZA VARCHAR")])
    #expect(
      resolution.columns(of: "A") == ["d -> ZD", "c -> ZC", "a -> ZA", "b -> nothing"])
  }

  @Test func missingAndExtraColumnsAreReported() throws {
    let resolution = try resolve(
      [entity("A", [attribute("title")])], in: [table("ZA", "ZOTHER VARCHAR")])
    #expect(
      resolution.differences == [
        .missingColumn(title, table: "ZA", column: "ZTITLE"),
        .extraColumn(table: "ZA", column: "ZOTHER"),
      ])
  }

  @Test func missingAndExtraTablesAreReported() throws {
    let resolution = try resolve(
      [entity("A", [attribute("title")])], in: [table("ZB"), joinTable("Z_1BS", "Z_1X", "Z_2BS")])
    #expect(
      resolution.differences == [
        .missingTable(entity: "A", table: "ZA"), .extraTable(table: "ZB"),
        .extraTable(table: "Z_1BS"),
      ])
    #expect(resolution.entity(named: "A")?.table == nil)
    #expect(resolution.columns(of: "A") == ["title -> nothing"])
  }

  @Test func systemTableIsNeverTheTableOfAnEntity() throws {
    let resolution = try resolve([entity("_METADATA")], in: [table("Z_METADATA")])
    #expect(resolution.entity(named: "_METADATA")?.table == nil)
  }

  @Test func missingLeadingColumnsAreReported() throws {
    let bare = ActualTable(name: "ZA", columns: [(name: "Z_PK", declaredType: "INTEGER")])
    #expect(
      try resolve([entity("A")], in: [bare]).differences == [
        .missingLeadingColumn(table: "ZA", column: "Z_ENT"),
        .missingLeadingColumn(table: "ZA", column: "Z_OPT"),
      ])
  }

  @Test func otherDeclaredTypeIsReportedAndTheColumnUsed() throws {
    let resolution = try resolve(
      [entity("A", [attribute("title")])], in: [table("ZA", "ZTITLE BLOB")])
    #expect(resolution.columns(of: "A") == ["title -> ZTITLE"])
    #expect(
      resolution.differences == [
        .columnType(title, table: "ZA", column: "ZTITLE", predicted: "VARCHAR", actual: "BLOB")
      ])
  }

  @Test func nameThatDiffersInCaseOnlyIsFoundAndReported() throws {
    let resolution = try resolve(
      [entity("Maß", [attribute("größe")])], in: [table("ZMAß", "ZGRößE VARCHAR")])
    #expect(resolution.columns(of: "Maß") == ["größe -> ZGRößE"])
    #expect(resolution.differences.count == 2)
  }

  @Test func singleColumnWithADigitIsFoundAndReported() throws {
    let resolution = try resolve(
      [entity("A", [attribute("title")])], in: [table("ZA", "ZTITLE1 VARCHAR")])
    #expect(resolution.columns(of: "A") == ["title -> ZTITLE1"])
    #expect(
      resolution.differences == [
        .columnSpelling(title, table: "ZA", predicted: "ZTITLE", actual: "ZTITLE1")
      ])
  }

  @Test func severalColumnsWithDigitsAreNotGuessedFrom() throws {
    let resolution = try resolve(
      [entity("A", [attribute("title")])],
      in: [table("ZA", "ZTITLE1 VARCHAR", "ZTITLE2 VARCHAR")])
    #expect(resolution.columns(of: "A") == ["title -> nothing"])
    #expect(resolution.differences.count == 3)
  }

  @Test func declaredTypeDecidesCollisionsAcrossTypes() throws {
    let resolution = try resolve(
      [
        entity("Root"), entity("A", parent: "Root", [attribute("v")]),
        entity("B", parent: "Root", [attribute("v", .integer16)]),
        entity("C", parent: "Root", [attribute("v")]),
      ], in: [table("ZROOT", "ZV VARCHAR", "ZV1 VARCHAR", "ZV2 INTEGER")])
    #expect(resolution.columns(of: "A") == ["v -> ZV"])
    #expect(resolution.columns(of: "B") == ["v -> ZV2"])
    #expect(resolution.columns(of: "C") == ["v -> ZV1"])
    #expect(resolution.differences.count == 3)
  }

  @Test func incompleteCollisionIsMatchedByNameAlone() throws {
    let resolution = try resolve(
      [
        entity("Root"), entity("A", parent: "Root", [attribute("v")]),
        entity("B", parent: "Root", [attribute("v")]),
        entity("C", parent: "Root", [attribute("v")]),
      ], in: [table("ZROOT", "ZV VARCHAR", "ZV2 VARCHAR")])
    #expect(resolution.columns(of: "A") == ["v -> ZV"])
    #expect(resolution.columns(of: "B") == ["v -> nothing"])
    #expect(resolution.columns(of: "C") == ["v -> ZV2"])
  }

  @Test func threeLevelsOfInheritanceShareColumns() throws {
    let resolution = try resolve(
      [
        entity("Root", abstract: true, [attribute("a")]),
        entity("Middle", parent: "Root", [attribute("b")]),
        entity("Leaf", parent: "Middle", [attribute("c")]),
      ], in: [table("ZROOT", "ZA VARCHAR", "ZB VARCHAR", "ZC VARCHAR")])
    #expect(resolution.columns(of: "Leaf") == ["a -> ZA", "b -> ZB", "c -> ZC"])
    #expect(resolution.columns(of: "Middle") == ["a -> ZA", "b -> ZB"])
    let leaf = try #require(resolution.entity(named: "Leaf"))
    #expect(leaf.parent == 2)
    #expect(leaf.root == "Root")
    #expect(!leaf.hasSubentities)
    #expect(resolution.entity(numbered: 1)?.isAbstract == true)
    #expect(resolution.attribute("a", of: "Leaf")?.definedBy == "Root")
  }

  @Test func referenceKnowsAllItsColumnsAndItsTarget() throws {
    let resolution = try resolve(
      [
        entity("Book", [], [toMany("pages", "Page", inverse: "book", ordered: true)]),
        entity("Novel", parent: "Book"),
        entity("Page", [], [toOne("book", "Book", inverse: "pages")]),
      ],
      in: [
        table("ZBOOK"),
        table("ZPAGE", "ZBOOK INTEGER", "Z1_BOOK INTEGER", "Z_FOK_BOOK INTEGER"),
      ])
    #expect(resolution.differences.isEmpty)
    let book = try #require(resolution.reference("book", of: "Page"))
    #expect(book.kind == .toOne)
    #expect(book.keyColumn == column("ZBOOK", "INTEGER", 3))
    #expect(book.entityColumn == column("Z1_BOOK", "INTEGER", 4))
    #expect(book.positionColumn == column("Z_FOK_BOOK", "INTEGER", 5))
    #expect(
      book.target
        == ResolvedEnd(entity: "Book", number: 1, table: "ZBOOK", isPolymorphic: true))
    #expect(book.counterpart == nil)
  }

  @Test func oneToOneKnowsTheOtherSidesColumn() throws {
    let resolution = try resolve(
      [
        entity("A", [], [toOne("b", "B", inverse: "a")]),
        entity("Base", abstract: true, [], [toOne("a", "A", inverse: "b")]),
        entity("B", parent: "Base"),
      ], in: [table("ZA", "ZB INTEGER"), table("ZBASE", "ZA INTEGER")])
    let b = try #require(resolution.reference("b", of: "A"))
    #expect(b.kind == .oneToOne)
    #expect(
      b.counterpart
        == ResolvedCounterpart(
          name: PropertyName(entity: "Base", property: "a"), table: "ZBASE",
          keyColumn: column("ZA", "INTEGER", 3)))
    #expect(resolution.reference("a", of: "B")?.counterpart?.table == "ZA")
    #expect(resolution.differences.isEmpty)
  }

  @Test func toManyWithoutInverseIsAReferenceOnTheDestination() throws {
    let resolution = try resolve(
      [
        entity("Question"), entity("Hard", parent: "Question"),
        entity("Quiz", [], [toMany("questions", "Hard", ordered: true)]),
        entity("BigQuiz", parent: "Quiz"),
      ],
      in: [
        table("ZQUESTION", "Z3QUESTIONS INTEGER", "Z_FOK_3QUESTIONS INTEGER"), table("ZQUIZ"),
      ])
    #expect(resolution.differences.isEmpty)
    #expect(resolution.columns(of: "Question").isEmpty)
    let owner = try #require(resolution.reference("Quiz_questions", of: "Hard"))
    #expect(owner.kind == .owner)
    #expect(owner.keyColumn?.name == "Z3QUESTIONS")
    #expect(owner.positionColumn?.name == "Z_FOK_3QUESTIONS")
    #expect(
      owner.target == ResolvedEnd(entity: "Quiz", number: 3, table: "ZQUIZ", isPolymorphic: true))
    #expect(resolution.columns(of: "Quiz").isEmpty)
  }

  @Test func compositeElementsAreNamedByOuterAndInner() throws {
    let resolution = try resolve(
      [
        entity(
          "A",
          [attribute("id"), attribute("author", .composite, elements: [attribute("id", .uuid)])])
      ], in: [table("ZA", "ZID VARCHAR", "ZID1 BLOB")])
    #expect(resolution.columns(of: "A") == ["id -> ZID", "author_id -> ZID1"])
    #expect(resolution.attribute("author_id", of: "A")?.attribute.type == .uuid)
  }

  @Test func hostileNamesDoNotTakeLong() throws {
    let clock = ThreadClock()
    let attributes = (0..<49_000).map { attribute("a\($0)") }
    let columns = (0..<2_000).map { (name: "ZA\(100_000 + $0)", declaredType: "BLOB") }
    let resolution = try resolve(
      [entity("A", attributes)], in: [ActualTable(name: "ZA", columns: columns)])
    #expect(resolution.entities[0].properties.count == 49_000)
    let entities =
      [entity("A")]
      + (0..<15_000).map { entity("E\($0)", parent: "A", [attribute("v", .integer16)]) }
    #expect(
      try resolve(
        entities,
        in: [
          ActualTable(
            name: "ZA",
            columns: (0..<2_000).map { (name: "ZV\($0)", declaredType: "INTEGER") })
        ]
      ).entities.count == 15_001)
    #expect(clock.seconds < 60)
  }

  @Test func everyDifferenceNamesWhatItIsAbout() {
    let inverse = PropertyName(entity: "B", property: "x")
    let differences: [SchemaDifference] = [
      .staleEntityName(number: 3, recorded: nil, current: "A"),
      .entityNumber(entity: "A", predicted: 1, recorded: 2),
      .superentity(entity: "A", predicted: 1, recorded: 2),
      .entityNotRecorded(entity: "A", predicted: 1), .recordedEntityUnknown(number: 7, name: "A"),
      .entityNotHashed(entity: "A"), .hashedEntityUnknown(entity: "A"),
      .repeatedEntityName(name: "A", number: 2), .cyclicSuperentity(number: 1, parent: 2),
      .destinationUnknown(title, destination: "A"), .inverseUnknown(title, inverse: "x"),
      .inverseNotMutual(title, inverse: inverse, leadsBackTo: nil),
      .missingTable(entity: "A", table: "ZA"), .extraTable(table: "ZA"),
      .tableSpelling(predicted: "ZA", actual: "Za"), .tableTaken(wantedBy: "A", table: "ZA"),
      .missingLeadingColumn(table: "ZA", column: "Z_PK"),
      .missingColumn(title, table: "ZA", column: "ZTITLE"),
      .extraColumn(table: "ZA", column: "ZX"),
      .columnSpelling(title, table: "ZA", predicted: "ZTITLE", actual: "ZTITLE1"),
      .columnType(title, table: "ZA", column: "ZTITLE", predicted: "BLOB", actual: "TEXT"),
      .ambiguousColumn(title, table: "ZA", column: "ZTITLE"),
      .missingJoinTable(title, inverse: inverse, candidates: ["Z_1X", "Z_2Y"]),
      .severalJoinTables(title, chosen: "Z_1X", other: "Z_2Y"),
    ]
    let sentences = differences.map(\.description)
    #expect(!sentences.contains(""))
    #expect(Set(sentences).count == differences.count)
  }
}
