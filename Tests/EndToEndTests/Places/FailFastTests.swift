import Foundation
import TestSupport
import Testing

/// A run that stops at the first store that cannot be read shows what it has seen until then.
struct FailFastTests {
  private let folder: TemporaryFolder
  private let stores: [String]

  init() throws {
    folder = try TemporaryFolder()
    let whole = Sample(name: "ios-2016").store()
    let bytes = try #require(FileManager.default.contents(atPath: whole))
    let cut = try folder.write(Array(bytes.prefix(5000)), to: "cut.sqlite")
    stores = [whole, cut, Sample(name: "android-2016").store()]
  }

  private func run(_ command: String, _ arguments: String...) async -> Outcome {
    await rehome([command, "--fail-fast"] + arguments + stores)
  }

  @Test(arguments: ["inspect", "audit", "hash"])
  func documentIsWholeUpToTheStoreThatStops(_ command: String) async throws {
    let outcome = await run(command, "--json")
    #expect(outcome.code == 65, "\(outcome.error)")
    let listed = try #require(try outcome.json()["stores"] as? [[String: Any]])
    #expect(listed.map { $0["error"] is [String: Any] } == [false, true], "\(outcome.text)")
    #expect(outcome.error.contains("cut.sqlite: "), "\(outcome.error)")
    #expect(outcome.error.contains("1 store behind the one that cannot be read was not looked at"))
  }

  @Test func linesOfFindAreThoseOfTheReportAndTheStoreThatStops() async throws {
    let report = folder.path("report.ndjson")
    let lines = try await run("find", "--json", "--report", report).jsonLines()
    #expect(lines.map { $0["error"] is [String: Any] } == [false, true])
    let told = try #require(folder.text("report.ndjson")).split(separator: "\n")
    #expect(told.count == 1)
    // Whoever goes on tries again what has stopped the run.
    let again = await run("find", "--report", report, "--resume")
    #expect(again.code == 65 && again.error.contains("cut.sqlite: "), "\(again.error)")
  }

  @Test func tableIsShownAndFilesAreToldToBeMissing() async throws {
    let (page, list) = (folder.path("page.html"), folder.path("list.csv"))
    let outcome = await run("audit", "--html", page, "--csv", list)
    #expect(outcome.code == 65)
    #expect(outcome.text.contains("operation-without-row"), "\(outcome.text)")
    #expect(outcome.text.contains("cannot be read"), "\(outcome.text)")
    for output in [page, list] { #expect(outcome.error.contains("\(output) is not written")) }
    #expect(folder.names == ["cut.sqlite"])
  }

  /// The same holds where not one store can be read.
  @Test func filesOfNothingAreToldToBeMissing() async throws {
    let page = folder.path("page.html")
    let outcome = await rehome("audit", "--html", page, stores[1])
    #expect(outcome.code == 65 && outcome.error.contains("\(page) is not written"))
  }
}
