import Foundation
import TestSupport
import Testing

/// A run that goes on with a report ends as one over all stores would.
struct ResumedRunTests {
  private let folder: TemporaryFolder
  private let report: String

  init() throws {
    folder = try TemporaryFolder()
    report = folder.path("report.ndjson")
  }

  private func resume(_ command: String, _ arguments: String...) async -> Outcome {
    await rehome([command, "--report", report, "--resume"] + arguments)
  }

  /// What is sent, dropped or completed waits no longer, and the queue has it all the same.
  @Test(arguments: ["ios-2016", "toolkit-2025"])
  func whatWaitsIsCountedAlike(_ sample: String) async throws {
    let store = folder.path("items.rehome")
    #expect(await rehome("convert", "-q", Sample(name: sample).store(), "-o", store).code == 0)
    #expect(await rehome("ops", "drop", "-q", store, "1-3").code == 0)
    let first = await rehome("find", "--report", report, store)
    let again = await resume("find", store)
    let summary = try #require(first.error.split(separator: "\n").first)
    #expect(summary.contains("wait") && again.error.hasPrefix(summary), "\(again.error)")
    let line = try await rehome("find", "--json", store).jsonLines()[0]
    #expect(summary.contains(", \(line["waiting"] as? Int ?? -1) operation"))
  }

  /// What another command found, or the same one with other options, tells nothing.
  @Test func reportOfAnotherRunIsNoneOfThisOne() async throws {
    let store = Sample(name: "ios-2016").store()
    #expect(await rehome("find", "-q", "--report", report, store).code == 0)
    let audit = await resume("audit", store)
    #expect(audit.code == 2 && audit.text.contains("operation-without-row"), "\(audit.error)")
    #expect(audit.error.contains("1 line of the report is by another command"), "\(audit.error)")
    let renamed = await resume("audit", "--rename", "TodoItem=Item", store)
    #expect(renamed.text.contains("Item") && !renamed.text.contains("TodoItem"))
    for command in ["find", "audit"] {
      let again = await resume(command, store)
      #expect(again.text.isEmpty && again.error.contains("1 store stands in the report"))
    }
  }

  /// What an error advises helps, also where the error stands in the report.
  @Test func damagedStoreIsSalvagedThough() async throws {
    let whole = Sample(name: "ios-2016").store()
    let bytes = try #require(FileManager.default.contents(atPath: whole))
    let cut = try folder.write(Array(bytes.prefix(20_000)), to: "cut.sqlite")
    let damaged = await rehome("audit", "--report", report, cut, whole)
    #expect(damaged.code == 2 && damaged.error.contains("--salvage"), "\(damaged.error)")
    let salvaged = await resume("audit", "-v", "--salvage", cut, whole)
    // The store that is whole is the same with the option.
    #expect(salvaged.error.contains("1 store stands in the report"), "\(salvaged.error)")
    #expect(salvaged.text.contains(cut), "\(salvaged.text)")
    let again = await resume("audit", "--salvage", cut, whole)
    #expect(!again.text.contains(cut), "\(again.text)")
  }

  /// Whatever made the exit code of the first run makes that of the second one, which says so.
  @Test func reasonForTheExitCodeIsTold() async throws {
    let whole = Sample(name: "ios-2016").store()
    let cut = try folder.write(Array(repeating: UInt8(7), count: 9000), to: "cut.sqlite")
    for (command, words) in [
      ("find", "1 cannot be read"), ("inspect", "1 cannot be read"),
      ("audit", "1 cannot be read, the worst finding is an error"),
    ] {
      #expect(await resume(command, "-q", cut, whole).code == 2)
      let again = await resume(command, cut, whole)
      #expect(again.code == 2)
      #expect(again.error.contains("were not read again: \(words)\n"), "\(again.error)")
    }
  }

  /// They would lack the stores that an earlier run has done.
  @Test(arguments: ["--html", "--csv"])
  func pagesAndListsAreOfAllStores(_ option: String) async throws {
    let store = Sample(name: "ios-2016").store()
    for output in [folder.path("output"), "-"] {
      let outcome = await resume("audit", store, option, output)
      #expect(outcome.code == 64 && outcome.text.isEmpty, "\(outcome.error)")
      #expect(outcome.error.contains("\(option) has all stores"), "\(outcome.error)")
    }
    #expect(folder.names.isEmpty)
  }
}
