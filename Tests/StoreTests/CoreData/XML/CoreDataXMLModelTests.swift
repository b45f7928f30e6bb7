import Foundation
import TestSupport
import Testing

/// XML stores that are read with the model of their app.
struct CoreDataXMLModelTests {
  private static func model(_ entities: String) -> String {
    "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">"
      + entities + "</model>"
  }

  private static let library = model(
    """
    <entity name="Base" isAbstract="YES">
      <attribute name="madeAt" optional="YES" attributeType="Date"/></entity>
    <entity name="Book" parentEntity="Base">
      <attribute name="fullTitle" attributeType="String"/>
      <attribute name="serialID" optional="YES" attributeType="UUID"/>
      <relationship name="ownedBy" optional="YES" maxCount="1" destinationEntity="Person"
        inverseName="theBooks" inverseEntity="Person"/>
      <relationship name="tagSet" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag"
        inverseName="onBooks" inverseEntity="Tag"/></entity>
    <entity name="Person" parentEntity="Base">
      <relationship name="theBooks" optional="YES" toMany="YES" ordered="YES"
        destinationEntity="Book" inverseName="ownedBy" inverseEntity="Book"/>
      <relationship name="seenThings" optional="YES" toMany="YES" destinationEntity="Base"/></entity>
    <entity name="Tag"><relationship name="onBooks" optional="YES" toMany="YES"
        destinationEntity="Book" inverseName="tagSet" inverseEntity="Book"/></entity>
    """)

  private static let objects =
    object(
      "PERSON", "z1", links: ["thebooks 0/0 BOOK z3 z2", "seenthings 0/0 BASE z2"])
    + object(
      "BOOK", "z2",
      ["fulltitle string T", "serialid string 0f8fad5b-d9cb-469f-a165-70867728950e"],
      links: ["ownedby 0/1 PERSON z1", "tagset 0/0 TAG z5 z4"])
    + object("BOOK", "z3", ["fulltitle string U", "madeat date 1"])
    + object("TAG", "z4", links: ["onbooks 0/0 BOOK z2"])
    + object("TAG", "z5", links: ["onbooks 0/0 BOOK z2"])

  private static let hashes = ["Base", "Book", "Person", "Tag"]

  @Test func namesAndTypesAreTheModels() throws {
    let store = try XMLStoreReading(
      objects: Self.objects, hashes: Self.hashes, model: Self.library)
    #expect(store.tableNames == ["Book", "Person", "Tag", "Book_tagSet"])
    #expect(
      store.columns("Book") == [
        "fullTitle text", "serialID uuid", "madeAt timestamp", "ownedBy reference",
        "ownedBy_position integer", "Person_seenThings reference",
      ])
    #expect(!store.findings.contains("names-from-fallback"))
  }

  @Test func whatOnlyOneSideKnowsIsFilledIn() throws {
    let store = try XMLStoreReading(
      objects: Self.objects, hashes: Self.hashes, model: Self.library)
    #expect(
      store.rows("Book") == [
        "2 T 0F8FAD5B-D9CB-469F-A165-70867728950E - 1 2 1",
        "3 U - 2001-01-01T00:00:01.000Z 1 1 -",
      ])
    #expect(store.findings.contains("one-sided-reference"))
  }

  @Test func orderedPairsHaveTheirPositions() throws {
    let store = try XMLStoreReading(
      objects: Self.objects, hashes: Self.hashes, model: Self.library)
    #expect(
      store.columns("Book_tagSet") == ["owner reference", "target reference", "position integer"])
    #expect(store.rows("Book_tagSet") == ["1 2 4 2", "2 2 5 1"])
  }

  @Test func severalTargetsOfAToOneAreRejected() throws {
    let store = try XMLStoreReading(
      objects: object("PERSON", "z1") + object("PERSON", "z2")
        + object("BOOK", "z3", ["fulltitle string T"], links: ["ownedby 0/1 PERSON z1 z2"]),
      hashes: Self.hashes, model: Self.library)
    #expect(store.rejects == ["Book 3 ownedBy value-of-wrong-type"])
  }

  @Test func valueOfAnotherKindThanTheModelsIsRejected() throws {
    let store = try XMLStoreReading(
      objects: object("BOOK", "z3", ["fulltitle int16 7"]), hashes: Self.hashes,
      model: Self.library)
    #expect(store.rejects == ["Book 3 fullTitle value-of-wrong-type"])
  }

  @Test func modelOfAnotherAppIsRefused() throws {
    let error = #expect(throws: (any Error).self) {
      try XMLStoreReading(objects: Self.objects, hashes: ["Other"], model: Self.library)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("no version of the model belongs"))
  }

  @Test func storeWithoutHashesTakesTheBestFitWithAWarning() throws {
    let store = try XMLStoreReading(
      objects: Self.objects + object("EXTRA", "z9", ["n int16 1"]), model: Self.library)
    #expect(store.findings.contains("model-differs-from-store"))
    #expect(store.tableNames.contains("EXTRA") && store.rows("EXTRA") == ["9 1"])
  }
}
