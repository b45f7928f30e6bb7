import Foundation
import TestSupport
import Testing

/// Exports are, byte for byte, what `expected/tables` holds.
struct SampleExportTests {
  @Test(arguments: Sample.all)
  func legacyStoreExportsItsRows(of sample: Sample) async throws {
    try await expectTables(of: sample, exportedFrom: sample.store())
  }

  @Test(arguments: Sample.all)
  func canonicalStoreExportsTheSameRows(of sample: Sample) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.rehome")
    #expect(await rehome("convert", "-q", sample.store(), "-o", store).code == sample.code)
    try await expectTables(of: sample, exportedFrom: store)
  }

  @Test(arguments: Sample.all)
  func canonicalStoreConvertsToTheSameRowsAgain(of sample: Sample) async throws {
    let folder = try TemporaryFolder()
    let (once, twice) = (folder.path("once.rehome"), folder.path("twice.rehome"))
    #expect(await rehome("convert", "-q", sample.store(), "-o", once).code == sample.code)
    #expect(await rehome("convert", "-q", once, "-o", twice).code == 0)
    try await expectTables(of: sample, exportedFrom: twice)
  }

  @Test func fileHoldsWhatStandardOutputShows() async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let table = try #require(sample.tables.first)
    let output = folder.path("rows.ndjson")
    let outcome = await rehome(
      "export", sample.store(), "--to", "ndjson", "--table", table, "-o", output)
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasSuffix(" rows of 1 table to \(output)\n"))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: output))
        == sample.expected("tables/\(table).ndjson"))
    #expect(folder.names == ["rows.ndjson"])
  }

  private func expectTables(of sample: Sample, exportedFrom store: String) async throws {
    #expect(!sample.tables.isEmpty)
    for table in sample.tables {
      let outcome = await rehome("export", "-q", store, "--to", "ndjson", "--table", table)
      #expect(outcome.code == 0 || outcome.code == sample.code, "\(table)")
      #expect(outcome.error == "")
      let expected = try sample.expected("tables/\(table).ndjson")
      #expect(outcome.text == String(decoding: expected, as: UTF8.self), "\(table)")
      #expect(outcome.output == expected)
    }
  }
}
