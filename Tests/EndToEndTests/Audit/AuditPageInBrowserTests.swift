import Foundation
import TestSupport
import Testing

/// The audit page as a browser shows it: on a phone and on paper, in the dark, by keyboard.
@Suite(
  .enabled(
    if: SystemProgram(name: "chromium").isInstalled && SystemProgram.python.isInstalled,
    "chromium or python3 is not installed"))
struct AuditPageInBrowserTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes the page of some stores, and has a browser look at it.
  private func expectGoodPage(
    of stores: [String], _ options: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let page = folder.path("page.html")
    let outcome = await rehome(
      ["audit", "-q", "-f", "--fail-on", "never", "--html", page] + stores)
    #expect(outcome.code == 0, "\(outcome.error)", sourceLocation: sourceLocation)
    let check = try Program.python.run(
      ["-B", Project.path("Tests/Oracles/check_page.py"), page, "--seconds", "20"] + options)
    #expect(
      check.text == "nothing is wrong\n", "\(check.text)\(check.error)",
      sourceLocation: sourceLocation)
  }

  @Test func pageOfOneStoreIsGood() async throws {
    for name in ["ios-2016", "dotnet-2014"] {
      let sample = try #require(Sample.all.first { $0.name == name })
      try await expectGoodPage(
        of: [sample.store()], "--sheets", "2", "--search", "error-conflict")
    }
  }

  /// Most of its changes are packed, and found all the same.
  @Test func pageOfALongQueueIsGood() async throws {
    let rehearsal = try await Rehearsal(operations: 1500)
    try await expectGoodPage(of: [rehearsal.device], "--search", "item-001499")
  }

  @Test func pageOfAFleetIsGood() async throws {
    try await expectGoodPage(
      of: Sample.all.map { $0.store() }, "--search", "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a11",
      "--search", "operation-without-row")
  }
}
