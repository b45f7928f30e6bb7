import Foundation
import TestSupport
import Testing

struct CoreDataXMLReaderTests {
  @Test func everyKindOfValueIsReadAsItsType() throws {
    let store = try XMLStoreReading(
      objects: object(
        "A", "z102",
        [
          "s string x", "i int16 -7", "j int64 9223372036854775807", "f float 1.5",
          "d double 1e3", "e decimal 12.50", "b bool 1", "t date 0.5", "y binary aGFs\nbG8=",
          "u mystery ?",
        ]), hashes: ["a"])
    #expect(store.layout == "core-data-xml")
    #expect(store.tableNames == ["a"])
    #expect(
      store.columns("a") == [
        "s text", "i integer", "j integer", "f real", "d real", "e decimal", "b boolean",
        "t timestamp", "y binary", "u text",
      ])
    #expect(
      store.rows("a") == [
        "102 x -7 9223372036854775807 0x1.8p+0 0x1.f4p+9 12.50 1 2001-01-01T00:00:00.500Z "
          + "aGFsbG8= ?"
      ])
  }

  @Test(arguments: [
    ("int32", "1.5", "value-of-wrong-type"),
    ("int64", "9223372036854775808", "value-of-wrong-type"),
    ("double", "nan", "value-of-wrong-type"), ("decimal", "1e5", "value-of-wrong-type"),
    ("bool", "2", "value-of-wrong-type"), ("date", "1e15", "value-out-of-range"),
    ("date", "soon", "value-of-wrong-type"), ("binary", "a", "value-of-wrong-type"),
  ])
  func valueThatDoesNotFitIsRejected(type: String, text: String, code: String) throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", ["v \(type) \(text)", "w string kept"]))
    #expect(store.rows("A") == ["1 - kept"])
    #expect(store.rejects == ["A 1 v \(code)"])
  }

  @Test func absentAttributeIsNullAndEmptyTextIsNot() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", ["s string "]) + object("A", "z2"))
    #expect(store.rows("A") == ["1 ", "2 -"])
  }

  @Test func kindsThatMeanTheSameShareATypeAndOthersBecomeText() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", ["n int16 1", "m int16 1"])
        + object("A", "z2", ["n int64 2", "m string two"]))
    #expect(store.columns("A") == ["n integer", "m text"])
    #expect(store.rows("A") == ["1 1 1", "2 2 two"])
  }

  @Test func rowsComeInKeyOrderAndTablesByName() throws {
    let store = try XMLStoreReading(
      objects: object("B", "z20") + object("C", "z9") + object("B", "z3") + object("A", "z10"),
      hashes: ["a", "B", "c"])
    #expect(store.tableNames == ["a", "B", "c"])
    #expect(store.rows("B") == ["3", "20"])
  }

  @Test func unusualAndRepeatedIdentifiersAreNumberedAfterAllOthers() throws {
    let store = try XMLStoreReading(
      objects: object("A", "first", links: ["next 0/1 A z7"]) + object("A", "z7", ["n string a"])
        + object("A", "z7", ["n string b"]) + object("A", "z07")
        + object("A", "z200", links: ["next 0/1 A first"]))
    #expect(store.columns("A") == ["n text", "next reference"])
    #expect(
      store.rows("A") == ["7 a -", "200 - 201", "201 - 7", "202 b -", "203 - -"])
    #expect(store.findings.contains("object-id-unusual"))
    #expect(store.findings.contains("duplicate-object-id"))
  }

  /// Unicode takes both spellings for alike; in a document they are two.
  @Test func identifiersThatAreSpelledOtherwiseAreOthers() throws {
    let store = try XMLStoreReading(
      objects: object("A", "\u{E9}", links: ["next 0/1 A e\u{301}"])
        + object("A", "e\u{301}", links: ["next 0/1 A \u{E9}"])
        + object("A", "z5", links: ["next 0/1 A e\u{301}"]))
    #expect(store.rows("A") == ["5 7", "6 7", "7 6"])
    #expect(!store.findings.contains("duplicate-object-id"))
    #expect(!store.findings.contains("dangling-reference"))
  }

  @Test func manyNamedIdentifiersLeadToTheirObjects() throws {
    let target = { (item: Int) in (item * 7 + 3) % 1100 }
    let store = try XMLStoreReading(
      objects: (0..<1100).map { item in
        object("A", "item-\(item)", links: ["next 0/1 A item-\(target(item))"])
      }.joined())
    #expect(store.rows("A") == (0..<1100).map { "\($0 + 1) \(target($0) + 1)" })
  }

  @Test func referenceToNobodyKeepsItsNumberOrBecomesAReject() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["b 0/1 B z99"])
        + object("A", "z2", links: ["b 0/1 B nobody"]))
    #expect(store.rows("A") == ["1 99", "2 -"])
    #expect(store.rejects == ["A 2 b value-of-wrong-type"])
    #expect(store.findings.contains("dangling-reference"))
  }

  @Test func toManyIsCoveredByTheReferenceThatLeadsBack() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["bs 0/0 B z2 z3"])
        + object("B", "z2", links: ["a 0/1 A z1"]) + object("B", "z3", links: ["a 0/1 A z1"]))
    #expect(store.tableNames == ["A", "B"])
    #expect(store.columns("A") == [])
    #expect(store.columns("B") == ["a reference"])
    #expect(store.rows("B") == ["2 1", "3 1"])
  }

  @Test func toManyThatNothingLeadsBackToBecomesAReferenceOfItsTargets() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["bs 0/0 B z2 z3"]) + object("B", "z2")
        + object("B", "z3") + object("B", "z4"))
    #expect(store.columns("B") == ["A_bs reference"])
    #expect(store.rows("B") == ["2 1", "3 1", "4 -"])
  }

  @Test func toManyWithSharedTargetsBecomesATable() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z5", links: ["bs 0/0 B z3 z2"])
        + object("A", "z1", links: ["bs 0/0 B z3"]) + object("B", "z2") + object("B", "z3"))
    #expect(store.tableNames == ["A", "B", "A_bs"])
    #expect(store.columns("A_bs") == ["owner reference", "target reference"])
    #expect(store.rows("A_bs") == ["1 1 3", "2 5 2", "3 5 3"])
  }

  @Test func manyToManyIsOneTableNamedByTheSideThatSortsFirst() throws {
    let store = try XMLStoreReading(
      objects: object("B", "z1", links: ["as 0/0 A z3 z4"])
        + object("B", "z2", links: ["as 0/0 A z3"])
        + object("A", "z3", links: ["bs 0/0 B z1 z2"]) + object("A", "z4", links: ["bs 0/0 B z1"]))
    #expect(store.tableNames == ["A", "B", "A_bs"])
    #expect(store.rows("A_bs") == ["1 3 1", "2 3 2", "3 4 1"])
  }

  @Test func pairsOfARelationshipThatIsItsOwnInverseStandOnce() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z3", links: ["friends 0/0 A z1 z2"])
        + object("A", "z1", links: ["friends 0/0 A z3"])
        + object("A", "z2", links: ["friends 0/0 A z3"]))
    #expect(store.rows("A_friends") == ["1 1 3", "2 2 3"])
  }

  @Test func targetsOfSeveralEntitiesGetTheirNames() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["to 0/1 BASE z2"])
        + object("A", "z4", links: ["to 0/1 BASE z3"]) + object("B", "z2") + object("C", "z3"))
    #expect(store.columns("A") == ["to reference", "to_entity text"])
    #expect(store.rows("A") == ["1 2 B", "4 3 C"])
  }

  @Test func oneToOneIsKnownOnBothSides() throws {
    let store = try XMLStoreReading(
      objects: object("A", "z1", links: ["b 0/1 B z2"])
        + object("B", "z2", links: ["a 0/1 A z1"]))
    #expect(store.rows("A") == ["1 2"] && store.rows("B") == ["2 1"])
  }

  @Test func storeInUTF16IsRecognised() throws {
    let folder = try TemporaryFolder()
    let text = XMLStoreReading.document(object("A", "z1", ["s string é"]))
      .replacingOccurrences(of: "1.0\"", with: "1.0\" encoding=\"UTF-16\"")
    let data = try #require(text.data(using: .utf16))
    let path = try folder.write([UInt8](data), to: "store")
    #expect(try XMLStoreReading(path).rows("A") == ["1 é"])
  }

  @Test func otherXMLIsNoStore() throws {
    let folder = try TemporaryFolder()
    let text = "<?xml version=\"1.0\"?><page><body><p>a <b>x</b></p></body></page>"
    let path = try folder.write(text, to: "data.xml")
    #expect(throws: (any Error).self) { try XMLStoreReading(path) }
  }
}
