import Testing

@testable import CoreData

struct SourceModelTests {
  private func model(_ inside: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(xcdatamodelContents: source(inside))
  }

  private func only(_ attribute: String) throws -> ModelAttribute {
    let model = try model("<entity name=\"E\"><attribute name=\"a\" \(attribute)</entity>")
    return try #require(model.entities.first?.attributes.first)
  }

  @Test(arguments: [
    ("Integer 16", AttributeType.integer16), ("Integer 32", .integer32),
    ("Integer 64", .integer64), ("Decimal", .decimal), ("Double", .double), ("Float", .float),
    ("String", .string), ("Boolean", .boolean), ("Date", .date), ("Binary", .binary),
    ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable), ("Undefined", .undefined),
    ("Something Newer", .other(-1)),
  ])
  func wordOfATypeIsTranslated(word: String, type: AttributeType) throws {
    #expect(try only("attributeType=\"\(word)\"/>").type == type)
  }

  @Test func attributeWithoutTypeIsUndefined() throws {
    #expect(try only("transient=\"YES\"/>").type == .undefined)
  }

  @Test func marksOfAnAttributeAreRead() throws {
    let attribute = try only(
      """
      optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"
      preserveAfterDeletion="YES"><userInfo><entry key="k" value="v"/></userInfo></attribute>
      """)
    #expect(attribute.isOptional && attribute.allowsExternalStorage && attribute.preservesHistory)
    #expect(!attribute.isTransient && !attribute.isDerived)
    #expect(attribute.userInfo == ["k": "v"])
  }

  @Test(arguments: ["derived=\"YES\"", "derivationExpression=\"pages.@count\""])
  func derivedAttributeIsKnown(mark: String) throws {
    #expect(try only("attributeType=\"Integer 64\" \(mark)/>").isDerived)
  }

  @Test func absentMarksMeanNo() throws {
    let attribute = try only("attributeType=\"String\"/>")
    #expect(!attribute.isOptional && !attribute.isTransient && !attribute.allowsExternalStorage)
  }

  @Test(arguments: [
    ("attributeType=\"Integer 32\" defaultValueString=\"-7\"", ModelDefault.integer(-7)),
    ("attributeType=\"Double\" defaultValueString=\"0.5\"", .real(0.5)),
    ("attributeType=\"Boolean\" defaultValueString=\"YES\"", .boolean(true)),
    ("attributeType=\"Boolean\" defaultValueString=\"NO\"", .boolean(false)),
    ("attributeType=\"String\" defaultValueString=\"x\"", .text("x")),
    ("attributeType=\"Date\" defaultDateTimeInterval=\"86400\"", .date(86_400)),
    ("attributeType=\"Integer 32\" defaultValueString=\"seven\"", .none),
    ("attributeType=\"String\"", .none),
  ])
  func defaultIsReadByType(attributes: String, value: ModelDefault) throws {
    #expect(try only("\(attributes)/>").defaultValue == value)
  }

  @Test(arguments: [
    ("", 1), ("maxCount=\"1\"", 1), ("toMany=\"YES\"", 0), ("toMany=\"YES\" maxCount=\"1\"", 1),
    ("toMany=\"YES\" maxCount=\"10000\"", 10_000), ("maxCount=\"5\"", 1),
  ])
  func largestCountComesFromBothMarks(attributes: String, count: Int64) throws {
    let model = try model(
      "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"E\" \(attributes)/></entity>"
    )
    #expect(model.entities.first?.relationships.first?.maxCount == count)
  }

  @Test(arguments: [
    ("Nullify", DeleteRule.nullify), ("Cascade", .cascade), ("Deny", .deny),
    ("No Action", .noAction), ("Perish", nil),
  ])
  func deletionRuleIsTranslated(word: String, rule: DeleteRule?) throws {
    let model = try model(
      """
      <entity name="E">
      <relationship name="r" destinationEntity="E" deletionRule="\(word)" ordered="YES"
        optional="YES" inverseName="r" inverseEntity="E"/></entity>
      """)
    let relationship = try #require(model.entities.first?.relationships.first)
    #expect(relationship.deleteRule == rule)
    #expect(relationship.isOrdered && relationship.isOptional)
    #expect(relationship.inverseName == "r" && relationship.inverseEntity == "E")
  }

  @Test func entityKeepsItsParentItsClassAndItsEarlierName() throws {
    let model = try model(
      """
      <entity name="B" representedClassName="Bee" parentEntity="A" elementID="Old"/>
      <entity name="A" isAbstract="YES"><fetchedProperty name="f"/></entity>
      """)
    let child = try #require(model.entities.first { $0.name == "B" })
    let parent = try #require(model.entities.first { $0.name == "A" })
    #expect(child.parent == "A" && child.className == "Bee")
    #expect(child.renamingIdentifier == "Old" && parent.renamingIdentifier == "A")
    #expect(parent.isAbstract && !child.isAbstract)
    #expect(model.fetchedPropertyCount == 1)
  }

  @Test func compositeHasTheElementsOfTheCompositeItNames() throws {
    let model = try model(
      """
      <entity name="E"><attribute name="author" attributeType="Composite" composite="Person"/></entity>
      <composite name="Person"><attribute name="place" attributeType="Composite" composite="Place"/>
        <attribute name="name" attributeType="String"/></composite>
      <composite name="Place"><attribute name="town" attributeType="String"/></composite>
      """)
    let author = try #require(model.entities.first?.attributes.first)
    #expect(author.elements.map(\.name) == ["place", "name"])
    #expect(author.elements.first?.elements.map(\.name) == ["town"])
    let schema = PredictedSchema(model: model, numbering: EntityNumbering(predicting: model))
    #expect(schema.tables.first?.columns.map(\.name) == ["ZNAME", "ZTOWN"])
  }

  @Test func whatDoesNotConcernDataIsSkipped() throws {
    let model = try model(
      """
      <entity name="E"><fetchIndex name="i"><fetchIndexElement property="a" type="Binary"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
        </uniquenessConstraints><attribute name="a" attributeType="String"/><newer><attribute name="x"/>
        </newer></entity>
      <configuration name="C"><memberEntity name="E"/></configuration>
      <fetchRequest name="F" entity="E"/>
      <elements><element name="E" positionX="0"/><entity name="Drawn"/></elements>
      """)
    #expect(model.entities.map(\.name) == ["E"])
    #expect(model.entities.first?.attributes.map(\.name) == ["a"])
  }

  @Test(arguments: [
    ("<entity/>", "no name"), ("<entity name=\"E\"><attribute/></entity>", "no name"),
    ("<entity name=\"E\"><relationship name=\"r\"/></entity>", "destination of E.r"),
    ("<entity name=\"E\"/><entity name=\"E\"/>", "one name"),
    ("<entity name=\"E\" parentEntity=\"E\"/>", "descends from itself"),
    ("<entity name=\"E\" parentEntity=\"F\"/>", "E from F"),
    (
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\"/></entity>",
      "elements of E.a"
    ),
    (
      """
      <entity name="E"><attribute name="a" attributeType="Composite" composite="C"/></entity>
      <composite name="C"><attribute name="c" attributeType="Composite" composite="C"/></composite>
      """, "nested too deeply"
    ),
  ])
  func unusableModelIsRefused(inside: String, words: String) throws {
    let error = #expect(throws: ModelFileError.self) { _ = try model(inside) }
    #expect(error?.code == .unusable)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test func compositesThatMultiplyAreRefused() throws {
    let levels = (0..<6).map { level in
      "<composite name=\"C\(level)\">"
        + (0..<20).map {
          "<attribute name=\"a\($0)\" attributeType=\"Composite\" composite=\"C\(level + 1)\"/>"
        }.joined() + "</composite>"
    }
    let error = #expect(throws: ModelFileError.self) {
      _ = try model(
        levels.joined() + "<composite name=\"C6\"/><entity name=\"E\">"
          + "<attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>")
    }
    #expect(error?.message.contains("too many properties") == true)
  }

  @Test(arguments: [
    ("<model><entity name=\"E\"></model>", ModelFileError.Code.unreadable),
    ("<model>", .unreadable), ("", .unreadable), ("<database/>", .notAModel),
    ("<!DOCTYPE model [<!ENTITY e \"x\">]><model/>", .unreadable),
  ])
  func damagedSourceIsRefused(text: String, code: ModelFileError.Code) {
    let error = #expect(throws: ModelFileError.self) {
      _ = try ManagedObjectModel(xcdatamodelContents: Array(text.utf8))
    }
    #expect(error?.code == code)
  }
}

/// The bytes of a model's source with entities and composites in it.
func source(_ inside: String) -> [UInt8] {
  Array(
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    \(inside)
    </model>
    """.utf8)
}
