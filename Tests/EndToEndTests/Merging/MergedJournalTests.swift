import Foundation
import TestSupport
import Testing

/// What a server has got is known in a merge, too.
struct MergedJournalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func replayed(_ sample: String, to server: String) async throws -> String {
    let store = folder.path(sample)
    _ = await rehome("convert", "-q", Sample(name: sample).store(), "-o", store)
    try ReplayedStore.addJournal(to: store, server: server)
    return store
  }

  /// What waits of a store, and what has become of the rest.
  private func states(_ store: String) async throws -> [String] {
    let list = await rehome("ops", "list", "--json", store).output
    let operations = try #require(
      JSONSerialization.jsonObject(with: list) as? [[String: any Sendable]])
    return try operations.map { operation in
      let texts = try ["kind", "itemId", "state"].map { try #require(operation[$0] as? String) }
      return texts.joined(separator: " ")
    }
  }

  @Test(arguments: ["https://a.example", "https://b.example"])
  func eachDeviceKeepsWhatItsServerHas(second: String) async throws {
    let first = try await replayed("ios-2016", to: "https://a.example")
    let other = try await replayed("android-2016", to: second)
    let merged = folder.path("merged")
    let made = await rehome(
      "convert", "-q", "--fail-on", "never", first, other, "-o", merged)
    try #require(made.code == 0, "\(made.error)")
    let expected = try await states(first) + states(other)
    #expect(expected.contains { $0.hasSuffix(" completed") })
    #expect(try await states(merged) == expected)
    let audit = try await rehome("audit", "--json", "--fail-on", "never", merged).json()
    let found = try #require((audit["stores"] as? [[String: any Sendable]])?.first)
    let replays = try #require(found["replays"] as? [[String: any Sendable]])
    let latest = replays.filter { $0["isLatest"] as? Bool == true }
    #expect(Set(latest.compactMap { $0["target"] as? String }) == ["https://a.example", second])
    let mark = await rehome("ops", "drop", merged, "1", "--dry-run")
    let server = second == "https://a.example" ? second : "the server of its device"
    #expect(mark.error.contains("operation 1 was sent to \(server) before"), "\(mark.error)")
  }
}
