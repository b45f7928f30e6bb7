import TestSupport
import Testing

/// App stores whose entities share a root, and so one sequence of keys: no row takes the key of
/// another, and no reference leads to another row than before.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedFamilyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var output: String { folder.path("app.sqlite") }

  /// The store of some devices' objects; the app's empty one without a number.
  private func store(_ name: String, _ numbers: String...) throws -> String {
    let path = folder.path(name)
    _ = try Python.run(
      file: Project.path("Tests/Oracles/family_store.py"), arguments: [path] + numbers)
    return path
  }

  private func seed(_ inputs: [String], _ template: String, _ options: String...) async -> Outcome {
    await rehome(
      ["seed"] + inputs + ["--into", "core-data", "--template", template, "-fo", output]
        + options)
  }

  /// What a query gives, with the changes to a store before it.
  private func rows(_ query: String, of store: String, _ changes: String = "") throws -> String {
    try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript(sys.argv[3])
          print(*db.execute(sys.argv[2]).fetchall())
      """, store, query, changes)
  }

  private static let pets = """
    SELECT o.ZNAME, p.ZNAME, p.Z_ENT = o.Z1_PET, d.ZNAME FROM ZOWNER AS o
    LEFT JOIN ZANIMAL AS p ON p.Z_PK = o.ZPET LEFT JOIN ZANIMAL AS d ON d.Z_PK = o.ZDOG ORDER BY 1
    """
  private static let pairs = """
    SELECT o.ZNAME, a.ZNAME FROM Z_1KEEPERS JOIN ZOWNER AS o ON o.Z_PK = Z_5KEEPERS
    JOIN ZANIMAL AS a ON a.Z_PK = Z_1ANIMALS ORDER BY 1, 2
    """

  @Test func plainFilesGetKeysOfOneSequence() async throws {
    let files = [
      try folder.write("id,name\nc1,Tom\nc2,Kit\n".utf8, to: "Cat.csv"),
      try folder.write("id,name\nd1,Rex\nd2,Bo\nd3,Ed\n".utf8, to: "Dog.csv"),
      try folder.write("name,dog\nAnn,d1\nBob,d3\n".utf8, to: "Owner.csv"),
    ]
    for files in [files, files.reversed()] {
      let outcome = await seed(
        files, try store("empty.sqlite"), "--reference", "Owner.dog=Dog", "--drop-unknown")
      #expect(outcome.code == 0, "\(outcome.error)")
      let dogs = try rows(
        "SELECT o.ZNAME, d.ZNAME, d.Z_ENT FROM ZOWNER AS o JOIN ZANIMAL AS d ON d.Z_PK = o.ZDOG",
        of: output)
      #expect(dogs == "('Ann', 'Rex', 3) ('Bob', 'Ed', 3)\n")
      #expect(
        try rows("SELECT count(*), max(Z_PK) FROM ZANIMAL", of: output) == "(5, 5)\n")
      #expect(try rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1", of: output) == "(5,)\n")
    }
  }

  /// The first key that the framework gives out is 1, and behind the greatest there is none for another
  /// row; each that is taken has a key of its own.
  @Test(arguments: [(Int64.min, 0), (.min + 1, 0), (-5, 1), (0, 1), (1, 2), (.max, 0)])
  func keysAtTheEndsAreNoTrap(_ key: Int64, count: Int) async throws {
    let isRefused = count < 2
    let files = try ["Cat", "Dog"].map { name in
      try folder.write(#"[{"_pk":\#(key),"name":"x"}]"#, to: name + ".json")
    }
    let outcome = await seed(files, try store("empty.sqlite"), "--drop-unknown")
    #expect(outcome.code == (isRefused ? 2 : 0), "\(outcome.error)")
    #expect(outcome.error.contains("[row-refused]") == isRefused, "\(outcome.error)")
    let kept = try rows("SELECT count(DISTINCT Z_PK), count(*) FROM ZANIMAL", of: output)
    #expect(kept == "(\(count), \(count))\n")
    #expect(try rows("SELECT count(*) FROM ZANIMAL WHERE Z_PK < 1", of: output) == "(0,)\n")
  }

  @Test func mergeOfDevicesBecomesTheirAppsStore() async throws {
    let merged = folder.path("merged.rehome")
    let stores = [try store("a.sqlite", "1"), try store("b.sqlite", "2")]
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let outcome = await seed([merged], try store("empty.sqlite"))
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      try rows(Self.pets, of: output)
        == "('Ann1', 'Rex1', 1, 'Rex1') ('Ann2', 'Rex2', 1, 'Rex2')\n")
    #expect(
      try rows(Self.pairs, of: output)
        == "('Ann1', 'Rex1') ('Ann1', 'Tom1') ('Ann2', 'Rex2') ('Ann2', 'Tom2')\n")
  }

  @Test func nothingLeadsToObjectsOfAnotherEntity() async throws {
    let merged = folder.path("merged.rehome")
    let stores = [try store("a.sqlite", "1"), try store("b.sqlite", "2")]
    _ = await rehome(["convert", "-q"] + stores + ["-o", merged])
    let outcome = await seed([merged], try store("empty.sqlite"), "--exclude-table", "Dog")
    #expect(outcome.code == 0, "\(outcome.error)")
    let told = "references of Owner to rows that were left out, which became NULL: 4"
    #expect(outcome.error.contains(told), "\(outcome.error)")
    #expect(
      try rows(Self.pets, of: output)
        == "('Ann1', None, None, None) ('Ann2', None, None, None)\n")
    #expect(try rows(Self.pairs, of: output) == "('Ann1', 'Tom1') ('Ann2', 'Tom2')\n")
    #expect(try rows("SELECT count(*) FROM Z_1KEEPERS", of: output) == "(2,)\n")
  }

  @Test func keysThatDoNotClashStayAsTheyAre() async throws {
    let device = try store("a.sqlite", "1", "2", "3")
    let canonical = folder.path("a.rehome")
    _ = await rehome("convert", "-q", device, "-o", canonical)
    for input in [device, canonical] {
      #expect(await seed([input], try store("empty.sqlite")).code == 0)
      let verdict = await rehome("verify", device, output)
      #expect(verdict.code == 0, "\(verdict.text)")
    }
  }

  @Test func nothingLeadsToRowsThatTheStoreRefuses() async throws {
    let device = try store("a.sqlite", "1", "2")
    _ = try rows("SELECT 1", of: device, "UPDATE ZOWNER SET ZNAME = 'same'")
    let template = try store("empty.sqlite")
    _ = try rows("SELECT 1", of: template, "CREATE UNIQUE INDEX one ON ZOWNER (ZNAME)")
    let outcome = await seed([device], template)
    #expect(outcome.code == 2)
    for told in [
      "references of Letter to rows that were left out, which became NULL: 1",
      "references of Animal_keepers to rows that were left out, which were left out, too: 2",
    ] {
      #expect(outcome.error.contains(told), "\(outcome.error)")
    }
    #expect(
      try rows("SELECT ZTEXT, ZRECEIVER FROM ZLETTER", of: output)
        == "('to Ann1', 1) ('to Ann2', None)\n")
    #expect(
      try rows("SELECT count(*), max(Z_5KEEPERS) FROM Z_1KEEPERS", of: output) == "(2, 1)\n")
    let books = outcome.error.split(separator: "\n").first { $0.hasPrefix("Animal_keepers ") }
    #expect(
      books?.split(separator: " ").prefix(4) == ["Animal_keepers", "4", "2", "2"],
      "\(outcome.error)")
    let audit = await rehome("audit", output, "--fail-on", "never")
    #expect(!audit.text.contains("dangling-reference"), "\(audit.text)")
  }

  /// A merge keeps such a reference below zero, and the rows of the table to which it should lead are moved
  /// behind those of another.
  ///
  /// A pair of which a half leads nowhere is refused.
  @Test func whatLedNowhereOnItsDeviceLeadsToNoRowOfAnother() async throws {
    let devices = [
      try store("a.sqlite", "1"), try store("b.sqlite", "2", "3", "4", "5", "6", "7"),
    ]
    _ = try rows(
      "SELECT 1", of: devices[0],
      "UPDATE ZOWNER SET ZDOG = 8, ZPET = 8; UPDATE Z_1KEEPERS SET Z_1ANIMALS = 8 WHERE Z_1ANIMALS = 1"
    )
    let merged = folder.path("merged.rehome")
    #expect(await rehome(["convert", "-q"] + devices + ["-o", merged]).code == 0)
    let outcome = await seed([merged], try store("empty.sqlite"))
    #expect(outcome.code == 2 && outcome.error.contains("dangling-reference"), "\(outcome.error)")
    #expect(
      try rows(Self.pets, of: output).hasPrefix("('Ann1', None, None, None) ('Ann2', 'Rex2', "))
    #expect(try rows(Self.pairs, of: output).hasPrefix("('Ann1', 'Rex1') ('Ann2', 'Rex2') "))
  }

  @Test func keysOfRowsThatAreGoneAreNotGivenOutAgain() async throws {
    let device = try store("a.sqlite", "1", "2")
    _ = try rows("SELECT 1", of: device, "DELETE FROM ZOWNER WHERE Z_PK = 2")
    let outcome = await seed([device], try store("empty.sqlite"))
    #expect(outcome.code == 0 && outcome.error.contains("dangling-reference"), "\(outcome.error)")
    #expect(try rows("SELECT max(ZRECEIVER) FROM ZLETTER", of: output) == "(2,)\n")
    #expect(try rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 5", of: output) == "(2,)\n")
  }
}
