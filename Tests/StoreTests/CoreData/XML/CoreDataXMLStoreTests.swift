import Testing
import XMLFormat

@testable import CoreData

struct CoreDataXMLStoreTests {
  static let accepted = StoreFixture.all(in: "accept")
  static let rejected = StoreFixture.all(in: "reject")

  @Test func foldersHaveFixtures() {
    #expect(!Self.accepted.isEmpty && !Self.rejected.isEmpty)
  }

  @Test(arguments: accepted)
  func objectsAreWhatElementTreeFinds(in fixture: StoreFixture) throws {
    let oracle = try StoreOracle(fixture.path)
    #expect(try lines(of: CoreDataXMLStore(path: fixture.path)) == oracle.lines)
    #expect(try lines(of: CoreDataXMLStore(bytes: fixture.bytes())) == oracle.lines)
  }

  @Test(arguments: rejected)
  func rejectedStoreHasTheExpectedCode(fixture: StoreFixture) throws {
    let bytes = try fixture.bytes()
    let error = #expect(throws: XMLError.self) {
      _ = try CoreDataXMLSchema(reading: CoreDataXMLStore(bytes: bytes))
    }
    #expect(error?.code == fixture.expectedCode, "\(error?.message ?? "")")
  }

  @Test(arguments: accepted)
  func storeCutAnywhereIsRefused(fixture: StoreFixture) throws {
    let bytes = try fixture.bytes()
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
    for size in 0..<end {
      let error = #expect(throws: XMLError.self, "cut to \(size) bytes") {
        _ = try CoreDataXMLSchema(reading: CoreDataXMLStore(bytes: Array(bytes[..<size])))
      }
      #expect(error?.code == .truncated || error?.code == .unexpected, "cut to \(size) bytes")
    }
  }

  @Test func descriptionIsReadWithoutTheValuesOfTheApp() throws {
    let fixture = try #require(Self.accepted.first { $0.name == "everything" })
    let store = try CoreDataXMLStore(path: fixture.path)
    #expect(store.info.version == "134481920")
    #expect(store.info.metadata.identifier == "D1E2667A-3268-45DB-8AA0-DF69A046A0F1")
    #expect(store.info.nextObjectID == "118")
    #expect(store.info.metadata.frameworkVersion == 977)
    #expect(store.info.metadata.entityHashes?["Unit"] == [UInt8](repeating: 2, count: 32))
    #expect(store.info.metadata.applicationKeys == ["token", "zzz"])
  }

  @Test(arguments: ["no-info", "empty-metadata", "no-metadata"])
  func whatIsNotThereIsUnknown(name: String) throws {
    let fixture = try #require(Self.accepted.first { $0.name == name })
    let store = try CoreDataXMLStore(path: fixture.path)
    #expect(store.info.metadata.entityHashes == nil)
    #expect(store.info.metadata.frameworkVersion == nil)
  }

  @Test func objectsComeBeforeTheErrorThatFollowsThem() throws {
    var store = try CoreDataXMLStore(
      bytes: Array("<database><object type=\"A\" id=\"z1\"/><object id=\"z2\"/></database>".utf8))
    #expect(try store.next())
    let error = #expect(throws: XMLError.self) { _ = try store.next() }
    #expect(error?.code == .unexpected)
  }

  @Test func startOfAStoreIsRecognised() throws {
    let fixture = try #require(Self.accepted.first { $0.name == "everything" })
    let bytes = try fixture.bytes()
    #expect(CoreDataXMLStore.isStore(startingWith: Array(bytes.prefix(256))))
    for other in ["<database/>", "<database><object/></database>", "<plist/>", "{}", ""] {
      #expect(!CoreDataXMLStore.isStore(startingWith: Array(other.utf8)), "\(other)")
    }
  }

  @Test func manyTargetsFitIntoOneRelationship() throws {
    let ids = (0..<200_000).map { "z\($0)" }.joined(separator: " ")
    let text = """
      <database><object type="A" id="z1"><relationship name="r" type="0/0" destination="A"
      idrefs="\(ids)"></relationship></object></database>
      """
    let schema = try CoreDataXMLSchema(reading: CoreDataXMLStore(bytes: Array(text.utf8)))
    #expect(schema.entities.first?.relationships.first?.targetCount == 200_000)
  }
}
