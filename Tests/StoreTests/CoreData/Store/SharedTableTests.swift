import Testing

@testable import Records

/// References between rows of entities that share one table.
struct SharedTableTests {
  private static let bookkeeping = CoreDataTables.bookkeeping

  private static let items = """
    <entity name="Item">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="kids" optional="YES" toMany="YES" destinationEntity="Item"/>
    </entity>
    <entity name="Folder" parentEntity="Item"/>
    <entity name="Note" parentEntity="Item"/>
    """

  private static let people = """
    <entity name="Person">
      <relationship name="spouse" optional="YES" maxCount="1" destinationEntity="Person"
        inverseName="spouseOf" inverseEntity="Person"/>
      <relationship name="spouseOf" optional="YES" maxCount="1" destinationEntity="Person"
        inverseName="spouse" inverseEntity="Person"/>
    </entity>
    <entity name="Man" parentEntity="Person"/>
    <entity name="Woman" parentEntity="Person"/>
    """

  private static let friends = """
    <entity name="Person">
      <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person"
        inverseName="friends" inverseEntity="Person"/>
    </entity>
    <entity name="Man" parentEntity="Person"/>
    """

  /// A store of people; each row has its key, its entity (1 `Person`, 2 `Man`, 3 `Woman`), the key
  /// and entity of its spouse, and the same of those whose spouse it is.
  private func people(_ rows: String) throws -> any StoreReader {
    try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, 9), (2, 'Man', 1, 0), (3, 'Woman', 1, 0);
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZSPOUSE INTEGER, Z1_SPOUSE INTEGER, ZSPOUSEOF INTEGER, Z1_SPOUSEOF INTEGER);
        INSERT INTO ZPERSON SELECT column1, column2, 1, column3, column4, column5, column6
          FROM (VALUES \(rows));
        """
    ).reader(modelledBy: Self.people)
  }

  private func findings(_ rows: String, _ code: String) throws -> [Finding] {
    try people(rows).examineRows().filter { $0.code == code }
  }

  @Test func ownersEntityIsThatOfTheOwnersRow() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 4), (2, 'Folder', 1, 0), (3, 'Note', 1, 0);
        CREATE TABLE ZITEM
          (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1KIDS INTEGER, ZNAME VARCHAR);
        INSERT INTO ZITEM VALUES
          (1, 2, 1, NULL, 'f'), (2, 3, 1, 1, 'n'), (3, 3, 1, 2, 'n'), (4, 1, 1, 4, 'i');
        """)
    let reader = try store.reader(modelledBy: Self.items)
    let notes = try #require(try reader.read("Note"))
    #expect(notes.values("Item_kids") == ["1", "2"])
    #expect(notes.values("Item_kids_entity") == ["Folder", "Note"])
    #expect(try reader.read("Item")?.values("Item_kids_entity") == ["Item"])
  }

  @Test func entityOfAPartnerWithoutColumnIsThatOfThePartnersRow() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, 2), (2, 'Man', 1, 0);
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        INSERT INTO ZPERSON VALUES (1, 1, 1), (2, 2, 1), (3, 1, 1);
        CREATE TABLE Z_1FRIENDS
          (Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE));
        INSERT INTO Z_1FRIENDS VALUES (1, 2), (2, 1), (2, 3);
        """)
    let pairs = try #require(try store.reader(modelledBy: Self.friends).read("Person_friends"))
    #expect(pairs.values("owner_entity") == ["Person", "Man"])
    #expect(pairs.values("target_entity") == ["Man", "Person"])
  }

  @Test func onlyRowsOfAnEntityAreOneSidedInItsTable() throws {
    let oneSided = try findings(
      "(1, 2, 2, 3, NULL, NULL), (2, 3, NULL, NULL, NULL, NULL)", "one-sided-reference")
    #expect(oneSided.map(\.table) == ["Woman"])
    #expect(oneSided.first?.message.hasPrefix("1 row of Woman knows its spouseOf") == true)
  }

  @Test func rowThatSeveralClaimIsOneRow() throws {
    let oneSided = try findings(
      """
      (1, 2, 3, 3, NULL, NULL), (2, 2, 3, 3, NULL, NULL), (3, 3, NULL, NULL, NULL, NULL)
      """, "one-sided-reference")
    #expect(oneSided.map { $0.message.prefix(5) } == ["1 row"])
  }

  @Test(arguments: [2, 3]) func partnerIsContestedByRowsOfWhateverEntity(entity: Int) throws {
    let contested = try findings(
      """
      (1, 2, 3, 1, NULL, NULL), (2, \(entity), 3, 1, NULL, NULL), (3, 1, NULL, NULL, 1, 2)
      """, "contested-reference")
    #expect(
      contested.map(\.message) == ["1 row is the one spouse of several rows of Person"])
    #expect(contested.map(\.table) == ["Person"])
  }

  private static let drawers = """
    <entity name="Person"/>
    <entity name="Man" parentEntity="Person">
      <relationship name="drawers" optional="YES" toMany="YES" destinationEntity="Drawer"
        inverseName="men" inverseEntity="Drawer"/>
    </entity>
    <entity name="Woman" parentEntity="Person"/>
    <entity name="Drawer">
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Man"/>
      <relationship name="men" optional="YES" toMany="YES" destinationEntity="Man"
        inverseName="drawers" inverseEntity="Man"/>
    </entity>
    """

  /// Row 1 is a `Man`, 2 a `Woman`, and 3 is not there.
  @Test(
    arguments: [
      (1, []), (2, ["to rows of another entity"]), (3, ["to rows that are not there"]),
    ] as [(Int, [String])])
  func referenceToARowOfASiblingIsTold(key: Int, told: [String]) throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES
          (1, 'Drawer', 0, 1), (2, 'Person', 0, 2), (3, 'Man', 2, 0), (4, 'Woman', 2, 0);
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        INSERT INTO ZPERSON VALUES (1, 3, 1), (2, 4, 1);
        CREATE TABLE ZDRAWER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER);
        INSERT INTO ZDRAWER VALUES (1, 1, 1, \(key));
        CREATE TABLE Z_1MEN (Z_1DRAWERS INTEGER, Z_3MEN INTEGER);
        INSERT INTO Z_1MEN VALUES (1, \(key));
        """)
    let found = try store.reader(modelledBy: Self.drawers).examineRows()
      .filter { $0.code == "dangling-reference" }
    #expect(found.map(\.table) == told.flatMap { _ in ["Drawer", "Drawer_men"] })
    for finding in found {
      #expect(told.allSatisfy { finding.message.contains($0) }, "\(finding.message)")
      // A merge adds what becomes of them there.
      #expect(finding.inMerge.message.hasSuffix("numbers are kept with a minus"))
    }
  }

  @Test func rowsOfANumberAreThoseOfTheEntityThatHasItInTheStore() throws {
    let model = """
      <entity name="Item"/><entity name="A" parentEntity="Item"/><entity name="B" parentEntity="Item"/>
      <entity name="Note"><relationship name="item" optional="YES" maxCount="1"
        destinationEntity="Item"/></entity>
      """
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 2), (2, 'B', 1, 0), (3, 'Note', 0, 1);
        CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        INSERT INTO ZITEM VALUES (1, 2, 1);
        CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZITEM INTEGER,
          Z1_ITEM INTEGER);
        INSERT INTO ZNOTE VALUES (1, 3, 1, 1, 2);
        """)
    let reader = try store.reader(modelledBy: model)
    #expect(try reader.read("A")?.keys == [])
    #expect(try reader.read("B")?.keys == [1])
    #expect(try reader.read("Note")?.values("item_entity") == ["B"])
  }

  @Test func pairWithoutOneKeyKeepsTheOther() throws {
    let store = try SQLStore(
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, 2), (2, 'Man', 1, 0);
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        INSERT INTO ZPERSON VALUES (1, 1, 1), (2, 2, 1);
        CREATE TABLE Z_1FRIENDS (Z_1FRIENDS INTEGER, REFLEXIVE INTEGER);
        INSERT INTO Z_1FRIENDS VALUES (1, NULL), (NULL, 2), (2, 1);
        """)
    let pairs = try #require(try store.reader(modelledBy: Self.friends).read("Person_friends"))
    let ends = zip(pairs.values("owner"), pairs.values("target")).map { [$0, $1] }
    #expect(Set(ends) == [["1", nil], ["2", nil], ["1", "2"]])
  }

  @Test func queueBelowAnotherEntityIsTold() throws {
    let store =
      Self.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableOperations', 2, 1), (2, 'SyncBase', 0, 1);
        CREATE TABLE ZSYNCBASE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER);
        """
    let empty = try SQLStore(store).reader()
    #expect(!empty.findings.contains { $0.code == "queue-not-read" })
    let waiting = try SQLStore(store + "INSERT INTO ZSYNCBASE VALUES (1, 1, 1, 1);").reader()
    let finding = try #require(waiting.findings.first { $0.code == "queue-not-read" })
    #expect(
      finding.message.hasPrefix("1 operation of MS_TableOperations lies in ZSYNCBASE,"))
  }

  @Test func whatIsRejectedDoesNotDangle() throws {
    let rows = "(1, 2, 'abc', 3, NULL, NULL), (2, 2, 1.5, 3, NULL, NULL)"
    #expect(try findings(rows, "dangling-reference").isEmpty)
    #expect(try findings(rows, "contested-reference").isEmpty)
    #expect(try findings("(1, 2, 9, 3, NULL, NULL)", "dangling-reference").count == 1)
  }

  /// Row 3 is a `Woman`; the number beside the key says what the row is, or should be.
  @Test(
    arguments: [
      ("3, 3", []), ("NULL, 3", []), ("NULL, NULL", []), ("3, 2", ["of another entity"]),
      ("3, NULL", ["of another entity"]), ("3, 77", ["of another entity"]),
      ("9, 3", ["that are not there"]), ("9, NULL", ["that are not there"]),
    ] as [(String, [String])])
  func referenceLeadsToARowOfTheEntityThatItNames(spouse: String, told: [String]) throws {
    let found = try findings(
      "(1, 2, \(spouse), NULL, NULL), (3, 3, NULL, NULL, NULL, NULL)", "dangling-reference")
    #expect(found.map(\.table) == told.map { _ in "Man" })
    #expect(zip(found, told).allSatisfy { $0.message.contains($1) }, "\(found.map(\.message))")
  }
}
