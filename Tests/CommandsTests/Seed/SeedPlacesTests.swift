import Bytes
import Records
import TestSupport
import Testing

@testable import Commands

/// Where `--reference` leads to, by the names of tables and columns.
struct SeedPlacesTests {
  /// A reader of tables without rows.
  private final class EmptyReader: StoreReader {
    var source = SourceDescription(name: "list", layout: .sqlite)
    let catalogue: Catalogue
    let findings: Findings = []
    let inputFiles: [String] = []

    init(_ tables: [(name: String, columns: [String])]) {
      let plans = tables.map { name, columns in
        Table(
          name: name,
          columns: columns.map { Column(name: $0, type: .text, role: $0 == "id" ? .id : .value) })
      }
      catalogue = Catalogue(tables: plans, nameOrigin: .schema)
    }

    func isSourceUnchanged() throws(StoreError) -> Bool { true }
    func countRows(inTable table: Int) throws(StoreError) -> Int { 0 }
    func readQueue() throws(StoreError) -> Queue { Queue() }

    func rows(
      ofTable table: Int, wanting cells: WantedCells?
    ) throws(StoreError) -> TableRows.Form {
      .batches { (_) throws(StoreError) in }
    }
  }

  @Test func namesWithDotsAreCutWhereATableAndItsColumnAre() throws {
    let places = SeedPlaces([
      EmptyReader([("a", ["b.c", "c"]), ("a.b", ["c", "d.e"])]),
      EmptyReader([("a.b.d", ["e", "id"]), ("Void", [])]),
    ])
    func column(_ text: String) throws -> SeedPlace { try places.column(text, text) }
    #expect(try column("a.c") == SeedPlace(reader: 0, table: 0, column: 1))
    // Of two tables the first is meant.
    #expect(try column("a.b.c") == SeedPlace(reader: 0, table: 0, column: 0))
    #expect(try column("a.b.d.e") == SeedPlace(reader: 0, table: 1, column: 1))
    #expect(try column("Void.whatever") == SeedPlace(reader: 1, table: 1))
    #expect(try places.target("a.b.d", "") == SeedPlace(reader: 1, table: 0, column: 1))
    #expect(try places.target("a.b._pk", "") == SeedPlace(reader: 0, table: 1))
    #expect(throws: StoreError.self) { try column("a.d") }
    #expect(throws: StoreError.self) { try column("c") }
    #expect(throws: StoreError.self) { try places.target("a.b", "") }
  }

  @Test func timeDoesNotGrowWithTablesTimesOptions() throws {
    let names = (0..<20_000).map { "Table\($0)" }
    let readers = names.map { EmptyReader([($0, ["id", "next"])]) }
    let clock = ThreadClock()
    let places = SeedPlaces(readers)
    for (number, name) in names.enumerated() {
      #expect(try places.column("\(name).next", "").reader == number)
      #expect(try places.target(name, "").reader == number)
    }
    #expect(clock.seconds < 20)
  }
}
