import TestSupport
import Testing

/// What objects have where the data have nothing, or nothing that the app can take.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedObjectValuesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.sqlite") }

  private func seed(
    _ inputs: [String], _ template: String, _ options: String...
  ) async -> Outcome {
    await rehome(
      ["seed"] + inputs + ["--into", "core-data", "--template", template, "-fo", output] + options)
  }

  private static let uuid = "7B1F0E5C-92D4-4A6B-8C3E-20150108B005"
  private static let bill = """
    SELECT typeof(ZPRICE), ZPRICE, typeof(ZKEY), hex(ZKEY) FROM ZBILL ORDER BY Z_PK
    """
  private static let defaults = "real|1.5|blob|\(uuid.filter { $0 != "-" })\n"

  @Test func defaultsThatAreObjectsAreStoredByTheirTypes() async throws {
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "[Entity('Bill', (A('id', 'string'), A('price', 'decimal', Decimal('1.5'), False), "
        + "A('key', 'uuid', UUID('\(Self.uuid)'), False)))]")
    let input = try folder.write("id\na\n".utf8, to: "Bill.csv")
    let outcome = await seed([input], template)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(output, Self.bill) == Self.defaults)
    let gaps = try folder.write("id,price\na,2\nb,\n".utf8, to: "gaps.csv")
    let filled = await seed(
      [gaps], template, "--rename", "gaps=Bill", "--type", "Bill.price=decimal")
    #expect(filled.error.contains("nulls of Bill.price that became the app's default: 1"))
    #expect(try Devices.query(output, "SELECT ZPRICE FROM ZBILL ORDER BY Z_PK") == "2\n1.5\n")
  }

  @Test func defaultsOfAModelsSourceAreStoredByTheirTypes() async throws {
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "[Entity('Bill', (A('id', 'string'), A('price', 'decimal', None, False), "
        + "A('key', 'uuid', None, False)))]", hasModel: false)
    let model = try ObjectStore.writeModel(
      """
      <entity name="Bill" syncable="YES">
        <attribute name="id" optional="YES" attributeType="String"/>
        <attribute name="price" attributeType="Decimal" defaultValueString="1.5"/>
        <attribute name="key" attributeType="UUID" defaultValueString="\(Self.uuid)"/>
      </entity>
      """, in: folder)
    let input = try folder.write("id\na\n".utf8, to: "Bill.csv")
    let outcome = await seed([input], template, "--model", model)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try Devices.query(output, Self.bill) == Self.defaults)
  }

  /// What the app cannot take is nowhere else than in the file of rejects.
  @Test func valueThatThePropertyCannotTakeIsInTheFileOfRejects() async throws {
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder, of: "[Entity('Bill', (A('id', 'string'), A('key', 'uuid')))]")
    let input = try folder.write("id,key\na,\(Self.uuid)\nb,none\n".utf8, to: "Bill.csv")
    let bad = folder.path("bad.csv")
    let outcome = await seed([input], template, "--rejects", bad)
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(!outcome.error.contains("no value was rejected"), "\(outcome.error)")
    let lines = try #require(folder.text("bad.csv")).split(separator: "\r\n")
    #expect(lines.count == 2 && lines.last?.contains("b,none") == true, "\(lines)")
  }

  private func couple() throws -> String {
    try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "[Entity('Man', (A('id', 'string'), A('age', 'integer16', 7, False)), "
        + "(Relationship('wife', 'Woman', 'husband', optional=False),)), "
        + "Entity('Woman', (A('id', 'string'),), "
        + "(Relationship('husband', 'Man', 'wife', optional=False),))]")
  }

  @Test func partnerThatNeitherSideNamesIsRefused() async throws {
    let men = try folder.write("id,age\nm1,3\n".utf8, to: "Man.csv")
    let women = try folder.write("id\nw1\n".utf8, to: "Woman.csv")
    let outcome = await seed([men, women], try couple())
    #expect(outcome.code == 64, "\(outcome.error)")
    for property in ["Man.wife", "Woman.husband"] {
      #expect(outcome.error.contains("\(property) of the template must have a value"))
    }
  }

  /// Whatever the order of the inputs, one side tells of both, and those who are left are counted.
  @Test func partnersThatAreMissingAreCounted() async throws {
    let men = try folder.write("id,age,wife\nm1,3,w1\nm2,4,w3\n".utf8, to: "Man.csv")
    let women = try folder.write("id\nw1\nw2\nw3\nw4\n".utf8, to: "Woman.csv")
    let template = try couple()
    for inputs in [[men, women], [women, men]] {
      let outcome = await seed(inputs, template, "--reference", "Man.wife=Woman")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(
        outcome.error.contains("nulls of Woman.husband that the app does not expect: 2"),
        "\(outcome.error)")
      #expect(!outcome.error.contains("nulls of Man.wife"), "\(outcome.error)")
      #expect(
        try Devices.query(output, "SELECT ifnull(ZHUSBAND, '') FROM ZWOMAN ORDER BY Z_PK")
          == "1\n\n2\n\n")
    }
  }

  /// Each partner names one row, which names it back, or that is told.
  @Test(
    arguments: [
      ("m1,3,w1\nm2,4,w1\n", "w1,\n", 1), ("m1,3,w1\nm2,4,\n", "w1,m2\n", 1),
      ("m1,3,w1\nm2,4,w2\n", "w1,m2\nw2,m1\n", 4), ("m1,3,w1\nm2,4,\n", "w1,m1\nw2,m2\n", 0),
    ])
  func partnersThatContradictAreTold(men: String, women: String, count: Int) async throws {
    let men = try folder.write(("id,age,wife\n" + men).utf8, to: "Man.csv")
    let women = try folder.write(("id,husband\n" + women).utf8, to: "Woman.csv")
    let template = try couple()
    for inputs in [[men, women], [women, men]] {
      let outcome = await seed(
        inputs, template, "--reference", "Man.wife=Woman", "--reference", "Woman.husband=Man")
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(outcome.error.contains("[contested-reference]") == (count > 0), "\(outcome.error)")
      let contradictions = try Devices.query(
        output,
        """
        SELECT (SELECT count(*) FROM ZMAN AS m JOIN ZWOMAN AS w ON w.Z_PK = m.ZWIFE
            WHERE w.ZHUSBAND IS NOT m.Z_PK) + (SELECT count(*) FROM ZWOMAN AS w
            JOIN ZMAN AS m ON m.Z_PK = w.ZHUSBAND WHERE m.ZWIFE IS NOT w.Z_PK)
        """)
      #expect(contradictions == "\(count)\n")
    }
  }

  /// What a source tells of one column says nothing of another, which has a partner only in the app.
  @Test func contradictionsAreToldColumnByColumn() async throws {
    func entities(_ isOneToOne: Bool) -> String {
      "[Entity('Man', (A('id', 'string'),), (Relationship('wife', 'Woman', 'husband'), "
        + "Relationship('dog', 'Dog', 'owner'))), Entity('Woman', (A('id', 'string'),), "
        + "(Relationship('husband', 'Man', 'wife'),)), Entity('Dog', (A('id', 'string'),), "
        + "(Relationship('owner', 'Man', 'dog', to_many=\(isOneToOne ? "False" : "True")),))]"
    }
    let device = try ObjectStore.describe(
      "device.sqlite", in: folder, of: entities(false),
      """
      for name in 'm1', 'm2': store.insert('Man', {'id': name})
      for name in 'Woman', 'Dog': store.insert(name, {'id': 'x'})
      store.database.execute('UPDATE ZMAN SET ZWIFE = 1, ZDOG = 1')
      """)
    let outcome = await seed(
      [device], try ObjectStore.describe("empty.sqlite", in: folder, of: entities(true)))
    #expect(outcome.error.contains("the one wife of several rows of Man"), "\(outcome.error)")
    #expect(!outcome.error.contains("of Man has as wife"), "\(outcome.error)")
    #expect(outcome.error.contains("of Man has as dog"), "\(outcome.error)")
  }

  /// References are looked at once all rows are there, and told of the file that has them.
  @Test func referencesThatWereTakenAwayAreToldOfTheirFile() async throws {
    let template = try ObjectStore.describe(
      "empty.sqlite", in: folder,
      of: "[Entity('Base', (A('id', 'string'), A('name', 'string')), "
        + "(Relationship('kids', 'Kid', 'parent', True),)), "
        + "Entity('Kid', (A('id', 'string'),), (Relationship('parent', 'Base', 'kids'),)), "
        + "Entity('Tag', (A('id', 'string'),))]",
      "store.database.execute('CREATE UNIQUE INDEX one ON ZBASE (ZNAME)')")
    let inputs = [
      try folder.write("id,name\nb1,x\nb2,x\n".utf8, to: "Base.csv"),
      try folder.write("id,parent\nk1,b1\nk2,b2\n".utf8, to: "Kid.csv"),
      try folder.write("id\nt1\n".utf8, to: "Tag.csv"),
    ]
    let outcome = await seed(inputs, template, "--reference", "Kid.parent=Base")
    #expect(outcome.code == 2, "\(outcome.error)")
    let told = "references of Kid to rows that were left out"
    #expect(outcome.error.contains("Kid.csv: Kid: \(told)"), "\(outcome.error)")
    #expect(!outcome.error.contains("Tag.csv: Kid"), "\(outcome.error)")
  }

  /// The app's default would be a value that nobody has given.
  @Test func valueThatIsRejectedBecomesNoDefault() async throws {
    let men = try folder.write(
      "id,age,wife\nm1,abc,w1\nm2,,w2\nm3,4,w3\n".utf8, to: "Man.csv")
    let women = try folder.write("id\nw1\nw2\nw3\n".utf8, to: "Woman.csv")
    let outcome = await seed(
      [men, women], try couple(), "--type", "Man.age=integer", "--reference", "Man.wife=Woman")
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(
      outcome.error.contains("nulls of Man.age that became the app's default: 1"),
      "\(outcome.error)")
    #expect(
      try Devices.query(output, "SELECT ifnull(ZAGE, 'none') FROM ZMAN ORDER BY Z_PK")
        == "none\n7\n4\n")
  }
}
