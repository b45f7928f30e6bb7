import TestSupport
import Testing

/// Microsoft.Datasync.Client sends the version of an item as a member, too, which other services
/// refuse.
struct DatasyncVersionTests {
  private func bodies(_ store: String, _ options: String...) async throws -> [[String: Any]] {
    let plan = await rehome(
      ["replay", "--dry-run", "--json", store, "--to", "https://example.invalid"] + options)
    let steps = try #require(try plan.json()["steps"] as? [[String: Any]], "\(plan.error)")
    return steps.compactMap { $0["body"] as? [String: Any] }
  }

  @Test(arguments: [false, true])
  func versionIsAMemberOfWhatIsSent(isConverted: Bool) async throws {
    let folder = try TemporaryFolder()
    let sample = Project.path("samples/datasync-2023/offline.db")
    let converted = folder.path("c.rehome")
    if isConverted { #expect(await rehome("convert", "-q", sample, "-o", converted).code <= 2) }
    let store = isConverted ? converted : sample
    let sent = try await bodies(store)
    #expect(sent.map { $0["version"] as? String } == [nil, "AAAAAAAAB9E="])
    #expect(sent.map { $0.keys.contains("version") } == [false, true])
    let elsewhere = try await bodies(store, "--dialect", "v2")
    #expect(elsewhere.count == 2 && elsewhere.allSatisfy { $0["version"] == nil })
  }
}
