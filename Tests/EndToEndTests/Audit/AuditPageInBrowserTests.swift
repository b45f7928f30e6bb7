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
    #expect([0, 2].contains(outcome.code), "\(outcome.error)", sourceLocation: sourceLocation)
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
    try rehearsal.alter(
      rehearsal.device,
      """
      UPDATE TodoItem SET text = 'don''t & <b>"go"</b> home' WHERE rowid > 900;
      INSERT INTO __config VALUES ('deltaToken|TodoItem|a', '2017-03-17T23:20:30.123+00:00'),
        ('deltaToken|TodoItem|b', '2017-03-20T23:20:30.123+00:00');
      """)
    try await expectGoodPage(
      of: [rehearsal.device], "--search", "item-001499", "--search", "update TodoItem  item-001498",
      "--search", "DON'T & <b>\"go\"</b>", "--nowhere", "#39", "--nowhere", "quot;", "--nowhere",
      "amp;")
  }

  @Test func pageOfAFleetIsGood() async throws {
    let broken = try folder.write("no store", to: "broken.sqlite")
    try await expectGoodPage(
      of: Sample.all.map { $0.store() } + [broken], "--search",
      "b7d9c2f0-43f1-4a53-9a3e-0d6f5e0c7a11",
      "--search", "operation-without-row", "--search", "ïd", "--nowhere", "#3")
  }

  /// What stands on paper when the page of some stores is printed, as one line.
  private func printed(_ stores: [String], _ options: String...) async throws -> String {
    let page = folder.path("page.html")
    #expect(await rehome(["audit", "-q", "-f", "--html", page] + stores).code != 74)
    let outcome = try Program.python.run(
      ["-B", Project.path("Tests/Oracles/print_page.py"), page] + options)
    try #require(outcome.code == 0, "\(outcome.error)")
    return outcome.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(
    .enabled(if: SystemProgram(name: "pdftotext").isInstalled, "pdftotext is not installed"))
  func paperTellsWhatIsNotOnIt() async throws {
    let rehearsal = try await Rehearsal(operations: 1500)
    let changes = try await printed([rehearsal.device])
    #expect(changes.contains("and 1,200 more, which are not on paper"))
    #expect(!changes.contains("Show 100 more"))
    #expect(changes.contains("Search") == false)
    let silent = try await printed([rehearsal.device], "--without-script")
    #expect(silent.contains("1,200 more are in this page; a script is needed to show them."))
    let found = try await printed([rehearsal.device], "--search", "item-000007")
    #expect(found.contains("1 match of a search for “item-000007”"))

    let stores = try folder.makeFolder("stores")
    for number in 0..<130 {
      try FileManager.default.copyItem(
        atPath: Sample(name: "ios-2016").store(), toPath: "\(stores)/\(number).db")
    }
    let whole = try await printed([stores])
    #expect(whole.contains("and 30 more, which are not on paper"))
    #expect(whole.contains("Nothing was overwritten; the change still waits."))
    let fleet = try await printed([stores], "--without-script")
    #expect(fleet.contains("30 more are in this page; a script is needed to show them."))
  }

  @Test(
    .enabled(if: SystemProgram(name: "pdftotext").isInstalled, "pdftotext is not installed"))
  func paperSaysWhatFindingsMean() async throws {
    let paper = try await printed([Sample(name: "ios-2016").store()])
    #expect(paper.contains("What to do."))
    #expect(paper.contains("Nothing was overwritten; the change still waits."))
  }
}
