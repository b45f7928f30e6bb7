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
}
