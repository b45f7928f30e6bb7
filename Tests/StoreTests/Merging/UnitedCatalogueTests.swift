import Records
import TestSupport
import Testing

@testable import Merging

struct UnitedCatalogueTests {
  private func united(_ columns: [Column]...) throws -> (Table, [Finding]) {
    var catalogue = UnitedCatalogue()
    var findings: [Finding] = []
    for (number, columns) in columns.enumerated() {
      let table = Table(name: number == 0 ? "Item" : "ITEM", columns: columns)
      findings += try catalogue.unite(
        with: Catalogue(tables: [table], nameOrigin: .schema), of: "\(number)")
    }
    #expect(catalogue.tables.count == 1)
    return (try #require(catalogue.catalogue.first), findings)
  }

  /// Where the columns of one source went.
  private func places(of columns: [Column], in table: UnitedTable) -> [Int?] {
    zip(columns, Table(name: "T", columns: columns).ownNames).map { table.place(of: $0, $1) }
  }

  @Test(arguments: [
    ([LogicalType.boolean, .integer], LogicalType.integer), ([.integer, .real], .real),
    ([.boolean, .real, .integer], .real), ([.integer, .decimal, .boolean], .decimal),
    ([.real, .decimal], .text), ([.text, .uuid], .text), ([.timestamp, .integer], .text),
    ([.json, .json], .json), ([.json, .text], .json), ([.json, .integer], .json),
    ([.text, .integer, .json], .json), ([.timestamp, .json, .real], .json),
  ])
  func typeHoldsTheValuesOfAllInAnyOrder(types: [LogicalType], wide: LogicalType) throws {
    for order in [types, types.reversed()] {
      let columns = order.map { Column(name: "x", type: $0) }
      #expect(columns.dropFirst().reduce(columns[0].type) { $0.united(with: $1.type) } == wide)
    }
    let (table, findings) = try united(
      [Column(name: "x", type: types[0])], [Column(name: "X", type: types[1])])
    #expect(table.columns.map(\.name) == ["x"])
    #expect(findings.count == (types[0] == types[1] ? 0 : 1))
  }

  /// A source that has the type that is reached already changes nothing.
  @Test func onlyTypesThatDifferAreTold() throws {
    let (table, findings) = try united(
      [Column(name: "x", type: .integer)], [Column(name: "x", type: .timestamp)],
      [Column(name: "x", type: .text)], [Column(name: "x", type: .real)])
    #expect(table.columns.map(\.type) == [.text])
    let words = findings.map(\.message)
    #expect(
      findings.count == 2 && !words.contains { $0.contains("is text so far and text") }, "\(words)")
  }

  @Test func bytesAndReferencesGetColumnsOfTheirOwn() throws {
    let (table, findings) = try united(
      [Column(name: "x", type: .text)], [Column(name: "x", type: .binary)],
      [Column(name: "x", type: .reference, role: .reference, target: "Item")],
      [Column(name: "x", type: .integer)])
    #expect(table.columns.map(\.name) == ["x", "x_2", "x_3"])
    #expect(table.columns.map(\.type) == [.text, .binary, .reference])
    #expect(table.columns[2].target == "Item" && findings.count == 3)
  }

  /// A column without a value says nothing of its type, wherever its source comes.
  @Test(arguments: [LogicalType.boolean, .timestamp, .binary, .json, .reference])
  func columnWithoutValuesTakesTheTypeOfTheOthers(type: LogicalType) throws {
    let typed = Column(
      name: "x", type: type, role: type == .reference ? .reference : .value,
      target: type == .reference ? "Item" : nil)
    var empty = Column(name: "X", type: .text)
    empty.isUndecided = true
    for order in [[empty, typed], [typed, empty], [empty, empty, typed, empty]] {
      var catalogue = UnitedCatalogue()
      for (number, column) in order.enumerated() {
        let table = Table(name: "Item", columns: [column])
        let findings = try catalogue.unite(
          with: Catalogue(tables: [table], nameOrigin: .schema), of: "\(number)")
        #expect(findings.isEmpty)
      }
      let columns = try #require(catalogue.catalogue.first).columns
      #expect(columns.map(\.type) == [type])
      #expect(columns.map(\.role) == [typed.role])
      #expect(columns.map(\.target) == [typed.target])
    }
  }

  /// What the SDK calls its version depends on whether the app has a column of that name.
  @Test func systemColumnIsOneWhateverItIsCalled() throws {
    let plain = [Column(name: "version", sourceName: "_version", type: .text, role: .version)]
    let beside = [
      Column(name: "version", type: .integer),
      Column(name: "_version", sourceName: "_version", type: .text, role: .version),
    ]
    let (first, _) = try united(plain, beside)
    #expect(first.columns.map(\.name) == ["version", "version_2"])
    #expect(first.columns.map(\.role) == [.version, .value])
    let (second, _) = try united(beside, plain)
    #expect(second.columns.map(\.name) == ["version", "_version"])
    #expect(second.columns.map(\.role) == [.value, .version])
  }

  @Test func referenceToDifferentTablesNamesTheTable() throws {
    let (table, _) = try united(
      [Column(name: "x", type: .reference, role: .reference, target: "A")],
      [Column(name: "x", type: .reference, role: .reference, target: "B")])
    #expect(table.columns.map(\.name) == ["x", "x_entity"])
    #expect(table.columns[0].target == nil && table.columns[1].role == .referenceEntity)
  }

  /// A source that does not know the rows has no say.
  @Test func referenceRefersToWhatTheSourcesKnow() throws {
    let reference = { (target: String?) in
      [Column(name: "x", type: .reference, role: .reference, target: target)]
    }
    let (unknown, a, b) = (reference(nil), reference("A"), reference("B"))
    for (table, _) in [try united(unknown, a), try united(a, unknown)] {
      #expect(table.columns.map(\.name) == ["x"] && table.columns[0].target == "A")
    }
    for (table, _) in [try united(unknown, a, b), try united(a, b, unknown)] {
      #expect(table.columns.map(\.name) == ["x", "x_entity"] && table.columns[0].target == nil)
    }
    let several = unknown + [Column(name: "x_entity", type: .text, role: .referenceEntity)]
    for (table, _) in [
      try united(several, a), try united(a, several), try united(unknown, several),
    ] {
      #expect(table.columns.map(\.name) == ["x", "x_entity"] && table.columns[0].target == nil)
    }
  }

  @Test func spellingsOfALetterAreColumnsOfTheirOwn() throws {
    let names = ["\u{FC}", "u\u{308}"]
    let both = names.map { Column(name: $0, type: .text) }
    for sources in [[both, both], [[both[0]], [both[1]]]] {
      let (table, findings) = try united(sources[0], sources[1])
      #expect(table.columns.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
      #expect(findings.isEmpty)
    }
  }

  @Test func spellingsOfALetterAreTablesOfTheirOwn() throws {
    let tables = ["\u{E9}", "e\u{301}"].map {
      Table(name: $0, columns: [Column(name: "x", type: .text)])
    }
    var catalogue = UnitedCatalogue()
    for (tables, places) in [(tables, [0, 1]), ([tables[1]], [1]), ([tables[0]], [0])] {
      _ = try catalogue.unite(with: Catalogue(tables: tables, nameOrigin: .schema), of: "1")
      #expect(catalogue.lastPlaces == places)
    }
    #expect(catalogue.catalogue == tables)
    // A source whose tables only look like those of the one before is not taken for it.
    var second = UnitedCatalogue()
    for table in tables {
      _ = try second.unite(with: Catalogue(tables: [table], nameOrigin: .schema), of: "1")
    }
    #expect(second.catalogue == tables)
  }

  /// What a later source makes of a column must not cut off those that were taken before.
  @Test func columnIsFoundWhateverBecomesOfItsPlace() throws {
    var catalogue = UnitedCatalogue()
    let sources = [
      Column(name: "version", type: .integer), Column(name: "Version", type: .text),
      Column(name: "version", type: .text, role: .version),
      Column(name: "version", type: .integer, role: .version),
      Column(name: "version", type: .reference, role: .reference),
      Column(name: "version", type: .boolean),
    ].map { Table(name: "Item", columns: [Column(name: "id", type: .text), $0]) }
    for source in sources {
      _ = try catalogue.unite(with: Catalogue(tables: [source], nameOrigin: .schema), of: "x")
    }
    let table = try #require(catalogue.tables.first)
    #expect(
      table.columns.map(\.column.name) == ["id", "version", "version_2", "version_3"])
    #expect(sources.map { places(of: $0.columns, in: table)[1] } == [1, 1, 2, 2, 3, 1])
    #expect(places(of: [Column(name: "other", type: .text)], in: table) == [nil])
  }

  @Test func columnIsFoundBehindOneThatCameInBetween() throws {
    let sources = ["A", "B"].map { target in
      [
        Column(name: "to", type: .reference, role: .reference, target: target),
        Column(name: "last", type: .text),
      ]
    }
    var table = UnitedTable(Table(name: "T", columns: []), "T", name: "T")
    for columns in sources { _ = table.unite(with: Table(name: "T", columns: columns), of: "x") }
    #expect(table.columns.map(\.column.name) == ["to", "to_entity", "last"])
    #expect(sources.map { places(of: $0, in: table) } == [[0, 2], [0, 2]])
    #expect(table.entityPlace(ofReferenceAt: 0) == 1)
  }

  /// Each place is looked for once, and not among all columns.
  @Test func wideTablesTakeNoLongerThanTheirColumns() throws {
    let clock = ThreadClock()
    let names = (0..<1900).map { "column \($0)" }
    var table = UnitedTable(Table(name: "T", columns: []), "T", name: "T")
    for round in 0..<20 {
      let type: LogicalType = round % 2 == 0 ? .text : .integer
      let columns = names.map { Column(name: $0, type: type) }
      _ = table.unite(with: Table(name: "T", columns: columns), of: "\(round)")
    }
    #expect(table.columns.map(\.column.name) == names)
    #expect(clock.seconds < 60)
  }

  @Test func partIsPlayedByOneColumn() throws {
    let (table, _) = try united(
      [Column(name: "id", type: .text, role: .id)],
      [Column(name: "key", type: .text, role: .id), Column(name: "id", type: .text)])
    #expect(table.columns.map(\.role) == [.id, .value])
  }

  @Test func columnOfTheAppIsNotTakenForThatOfTheSDK() throws {
    let (table, _) = try united(
      [Column(name: "updatedAt", type: .text)],
      [Column(name: "updatedAt", type: .timestamp, role: .updatedAt)])
    #expect(table.columns.map(\.name) == ["updatedAt", "updatedAt_2"])
    #expect(table.columns.map(\.role) == [.value, .updatedAt])
  }

  @Test func columnThatASourceLacksMayBeNull() throws {
    let (table, _) = try united(
      [Column(name: "a", type: .text, isNullable: false)],
      [Column(name: "b", type: .text, isNullable: false)])
    #expect(table.columns.map(\.isNullable) == [true, true])
  }

  /// What differs only in letter case is one where it stands alone, and of twins each its own.
  @Test func twinsAreToldApartByWhatTheirSourceCallsThem() throws {
    func named(_ names: [(String, String)]) -> [Column] {
      names.map { Column(name: $0.0, sourceName: $0.1, type: .text) }
    }
    let twins = named([("Name", "Name"), ("name_2", "name")])
    let others = named([("name", "name")])
    for (sources, names, places) in [
      ([twins, others], ["Name", "name_2"], [[0, 1], [1]]),
      ([others, twins], ["name", "Name_2"], [[0], [1, 0]]),
      ([twins, named([("NAME", "NAME")])], ["Name", "name_2"], [[0, 1], [0]]),
    ] {
      var table = UnitedTable(Table(name: "T", columns: []), "T", name: "T")
      for columns in sources { _ = table.unite(with: Table(name: "T", columns: columns), of: "x") }
      #expect(table.columns.map(\.column.name) == names)
      #expect(sources.map { self.places(of: $0, in: table) } == places)
      // Tables go by the same rule.
      var catalogue = UnitedCatalogue()
      for (columns, places) in zip(sources, places) {
        let tables = columns.map {
          Table(name: $0.name, sourceName: $0.sourceName, columns: others)
        }
        _ = try catalogue.unite(with: Catalogue(tables: tables, nameOrigin: .schema), of: "x")
        #expect(catalogue.lastPlaces == places)
      }
      #expect(catalogue.tables.map(\.name) == names)
    }
  }

  /// To some SDKs names that differ only in letter case are always two, whatever others say.
  @Test(arguments: [[true, true], [true, false], [false, true]])
  func exactNamesAreNeverThoseInAnotherLetterCase(isExact: [Bool]) throws {
    var catalogue = UnitedCatalogue()
    let tables = ["Todo", "todo"].map {
      Table(name: $0, columns: [Column(name: "Text", type: .text)])
    }
    for (table, isExact) in zip(tables, isExact) {
      _ = try catalogue.unite(
        with: Catalogue(tables: [table], nameOrigin: .schema), of: table.name,
        exactly: isExact ? [0] : [])
    }
    #expect(catalogue.tables.map(\.name) == ["Todo", "todo_2"])
    // A third one of each goes where it belongs, also to what the first two became.
    for start in [catalogue, UnitedCatalogue()] {
      var next = start
      let joined = Catalogue(tables: catalogue.catalogue, nameOrigin: .schema)
      _ = try next.unite(with: joined, of: "both", exactly: [0, 1])
      for (place, table) in tables.enumerated() {
        _ = try next.unite(
          with: Catalogue(tables: [table], nameOrigin: .schema), of: "third", exactly: [0])
        #expect(next.lastPlaces == [place])
      }
      #expect(next.tables.count == 2)
    }
    // The same tables are others where letter case does not count.
    var third = UnitedCatalogue()
    _ = try third.unite(with: Catalogue(tables: [tables[0]], nameOrigin: .schema), of: "1")
    _ = try third.unite(with: Catalogue(tables: [tables[1]], nameOrigin: .schema), of: "2")
    #expect(third.tables.map(\.name) == ["Todo"])
  }

  @Test func exactNamesOfColumnsAreNeverThoseInAnotherLetterCase() throws {
    var table = UnitedTable(Table(name: "T", columns: []), "T", name: "T")
    for name in ["Text", "text", "Text"] {
      let columns = [Column(name: name, type: .text)]
      _ = table.unite(with: Table(name: "T", columns: columns), of: "x", exactly: true)
    }
    #expect(table.columns.map(\.column.name) == ["Text", "text_2"])
  }

  /// A number of a person's choosing is a part of the name.
  @Test(arguments: [["sales_2023", "sales_2024"], ["sales_2", "sales_3"]])
  func namesThatAPersonGaveAreKeptApart(names: [String]) throws {
    var catalogue = UnitedCatalogue()
    for name in names {
      let columns = [Column(name: name, sourceName: "a", type: .text)]
      for table in [name, "months"] {
        let table = Table(name: table, sourceName: "sales", columns: columns)
        _ = try catalogue.unite(with: Catalogue(tables: [table], nameOrigin: .schema), of: name)
      }
    }
    #expect(catalogue.tables.map(\.name) == [names[0], "months", names[1]])
    #expect(catalogue.tables[1].columns.map(\.column.name) == names)
  }

  /// Only a number that a twin got is no part of the name, and twins may be many.
  @Test func numbersOfTwinsAreNoPartOfTheirNames() {
    let spellings = (0..<16).map { number in
      String(
        "name".enumerated().map { place, letter in
          number >> place & 1 == 0 ? letter : Character(letter.uppercased())
        })
    }
    var names = CatalogueNames()
    let columns = spellings.map {
      Column(name: names.claimColumn($0), sourceName: $0, type: .text)
    }
    #expect(columns.last?.name == "NAME_16")
    #expect(Table(name: "T", columns: columns).ownNames == spellings)
    for name in ["name_1", "name_02", "name_", "name_2x", "name_+2"] {
      let named = columns.prefix(1) + [Column(name: name, sourceName: "name", type: .text)]
      #expect(Table(name: "T", columns: Array(named)).ownNames == ["name", name])
    }
  }

  /// The server knows the app's own name only of tables that could not keep it.
  @Test(
    arguments: [
      ("app_rehome_x", "rehome_x", true), ("todos_2", "Todos", false), ("Todos_2", "Todos", true),
      ("plans_2", "plans", false),
      ("todos", "ps_data__todos", false), ("sales_2024", "sales", false), ("a", "a", false),
    ])
  func appKnowsItsOwnNameOfATableThatGaveWay(name: String, source: String, gaveWay: Bool) {
    let table = Table(name: name, sourceName: source, columns: [])
    let catalogue = Catalogue(
      tables: [Table(name: "todos", columns: []), table], nameOrigin: .schema)
    #expect(catalogue.appNames == ["todos", gaveWay ? source : name])
  }

  @Test func twoTablesOfOneSourceAreNotUnited() {
    var catalogue = UnitedCatalogue()
    let tables = ["Item", "item"].map { Table(name: $0, columns: []) }
    #expect(throws: StoreError.self) {
      _ = try catalogue.unite(with: Catalogue(tables: tables, nameOrigin: .schema), of: "a")
    }
  }
}
