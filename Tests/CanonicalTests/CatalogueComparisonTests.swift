import Records
import SQLite
import Tables
import TestSupport
import Testing

@testable import Canonical

/// A canonical store in which somebody has changed something with another tool.
struct CatalogueComparisonTests {
  private static let tables = [
    Table(
      name: "Größe",
      columns: [Column(name: "id", type: .text, role: .id), Column(name: "Text", type: .text)])
  ]

  private func reader(after sql: String) throws -> CanonicalReader {
    let folder = try TemporaryFolder()
    let path = folder.path("a.rehome")
    try makeStore(at: path, tables: Self.tables)
    _ = try Python.run(
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])",
      arguments: [path, sql])
    return try CanonicalReader(
      SourceDatabase(opening: path, temporaryFolder: folder.path("")))
  }

  @Test(arguments: [
    ("", []),
    // An index is no contents, the store's own tables may have more than is read.
    (#"CREATE INDEX i ON "Größe" (Text); ALTER TABLE rehome_operation ADD x TEXT"#, []),
    ("CREATE TABLE rehome_more (x)", []),
    (#"ALTER TABLE "Größe" ADD note TEXT"#, ["Größe: the column note"]),
    // A merge that ends with one store has added it; a person may add one of that name, too.
    (
      #"ALTER TABLE "Größe" ADD _source INTEGER; ALTER TABLE rehome_finding ADD item TEXT"#, []
    ),
    (#"ALTER TABLE "Größe" ADD _source INTEGER"#, ["Größe: the column _source"]),
    ("CREATE TABLE Checked (id)", ["Checked: the table"]),
    (
      #"CREATE TABLE a (x, y); ALTER TABLE "Größe" ADD a TEXT; ALTER TABLE "Größe" ADD "ä" INTEGER"#,
      ["Größe: the column a", "Größe: the column ä", "a: the table"]
    ),
  ])
  func whatIsInNoCatalogueIsTold(_ sql: String, _ expected: [String]) throws {
    let findings = try reader(after: sql).findings.filter { $0.code == "not-in-catalogue" }
    #expect(
      findings.map { "\($0.table ?? "?"): \($0.message)" }
        == expected.map { $0 + " is not in the catalogue of the store and is left out" })
  }

  @Test(arguments: [
    (#"DROP TABLE "Größe""#, ["the table"], []),
    (#"ALTER TABLE "Größe" RENAME TO other"#, ["the table"], ["the table"]),
    (#"ALTER TABLE "Größe" DROP COLUMN Text"#, ["the column Text"], []),
    (#"ALTER TABLE "Größe" RENAME id TO key"#, ["the column id"], ["the column key"]),
    (#"ALTER TABLE "Größe" RENAME id TO ID"#, [], []),
    (#"ALTER TABLE "Größe" RENAME TO x; ALTER TABLE x RENAME TO "GRößE""#, [], []),
  ])
  func whatTheCatalogueAloneKnowsIsTold(
    _ sql: String, _ missing: [String], _ strange: [String]
  ) throws {
    let reader = try reader(after: sql)
    let findings = reader.findings
    let told = findings.filter { $0.code == "not-in-store" }
    #expect(
      told.map(\.message)
        == missing.map {
          $0 + " is in the catalogue of the store, and is not there; the rest is read"
        })
    #expect(told.allSatisfy { $0.severity == .error && $0.table == "Größe" })
    #expect(
      findings.filter { $0.code == "not-in-catalogue" }.map(\.message)
        == strange.map { $0 + " is not in the catalogue of the store and is left out" })
  }

  /// What is not there is left out, and all that is there is read.
  @Test(arguments: [
    (#"DROP TABLE "Größe""#, []), (#"ALTER TABLE "Größe" DROP COLUMN Text"#, [["id"]]),
    ("", [["id", "Text"]]),
  ])
  func restIsRead(_ sql: String, _ columns: [[String]]) throws {
    let reader = try reader(after: sql)
    #expect(reader.catalogue.tables.map { $0.columns.map(\.name) } == columns)
    for table in reader.catalogue.tables.indices {
      #expect(try reader.countRows(inTable: table) == 0)
    }
  }

  /// Only letters of ASCII are the same in both cases to the engine.
  @Test func namesThatDifferForTheEngineAreSeveral() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.rehome")
    let columns = ["id", "é", "É", "k", "\u{212A}"].map { Column(name: $0, type: .text) }
    try makeStore(
      at: path,
      tables: ["ä", "Ä"].map { Table(name: $0, columns: columns) })
    let reader = try CanonicalReader(
      SourceDatabase(opening: path, temporaryFolder: folder.path("")))
    #expect(reader.findings.isEmpty)
  }
}
