import Foundation
import TestSupport
import Testing

@testable import CoreData

struct ArchivedModelTests {
  private func code(_ expression: () throws -> Void) -> ModelError.Code? {
    do {
      try expression()
      return nil
    } catch {
      return (error as? ModelError)?.code
    }
  }

  @Test func entityFieldsAreRead() throws {
    var archive = ArchiveFixture()
    let base = archive.entity("Base", [], ["NSIsAbstract": true])
    let mutable = archive.add("NSMutableString", ["NS.string": "Sub"])
    let old = archive.add("OldSub")
    let className = archive.add("SubObject")
    let sub = archive.entity(
      "", [],
      [
        "NSEntityName": mutable, "NSSuperentity": base, "NSRenamingIdentifier": old,
        "NSClassNameForEntity": className,
      ])
    let model = try ManagedObjectModel(mom: archive.model([("Base", base), ("Sub", sub)]))
    #expect(
      model.entities == [
        ModelEntity(name: "Base", isAbstract: true),
        ModelEntity(
          name: "Sub", className: "SubObject", parent: "Base", renamingIdentifier: "OldSub"),
      ])
  }

  @Test func attributeFieldsAreReadAndAbsentFlagsAreFalse() throws {
    var archive = ArchiveFixture()
    let transformer = archive.add("T")
    let valueClass = archive.add("NSData")
    let key = archive.add("enum")
    let value = archive.add("Int")
    let info = archive.add("NSDictionary", ["NS.keys": [key], "NS.objects": [value]])
    let full = archive.attribute(
      "full", 1_800,
      [
        "NSIsOptional": true, "NSIsTransient": true, "NSFlagsKey": 20,
        "NSValueTransformerName": transformer, "NSAttributeValueClassName": valueClass,
        "NSUserInfo": info, "NSDefaultValue": ArchiveFixture.null,
      ])
    let bare = archive.attribute("bare", 700)
    let derived = archive.attribute("derived", 300, class: "NSDerivedAttributeDescription")
    let entity = archive.entity("A", [("full", full), ("bare", bare), ("derived", derived)])
    let model = try ManagedObjectModel(mom: archive.model([("A", entity)]))
    #expect(
      model.entities[0].attributes == [
        ModelAttribute(name: "bare", type: .string, isOptional: false),
        ModelAttribute(name: "derived", type: .integer64, isOptional: false, isDerived: true),
        ModelAttribute(
          name: "full", type: .transformable, isTransient: true, allowsExternalStorage: true,
          preservesHistory: true, valueTransformerName: "T", valueClassName: "NSData",
          userInfo: ["enum": "Int"]),
      ])
  }

  @Test func defaultValuesStayAsTheyCame() throws {
    var archive = ArchiveFixture()
    let values: [(String, Any, ModelDefault)] = [
      ("a", 1, .integer(1)), ("b", true, .boolean(true)), ("c", 1.5, .real(1.5)),
      ("d", archive.add("text"), .text("text")), ("e", ["$data": [1, 2]], .data([1, 2])),
      ("f", archive.add("NSDate", ["NS.time": 12.5]), .date(12.5)),
      ("g", archive.add("App.Cover", ["x": 1]), .object(className: "App.Cover")),
      ("h", ArchiveFixture.null, .none),
      ("i", archive.add("NSUUID", ["NS.uuidbytes": ["$data": Array(1...16)]]), .text(Self.uuid)),
      ("j", archive.add("NSURL", ["NS.relative": archive.add("x:y")]), .text("x:y")),
    ]
    let attributes = values.map { name, value, _ in
      (name, archive.attribute(name, 700, ["NSDefaultValue": value]))
    }
    let entity = archive.entity("A", attributes)
    let model = try ManagedObjectModel(mom: archive.model([("A", entity)]))
    #expect(model.entities[0].attributes.map(\.defaultValue) == values.map(\.2))
  }

  private static let uuid = "01020304-0506-0708-090A-0B0C0D0E0F10"

  /// Bytes of the mantissa, parts, power of ten, sign, order of bytes, and what is read.
  private static let decimals: [([Int], Int, Int, Bool, Int, ModelDefault)] = [
    ([15, 0], 1, -1, false, 1, .text("1.5")), ([0, 15], 1, -1, false, 2, .text("1.5")),
    ([15, 0], 1, -1, true, 1, .text("-1.5")), ([15, 0], 1, 2, false, 1, .text("1500")),
    ([7, 0], 1, -3, false, 1, .text("0.007")), ([7, 0], 1, 0, false, 1, .text("7")),
    ([1, 0, 2, 0], 2, 0, false, 1, .text("131073")), ([], 0, 0, false, 1, .text("0")),
    (
      Array(repeating: 255, count: 16), 8, 0, false, 1,
      .text("340282366920938463463374607431768211455")
    ),
    ([], 0, 0, true, 1, .object(className: "NSDecimalNumber")),
    ([1], 1, 0, false, 1, .object(className: "NSDecimalNumber")),
    ([1, 0], 9, 0, false, 1, .object(className: "NSDecimalNumber")),
    ([1, 0], 1, 128, false, 1, .object(className: "NSDecimalNumber")),
  ]

  /// A decimal is a whole number in parts of 16 bits, the least first, times a power of ten.
  @Test(arguments: decimals)
  func decimalDefaultIsRead(
    bytes: [Int], length: Int, exponent: Int, isNegative: Bool, order: Int, value: ModelDefault
  ) throws {
    var archive = ArchiveFixture()
    let number = archive.add(
      "NSDecimalNumber",
      [
        "NS.mantissa": ["$data": bytes], "NS.length": length, "NS.exponent": exponent,
        "NS.negative": isNegative, "NS.mantissa.bo": order,
      ])
    let attribute = archive.attribute("a", 400, ["NSDefaultValue": number])
    let entity = archive.entity("A", [("a", attribute)])
    let model = try ManagedObjectModel(mom: archive.model([("A", entity)]))
    #expect(model.entities[0].attributes.map(\.defaultValue) == [value])
  }

  @Test func relationshipFieldsAreReadByNameOrByObject() throws {
    var archive = ArchiveFixture()
    let (a, b, inverse) = (archive.reserve(), archive.reserve(), archive.reserve())
    let names = ["byName", "byObject", "B", "back"].map { archive.add($0) }
    let byName = archive.add(
      "NSRelationshipDescription",
      [
        "NSPropertyName": names[0], "_NSDestinationEntityName": names[2],
        "_NSInverseRelationshipName": names[3], "NSInverseRelationship": inverse,
        "NSMaxCount": -1, "NSMinCount": 1, "NSIsOrdered": true, "NSDeleteRule": 2,
      ])
    let byObject = archive.add(
      "NSRelationshipDescription",
      [
        "NSPropertyName": names[1], "NSDestinationEntity": b, "NSInverseRelationship": inverse,
        "NSMaxCount": 1, "NSDeleteRule": 77, "NSIsOptional": true,
      ])
    archive.fill(
      inverse, "NSRelationshipDescription",
      [
        "NSPropertyName": names[3], "NSEntity": b, "NSDestinationEntity": a, "NSMaxCount": 1,
      ])
    let own = archive.dictionary([("byName", byName), ("byObject", byObject)])
    let other = archive.dictionary([("back", inverse)])
    let nameOfA = archive.add("A")
    archive.fill(a, "NSEntityDescription", ["NSEntityName": nameOfA, "NSProperties": own])
    archive.fill(b, "NSEntityDescription", ["NSEntityName": names[2], "NSProperties": other])
    let model = try ManagedObjectModel(mom: archive.model([("A", a), ("B", b)]))
    #expect(
      model.entities[0].relationships == [
        ModelRelationship(
          name: "byName", destination: "B", inverseName: "back", inverseEntity: "B",
          maxCount: -1, minCount: 1, isOrdered: true, isOptional: false, deleteRule: .cascade),
        ModelRelationship(
          name: "byObject", destination: "B", inverseName: "back", inverseEntity: "B",
          maxCount: 1, deleteRule: nil),
      ])
    #expect(model.entities[0].relationships.map(\.isToMany) == [true, false])
  }

  @Test func fetchedPropertiesAreCountedAndProxiesSkipped() throws {
    var archive = ArchiveFixture()
    let fetched = archive.add("NSFetchedPropertyDescription", [:])
    let proxy = archive.add("_NSPropertyDescriptionProxy", [:])
    let entity = archive.entity("A", [("f", fetched), ("p", proxy)])
    let model = try ManagedObjectModel(mom: archive.model([("A", entity)]))
    #expect(model.fetchedPropertyCount == 1)
    #expect(model.entities[0].attributes.isEmpty)
  }

  @Test func entitiesMayBeInADictionaryWithKnownKeys() throws {
    var archive = ArchiveFixture()
    let entity = archive.entity("A")
    let key = archive.add("A")
    let keys = archive.array([key])
    let values = archive.array([entity])
    let mapping = archive.add("NSKnownKeysMappingStrategy1", ["keys": keys, "length": 1])
    let known = archive.add(
      "NSKnownKeysDictionary1", ["searchMapping": mapping, "values": values])
    let root = archive.add("NSManagedObjectModel", ["NSEntities": known])
    let model = try ManagedObjectModel(mom: archive.bytes(root: root))
    #expect(model.entities.map(\.name) == ["A"])
  }

  @Test func compositesKeepTheirElements() throws {
    var archive = ArchiveFixture()
    let city = archive.attribute("city", 700)
    let inner = archive.attribute(
      "home", 2_100, ["NSCompositeElements": archive.array([city])],
      class: "NSCompositeAttributeDescription")
    let outer = archive.attribute(
      "author", 2_100, ["NSCompositeElements": archive.array([inner, city])],
      class: "NSCompositeAttributeDescription")
    let entity = archive.entity("A", [("author", outer)])
    let model = try ManagedObjectModel(mom: archive.model([("A", entity)]))
    let author = try #require(model.entities[0].attributes.first)
    #expect(author.type == .composite)
    #expect(author.elements.map(\.name) == ["home", "city"])
    #expect(author.elements[0].elements.map(\.name) == ["city"])
  }

  @Test func compositeThatContainsItselfIsRefused() throws {
    var archive = ArchiveFixture()
    let outer = archive.reserve()
    let name = archive.add("loop")
    let elements = archive.array([outer, outer])
    archive.fill(
      outer, "NSCompositeAttributeDescription",
      ["NSPropertyName": name, "NSAttributeType": 2_100, "NSCompositeElements": elements])
    let entity = archive.entity("A", [("loop", outer)])
    let bytes = try archive.model([("A", entity)])
    #expect(code { _ = try ManagedObjectModel(mom: bytes) } == .compositeTooDeep)
  }

  @Test func sharedElementsThatUnfoldIntoTooManyAreRefused() throws {
    var archive = ArchiveFixture()
    var level = archive.attribute("leaf", 700)
    for _ in 0..<6 {
      level = archive.attribute(
        "c", 2_100,
        [
          "NSCompositeElements": archive.array(
            [ArchiveFixture.Reference](repeating: level, count: 10))
        ],
        class: "NSCompositeAttributeDescription")
    }
    let entity = archive.entity("A", [("c", level)])
    let bytes = try archive.model([("A", entity)])
    #expect(code { _ = try ManagedObjectModel(mom: bytes) } == .tooManyProperties)
  }

  @Test func cyclicSuperentitiesAreRefused() throws {
    var archive = ArchiveFixture()
    let (a, b) = (archive.reserve(), archive.reserve())
    let names = ["A", "B"].map { archive.add($0) }
    archive.fill(a, "NSEntityDescription", ["NSEntityName": names[0], "NSSuperentity": b])
    archive.fill(b, "NSEntityDescription", ["NSEntityName": names[1], "NSSuperentity": a])
    let bytes = try archive.model([("A", a), ("B", b)])
    #expect(code { _ = try ManagedObjectModel(mom: bytes) } == .cyclicSuperentity)
  }

  @Test func missingNamesAndValuesAreErrors() throws {
    let missing: [(ModelError.Code, (inout ArchiveFixture) -> ArchiveFixture.Reference)] = [
      (.missingName, { $0.add("NSEntityDescription", [:]) }),
      (.missingName, { $0.add("just text") }),
      (
        .missingName,
        {
          let parent = $0.add("NSEntityDescription", [:])
          return $0.entity("A", [], ["NSSuperentity": parent])
        }
      ),
      (
        .missingName,
        {
          let nameless = $0.add("NSAttributeDescription", ["NSAttributeType": 700])
          return $0.entity("A", [("x", nameless)])
        }
      ),
      (
        .missingName,
        {
          let nameless = $0.add("NSRelationshipDescription", [:])
          return $0.entity("A", [("x", nameless)])
        }
      ),
      (
        .missingValue,
        {
          let name = $0.add("x")
          let typeless = $0.add("NSAttributeDescription", ["NSPropertyName": name])
          return $0.entity("A", [("x", typeless)])
        }
      ),
      (
        .missingValue,
        {
          let name = $0.add("x")
          let aimless = $0.add("NSRelationshipDescription", ["NSPropertyName": name])
          return $0.entity("A", [("x", aimless)])
        }
      ),
      (
        .unknownPropertyClass,
        {
          let odd = $0.add("NSOddDescription", [:])
          return $0.entity("A", [("x", odd)])
        }
      ),
    ]
    for (expected, build) in missing {
      var archive = ArchiveFixture()
      let entity = build(&archive)
      let bytes = try archive.model([("A", entity)])
      #expect(code { _ = try ManagedObjectModel(mom: bytes) } == expected)
    }
  }

  @Test func otherArchivesAreNotModels() throws {
    var archive = ArchiveFixture()
    let array = archive.array([])
    let bytes = try archive.bytes(root: array)
    #expect(code { _ = try ManagedObjectModel(mom: bytes) } == .notAModel)
    let empty = archive.add("NSManagedObjectModel", [:])
    let hollow = try archive.bytes(root: empty)
    #expect(code { _ = try ManagedObjectModel(mom: hollow) } == .missingValue)
    #expect(code { _ = try ManagedObjectModel(mom: Array("momv2$".utf8)) } == .notAKeyedArchive)
    #expect(code { _ = try ManagedObjectModel(mom: []) } == .notAKeyedArchive)
  }

  @Test func limitsApplyWhileTheArchiveIsRead() throws {
    var archive = ArchiveFixture()
    let attributes = (0..<5).map { ("a\($0)", archive.attribute("a\($0)", 700)) }
    let entity = archive.entity("A", attributes)
    let bytes = try archive.model([("A", entity), ("B", entity)])
    var limits = ModelLimits()
    limits.properties = 9
    #expect(
      code { _ = try ManagedObjectModel(mom: bytes, limits: limits) } == .tooManyProperties)
    limits = ModelLimits()
    limits.entities = 1
    #expect(code { _ = try ManagedObjectModel(mom: bytes, limits: limits) } == .tooManyEntities)
    limits = ModelLimits()
    limits.unpackedBytes = bytes.count - 1
    #expect(code { _ = try ManagedObjectModel(mom: bytes, limits: limits) } == .cannotUnpack)
  }

  @Test func modelCacheIsRawDeflate() throws {
    var archive = ArchiveFixture()
    let entity = archive.entity("A")
    let bytes = try archive.model([("A", entity)])
    let script = """
      import sys, zlib
      packer = zlib.compressobj(9, zlib.DEFLATED, -15)
      sys.stdout.buffer.write(packer.compress(sys.stdin.buffer.read()) + packer.flush())
      """
    let packed = [UInt8](try Python.run(script, input: Data(bytes)))
    #expect(try ManagedObjectModel(modelCache: packed).entities.map(\.name) == ["A"])
    var limits = ModelLimits()
    limits.unpackedBytes = 100
    #expect(
      code { _ = try ManagedObjectModel(modelCache: packed, limits: limits) } == .cannotUnpack)
    #expect(
      code { _ = try ManagedObjectModel(modelCache: Array(packed.dropLast(9))) }
        == .cannotUnpack)
    #expect(code { _ = try ManagedObjectModel(modelCache: []) } == .cannotUnpack)
  }

  @Test func archiveCutAnywhereIsAnErrorAndNotATrap() throws {
    var archive = ArchiveFixture()
    let attribute = archive.attribute("a", 700)
    let entity = archive.entity("A", [("a", attribute)])
    let bytes = try archive.model([("A", entity)])
    for length in bytes.indices {
      #expect(code { _ = try ManagedObjectModel(mom: Array(bytes[..<length])) } != nil)
    }
  }
}
