import Testing

@testable import CoreData

struct FallbackModelTests {
  private func row(_ number: Int64, _ name: String?, _ parent: Int64 = 0) -> PrimaryKeyRow {
    PrimaryKeyRow(number: number, name: name, parent: parent)
  }

  private func resolve(
    _ rows: [PrimaryKeyRow], _ tables: [ActualTable],
    change: (inout FallbackModel.Evidence) -> Void = { _ in },
    spelling: @escaping FallbackModel.Spelling = { _, _ in nil }
  ) throws -> SchemaResolution {
    var evidence = FallbackModel.Evidence(rows: rows, tables: tables)
    change(&evidence)
    return try FallbackModel(evidence, spelling: spelling).resolution()
  }

  @Test func declaredTypesBecomeTypesAndNamesLoseTheZ() throws {
    let resolution = try resolve(
      [row(1, "TodoItem"), row(16_001, "CHANGE")],
      [
        table(
          "ZTODOITEM", "ZN INTEGER", "ZD TIMESTAMP", "ZR FLOAT", "ZP DECIMAL",
          "ZTEXT VARCHAR(20)", "ZB BLOB", "ZU WHATEVER"),
        table("ACHANGE", "ZX INTEGER"),
      ])
    #expect(resolution.differences.isEmpty)
    #expect(resolution.entities.map(\.name) == ["TodoItem"])
    let types: [AttributeType?] = resolution.entities[0].properties.map { property in
      if case .attribute(let attribute) = property { attribute.attribute.type } else { nil }
    }
    #expect(types == [.integer64, .date, .double, .decimal, .string, .binary, .undefined])
    #expect(resolution.columns(of: "TodoItem").first == "N -> ZN")
  }

  @Test func namesThatBeginWithAnUnderscoreAreNamesLikeOthers() throws {
    let resolution = try resolve(
      [row(1, "Thing"), row(2, "_Event")],
      [
        table("ZTHING", "Z_ID VARCHAR", "Z_DKFOO__BAR VARCHAR", "Z_FOK_N INTEGER", "ZN INTEGER"),
        table("Z_EVENT", "ZN INTEGER"), table("Z_METADATA", "Z_UUID VARCHAR"),
      ])
    #expect(resolution.differences.isEmpty)
    #expect(
      resolution.columns(of: "Thing") == ["_ID -> Z_ID", "_DKFOO__BAR -> Z_DKFOO__BAR", "N -> ZN"])
    #expect(resolution.columns(of: "_Event") == ["N -> ZN"])
  }

  @Test func indexOrCompanionOrPositionMakesAReference() throws {
    let resolution = try resolve(
      [row(1, "Book"), row(2, "Novel", 1), row(3, "Page")],
      [
        table("ZBOOK"),
        table(
          "ZPAGE", "ZINDEXED INTEGER", "ZBOOK INTEGER", "Z1_BOOK INTEGER", "Z_FOK_BOOK INTEGER",
          "ZPLAIN INTEGER"),
      ], change: { $0.indexedColumns = ["ZPAGE": ["ZINDEXED"]] })
    #expect(
      resolution.columns(of: "Page") == [
        "INDEXED -> ZINDEXED", "BOOK -> ZBOOK", "PLAIN -> ZPLAIN",
      ])
    let indexed = try #require(resolution.reference("INDEXED", of: "Page"))
    #expect(indexed.target == nil)
    #expect(resolution.attribute("PLAIN", of: "Page")?.attribute.type == .integer64)
    let book = try #require(resolution.reference("BOOK", of: "Page"))
    #expect(book.entityColumn?.name == "Z1_BOOK")
    #expect(book.positionColumn?.name == "Z_FOK_BOOK")
    #expect(
      book.target == ResolvedEnd(entity: "Book", number: 1, table: "ZBOOK", isPolymorphic: true))
  }

  /// Of two keys that are called alike, each has what is called so, unless only the other is in the
  /// same rows; what is one too many is a number, and so is what has no index.
  @Test(
    arguments: [
      ([2: "ZTO Z5_TO", 3: "ZTO1 Z7_TO Z_FOK_TO"], ["TO Z5_TO nil"], ["TO1 Z7_TO Z_FOK_TO"]),
      (
        [2: "ZTO Z_FOK_TO", 3: "ZTO1 Z7_TO Z5_TO"], ["TO nil Z_FOK_TO"], ["5_TO", "TO1 Z7_TO nil"]
      ),
      ([2: "ZTO ZTO1 Z7_TO Z5_TO"], ["5_TO", "TO Z7_TO Z_FOK_TO", "TO1 nil nil"], []),
      ([2: "ZN1 Z_FOK_N"], ["N1"], []),
      ([2: "ZN ZN1 Z_FOK_N", 3: "ZN"], ["N nil Z_FOK_N", "N1"], ["N nil Z_FOK_N"]),
    ] as [([Int64: String], [String], [String])])
  func numberBesideAKeyBelongsToTheOneOfTheSameRows(
    held: [Int64: String], left: [String], right: [String]
  ) throws {
    let resolution = try resolve(
      [row(1, "Root"), row(2, "L", 1), row(3, "R", 1), row(5, "A"), row(6, "A1", 5), row(7, "B")],
      [
        table(
          "ZROOT", "ZTO INTEGER", "Z7_TO INTEGER", "ZTO1 INTEGER", "Z5_TO INTEGER",
          "Z_FOK_TO INTEGER", "ZN INTEGER", "Z_FOK_N INTEGER", "ZN1 INTEGER"), table("ZA"),
        table("ZB"),
      ]
    ) {
      $0.indexedColumns = ["ZROOT": ["ZTO", "ZTO1"]]
      $0.occupied = Set(
        held.flatMap { entity, columns in
          columns.split(separator: " ").map {
            OccupiedColumn(entity: entity, column: String($0))
          }
        })
    }
    let used = Set(held.values.flatMap { $0.split(separator: " ").map(String.init) })
    for (entity, expected) in [("L", left), ("R", right)] {
      let found = (resolution.entity(named: entity)?.properties ?? []).compactMap { property in
        guard let column = property.column, used.contains(column.name) else {
          return nil as String?
        }
        guard case .reference(let reference) = property else { return property.name }
        return "\(reference.name) \(reference.entityColumn?.name ?? "nil") "
          + "\(reference.positionColumn?.name ?? "nil")"
      }
      #expect(found.sorted() == expected.sorted())
    }
    #expect(resolution.differences.isEmpty)
  }

  @Test func ownerOfAToManyWithoutInverseIsRecognised() throws {
    let resolution = try resolve(
      [row(1, "Question"), row(2, "Quiz")],
      [
        table(
          "ZQUESTION", "Z2QUESTIONS INTEGER", "Z_FOK_2QUESTIONS INTEGER", "Z7UP INTEGER"),
        table("ZQUIZ"),
      ])
    let owner = try #require(resolution.reference("Quiz_QUESTIONS", of: "Question"))
    #expect(owner.kind == .owner)
    #expect(owner.definedBy == "Quiz")
    #expect(owner.positionColumn?.name == "Z_FOK_2QUESTIONS")
    #expect(resolution.attribute("7UP", of: "Question") != nil)
  }

  @Test func knownSpellingGivesNameAndType() throws {
    let resolution = try resolve(
      [row(1, "TodoItem"), row(2, "Special", 1)],
      [table("ZTODOITEM", "ZCOMPLETE INTEGER", "ZMS_VERSION VARCHAR", "ZKIND INTEGER")],
      change: { $0.indexedColumns = ["ZTODOITEM": ["ZKIND"]] },
      spelling: { entity, column in
        switch (entity, column.name) {
        case ("TodoItem", "ZCOMPLETE"): KnownSpelling(name: "complete", type: .boolean)
        case (_, "ZMS_VERSION"): KnownSpelling(name: "ms_version")
        case ("Special", "ZKIND"): KnownSpelling(name: "kind", type: .integer16)
        case ("TodoItem", "ZKIND"): KnownSpelling(name: "kind")
        default: nil
        }
      })
    #expect(resolution.attribute("complete", of: "TodoItem")?.attribute.type == .boolean)
    #expect(resolution.attribute("complete", of: "Special")?.attribute.type == .boolean)
    #expect(resolution.attribute("ms_version", of: "TodoItem")?.attribute.type == .string)
    #expect(resolution.attribute("kind", of: "Special")?.attribute.type == .integer16)
    #expect(resolution.reference("kind", of: "TodoItem") != nil)
  }

  @Test func withoutContentEverySubentityHasAllColumns() throws {
    let rows = [row(1, "Root"), row(2, "A", 1), row(3, "B", 1)]
    let tables = [table("ZROOT", "ZX VARCHAR", "ZY VARCHAR", "ZEMPTY VARCHAR")]
    let blind = try resolve(rows, tables)
    #expect(blind.columns(of: "A").count == 3)
    let seeing = try resolve(rows, tables) {
      $0.occupied = [
        OccupiedColumn(entity: 1, column: "ZX"), OccupiedColumn(entity: 3, column: "ZY"),
      ]
    }
    #expect(seeing.columns(of: "Root") == ["X -> ZX", "EMPTY -> ZEMPTY"])
    #expect(seeing.columns(of: "A") == ["X -> ZX", "EMPTY -> ZEMPTY"])
    #expect(seeing.columns(of: "B") == ["X -> ZX", "Y -> ZY", "EMPTY -> ZEMPTY"])
  }

  @Test func joinTableIsRecognisedAndTurnedToTheSideThatSortsFirst() throws {
    let resolution = try resolve(
      [row(1, "Tag"), row(2, "Note")],
      [
        table("ZTAG"), table("ZNOTE"),
        joinTable("Z_1NOTES", "Z_1TAGS", "Z_2NOTES1", "Z_FOK_2NOTES", "EXTRA"),
      ])
    let join = try #require(resolution.joinTables.first)
    #expect(join.name == "Note_TAGS")
    #expect(join.owner.entity == "Note")
    #expect(join.ownerColumn?.name == "Z_2NOTES1")
    #expect(join.targetColumn?.name == "Z_1TAGS")
    #expect(join.reversePositionColumn?.name == "Z_FOK_2NOTES")
    #expect(join.positionColumn == nil)
    #expect(resolution.differences == [.extraColumn(table: "Z_1NOTES", column: "EXTRA")])
  }

  @Test func joinTablesWithinOneEntityAreRecognised() throws {
    let resolution = try resolve(
      [row(1, "User")],
      [
        table("ZUSER"), joinTable("Z_1FOLLOWS", "Z_1FOLLOWEDBY", "Z_1FOLLOWS"),
        joinTable("Z_1FRIENDS", "Z_1FRIENDS", "REFLEXIVE"),
      ])
    #expect(resolution.joinTables.map(\.name) == ["User_FOLLOWEDBY", "User_FRIENDS"])
    #expect(resolution.joinTables.map(\.isReflexive) == [false, true])
    #expect(resolution.joinTables[0].ownerColumn?.name == "Z_1FOLLOWS")
    #expect(resolution.joinTables[1].targetColumn?.name == "REFLEXIVE")
  }

  @Test(arguments: [
    joinTable("Z_1NOTES", "Z_1TAGS"), joinTable("Z_9NOTES", "Z_9TAGS", "Z_1NOTES"),
    joinTable("Z_1NOTES", "Z_1TAGS", "Z_1OTHER"), joinTable("Z_1", "Z_1TAGS", "Z_1OTHER"),
    joinTable("Z_99999999999999999999X", "Z_1A", "Z_1X"), table("ZELSE"),
  ])
  func tableWithoutThePatternIsExtra(odd: ActualTable) throws {
    let resolution = try resolve([row(1, "Tag")], [table("ZTAG"), odd])
    #expect(resolution.joinTables.isEmpty)
    #expect(resolution.differences == [.extraTable(table: odd.name)])
    // There is no model, whose words the message could use.
    #expect(resolution.differences.allSatisfy { !"\($0)".contains("model") })
  }

  @Test func singleStaleNameIsRepairedByTheHashes() throws {
    let resolution = try resolve(
      [row(1, "Old"), row(2, "Same")], [table("ZNEW"), table("ZSAME")],
      change: { $0.hashedNames = ["New", "Same"] })
    #expect(resolution.entities.map(\.name) == ["New", "Same"])
    #expect(resolution.entity(named: "New")?.table == "ZNEW")
    #expect(
      resolution.differences == [
        .staleEntityName(number: 1, recorded: "Old", current: "New")
      ])
  }

  @Test func renamedEntityKeepsATableWithTheOldName() throws {
    let resolution = try resolve(
      [row(1, "Old")], [table("ZOLD")], change: { $0.hashedNames = ["New"] })
    #expect(resolution.entity(named: "New")?.table == "ZOLD")
  }

  @Test func severalStaleNamesAreReportedAndKept() throws {
    let resolution = try resolve(
      [row(1, "A"), row(2, "B")], [table("ZA"), table("ZB")],
      change: { $0.hashedNames = ["C", "D"] })
    #expect(resolution.entities.map(\.name) == ["A", "B"])
    #expect(resolution.differences.count == 4)
  }

  @Test func oddRowsDoNotStopTheReading() throws {
    let resolution = try resolve(
      [
        row(1, "A", 2), row(2, "B", 1), row(3, "Self", 3), row(4, nil), row(5, "A"),
        row(6, "Orphan", 99), row(-1, "Negative"), row(6, "Twice"),
      ], [])
    #expect(
      resolution.entities.map(\.name) == ["A", "B", "Self", "Entity_4", "A_5", "Orphan"])
    let cycles = resolution.differences.filter {
      if case .cyclicSuperentity = $0 { true } else { false }
    }
    #expect(cycles.count == 2)
  }

  @Test func tooDeepOrTooManyEntitiesAreRefused() {
    #expect { try resolve((1...70).map { row($0, "E\($0)", $0 - 1) }, []) } throws: {
      ($0 as? ModelError)?.code == .inheritanceTooDeep
    }
    let columns = (0..<200).map { (name: "ZC\($0)", declaredType: "INTEGER") }
    let rows = [row(1, "Root")] + (2...2_000).map { row($0, "E\($0)", 1) }
    #expect { try resolve(rows, [ActualTable(name: "ZROOT", columns: columns)]) } throws: {
      ($0 as? ModelError)?.code == .tooManyProperties
    }
  }

  @Test func columnsOutsideTheRulesAreReported() throws {
    let resolution = try resolve(
      [row(1, "A")], [table("ZA", "plain VARCHAR", "Z_FOK_GONE INTEGER")])
    #expect(
      resolution.differences == [.extraColumn(table: "ZA", column: "plain")])
    #expect(resolution.columns(of: "A") == ["_FOK_GONE -> Z_FOK_GONE"])
  }
}
